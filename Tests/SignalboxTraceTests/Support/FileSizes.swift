import Foundation

/// Limits the size of the files that this process writes.
func limitFileSize(to bytes: Int) {
  var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
  #if os(Linux)
  let size = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
  let size = RLIMIT_FSIZE
  #endif
  _ = unsafe setrlimit(size, &limit)
}
