#if canImport(os)
import os
#else
import Foundation
#endif

/// Reports what no recorder or subscriber receives.
///
/// On Apple's systems it is the unified log, because the standard error of an app is lost there.
/// The texts are public in it. No redacted value is in them (D4).
package enum SystemLog {
  #if canImport(os)
  private static let logger = Logger(subsystem: "org.signalbox.Signalbox", category: "Store")
  package static let isStandardError = false
  #else
  package static let isStandardError = true
  #endif

  package static func report(_ text: String) {
    #if canImport(os)
    logger.error("\(text, privacy: .public)")
    #else
    // Not `write(_:)`, which stops the program if standard error is closed or its disk is full.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    #endif
  }
}
