import Foundation

#if os(WASI)
#error("SignalboxSources needs Dispatch and processes, which WebAssembly does not have.")
#endif

/// The error of a failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  let code: Int32

  static var last: SystemError { SystemError(code: errno) }

  package var description: String { unsafe String(cString: strerror(code)) }
}
