extension SourceChanges {
  package static func mayRunAgain(on actual: Any, after before: Any) -> Bool { true }
  package static func unmet(from before: Any, to wanted: Any, again: Any?, in actual: Any) -> SourceChanges { missing(from: before, to: wanted, in: actual) }
}
package struct ObjectSnapshot { package init?(of value: Any) { return nil }
  package var changedType: String? { nil } }
extension SourceFormatter { package static func code(of value: Any) -> String? { text(of: value) } }
