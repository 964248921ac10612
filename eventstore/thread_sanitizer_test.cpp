// Not a test: what ThreadSanitizer is to pass over when it watches the tests of this folder. The
// system's RocksDB and LZ4 are not built with it, so it does not see the atomics they hand data over
// with and takes each hand-over for a race. Only reports with one of them on a stack are dropped.
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {  // NOLINT: the name is the sanitizer's
  return "race:librocksdb.so\nrace:liblz4.so\n";
}
#endif
