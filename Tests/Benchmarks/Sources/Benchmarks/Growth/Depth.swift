import Signalbox

extension Growth {
  static let depth = Curve(
    name: "depth", title: "A child at a property changes", axis: "depth of the child",
    sizes: [1, 4, 16],
    series: [
      Curve.Series("a write, one observer", .ours) { Features.deep($0).write },
      Curve.Series("an append, one observer, and a removal", .ours) { Features.deep($0).append },
      Curve.Series("an action", .ours) { Features.deep($0).dispatch },
      Curve.Series("a write in the root, one observer", .floor) { _ in Features.deep(0).write },
      Curve.Series("an append in the root, and a removal", .floor) { _ in
        Features.deep(0).append
      },
      Curve.Series("an action of the root", .floor) { _ in Features.deep(0).dispatch },
    ])

  static let siblings = Curve(
    name: "siblings", title: "A child in a collection changes", axis: "siblings",
    sizes: [10, 100, 1_000, 10_000],
    series: [
      Curve.Series("a write in an element of an array, one observer", .ours) {
        Features.element(beside: $0).write
      },
      Curve.Series("the same in a value of a dictionary", .ours) {
        Features.value(beside: $0).write
      },
      Curve.Series("an append in an element, one observer, and a removal", .ours) {
        Features.element(beside: $0).append
      },
      Curve.Series("an action of an element", .ours) { Features.element(beside: $0).dispatch },
      Curve.Series("a write in the root, one observer", .floor) { _ in Features.deep(0).write },
    ])

  static let rows = Curve(
    name: "rows", title: "Rows that are children and that nothing uses", axis: "rows",
    sizes: [10, 100, 1_000, 10_000],
    series: [
      Curve.Series("a store of them is made and released", .ours, ChildRows.made),
      Curve.Series("the bare array is made and released", .floor, ChildRows.arrayMade),
      Curve.Series("one is appended, and removed again", .ours) { ChildRows.appending(to: $0) },
      Curve.Series("the same with the bare array", .floor) {
        ChildRows.appendingToArray(of: $0)
      },
      Curve.Series("one is removed from the middle, and inserted again", .ours) {
        ChildRows.removing(from: $0)
      },
      Curve.Series("the same with the bare array again", .floor) {
        ChildRows.removingFromArray(of: $0)
      },
    ])

  static let live = Curve(
    name: "live", title: "Rows that are live children", axis: "rows",
    sizes: [10, 100, 1_000, 10_000],
    series: [
      Curve.Series("one is appended, and removed again", .ours) { LiveRows.rows($0).append },
      Curve.Series("the parent writes in one", .ours) { LiveRows.rows($0).write },
    ])
}
