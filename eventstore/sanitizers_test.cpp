// Not a test: what the sanitizers are to pass over when they watch the tests of this folder.
//
// ThreadSanitizer: the system's RocksDB and LZ4 are not built with it, so it does not see the
// atomics they hand data over with and takes each hand-over for a race. Only reports with one of
// them on a stack are dropped.
// LeakSanitizer: RocksDB 7.8 loses a memtable when it cannot make a new log file, which
// fault_injection_test.cpp sees to.
#if defined(__has_feature)  // clang says it this way
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {  // NOLINT: the name is the sanitizer's
  return "race:librocksdb.so\nrace:liblz4.so\n";
}
#endif
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {  // NOLINT: the name is the sanitizer's
  return "leak:rocksdb::DBImpl::SwitchMemtable\n";
}
#endif
