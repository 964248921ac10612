# Helpers so that each folder's CMakeLists.txt says only its name and what it may use.

add_library(wardiary_flags INTERFACE)
target_compile_options(wardiary_flags INTERFACE
  -Wall -Wextra -Werror -Wnon-virtual-dtor -Woverloaded-virtual -Wshadow -Wimplicit-fallthrough
  -ffp-contract=off)
if(WARDIARY_FUZZ)
  # The compiler of the product is g++, and what it warns of is an error; clang is here to find
  # faults in running code, and only shows what else it would do differently.
  target_compile_options(wardiary_flags INTERFACE -Wno-error)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these inside the standard library at -O2, where there is nothing to mend.
  target_compile_options(wardiary_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized
    -Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread)
endif()
target_include_directories(wardiary_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
if(WARDIARY_SANITIZE)
  target_compile_options(wardiary_flags INTERFACE
    -fsanitize=${WARDIARY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(wardiary_flags INTERFACE -fsanitize=${WARDIARY_SANITIZE})
endif()
if(WARDIARY_COVERAGE)
  target_compile_options(wardiary_flags INTERFACE --coverage -O0)
  target_link_options(wardiary_flags INTERFACE --coverage)
endif()

# wardiary_folder(NAME USES lib... [FOLDERS dir...] [TEST_USES lib...])
# Every *.cpp of the folder (and of FOLDERS below it) goes into the library wardiary_NAME, every
# *_test.cpp into the test program NAME_test.
function(wardiary_folder name)
  cmake_parse_arguments(ARG "" "" "USES;FOLDERS;TEST_USES;EXCLUDE" ${ARGN})
  set(globs ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(folder ${ARG_FOLDERS})
    list(APPEND globs ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${globs})
  foreach(excluded ${ARG_EXCLUDE})
    list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${excluded})
  endforeach()
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  if(sources)
    add_library(wardiary_${name} STATIC ${sources})
    target_link_libraries(wardiary_${name} PUBLIC ${ARG_USES} wardiary_flags)
  else()
    add_library(wardiary_${name} INTERFACE)
    target_link_libraries(wardiary_${name} INTERFACE ${ARG_USES} wardiary_flags)
  endif()

  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE wardiary_${name} ${ARG_TEST_USES}
      GTest::gtest GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1200)
  endif()
endfunction()
