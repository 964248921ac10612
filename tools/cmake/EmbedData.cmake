# wardiary_embed(TARGET SYSTEM DIR): compiles every *.json below DIR into TARGET and declares
#   std::span<const wardiary::DataFile> SYSTEM_data_files();
# in generated/SYSTEM_data.h. Names are relative to DIR: "boards/eastfront.json".
function(wardiary_embed target system dir)
  file(GLOB_RECURSE files RELATIVE ${dir} CONFIGURE_DEPENDS ${dir}/*.json)
  wardiary_embed_files(${target} ${system} ${dir} ${files})
endfunction()

# wardiary_embed_files(TARGET NAME DIR FILE...): the same with these files, relative to DIR.
function(wardiary_embed_files target system dir)
  set(files ${ARGN})
  list(SORT files)
  set(assembly "")
  set(externs "")
  set(rows "")
  set(depends "")
  set(n 0)
  foreach(file ${files})
    set(symbol "wardiary_${system}_${n}")
    string(APPEND assembly
      "asm(\".section .rodata\\n.balign 16\\n${symbol}:\\n.incbin \\\"${dir}/${file}\\\"\\n"
      "${symbol}_end:\\n.byte 0\\n.globl ${symbol}\\n.globl ${symbol}_end\\n.previous\\n\");\n")
    string(APPEND externs "extern \"C\" const char ${symbol}[], ${symbol}_end[];\n")
    string(APPEND rows
      "      {\"${file}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    list(APPEND depends ${dir}/${file})
    math(EXPR n "${n} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${system}_data.h CONTENT
"#pragma once
#include <span>
#include \"domain/rule_system.h\"
namespace wardiary {
std::span<const DataFile> ${system}_data_files();
}
" @ONLY)
  set(source ${CMAKE_BINARY_DIR}/generated/${system}_data.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
"#include \"${system}_data.h\"
${assembly}${externs}
namespace wardiary {
std::span<const DataFile> ${system}_data_files() {
  static const DataFile files[] = {
${rows}  };
  return files;
}
}
" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${depends}")
  target_sources(${target} PRIVATE ${source})
endfunction()
