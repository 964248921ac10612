# Debian's librocksdb-dev ships a CMake package whose dependencies need extra -dev packages that the
# shared library does not, so look for header and library directly.
find_path(RocksDB_INCLUDE_DIR rocksdb/db.h)
find_library(RocksDB_LIBRARY rocksdb)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RocksDB REQUIRED_VARS RocksDB_LIBRARY RocksDB_INCLUDE_DIR)
if(RocksDB_FOUND AND NOT TARGET RocksDB::rocksdb)
  add_library(RocksDB::rocksdb UNKNOWN IMPORTED)
  set_target_properties(RocksDB::rocksdb PROPERTIES
    IMPORTED_LOCATION ${RocksDB_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${RocksDB_INCLUDE_DIR})
endif()
