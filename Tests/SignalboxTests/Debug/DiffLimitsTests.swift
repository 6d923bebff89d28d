import Signalbox
import Testing

/// Tests what a diff leaves out because of its limits or because it is redacted.
struct DiffLimitsTests: DiffReading {
  @Test("D3 cyclic objects are compared, and each change in them is shown once")
  func cycles() {
    func ring(_ last: Int) -> Chain {
      let ring = Chain(1, Chain(last, nil))
      ring.next?.next = ring
      return ring
    }
    let rings = [ring(2), ring(2), ring(3)]
    #expect(tree(rings[0], rings[1]) == nil)
    #expect(paths(rings[0], rings[2]) == ["next.value: 2 → 3"])
    for ring in rings { ring.next = nil }
  }

  @Test("D3 ten thousand levels are compared without a stack overflow")
  func deep() {
    let old = Deep.make(10_000, leaf: 1)
    let new = Deep.make(10_000, leaf: 2)
    #expect(tree(old, old) == nil)
    #expect(tree(old, Deep.make(10_000, leaf: 1)) == nil)
    let lines = tree(old, new)?.split(separator: "\n") ?? []
    #expect(lines.count <= 200 && lines.contains { $0.contains("more)") })
    // Without limits, each level is asked whether it is equal, which compares all that are below it.
    let paths = paths(Deep.make(2_000, leaf: 1), Deep.make(2_000, leaf: 2), .unlimited)
    #expect(paths?.first?.hasSuffix(".leaf: 1 → 2") == true)
    func nested(_ leaf: Any) -> Any { (0..<10_000).reduce(leaf) { inner, _ in [inner] } }
    #expect(tree(nested(1), nested(1)) == nil)
    #expect(tree(nested(1), nested(2)) != nil)
    #expect(Dump.string(of: nested(1)).contains("1 more"))
    func chain(_ last: Int) -> Chain { (0..<10_000).reduce(Chain(last, nil)) { Chain($1, $0) } }
    let chains = [chain(1), chain(1), chain(2)]
    #expect(tree(chains[0], chains[1]) == nil)
    #expect(self.paths(chains[0], chains[2], .unlimited)?.count == 1)
    for chain in chains { chain.takeApart() }
  }

  @Test("D3 a diff stays within its limits and counts what it leaves out")
  func limits() {
    let old = Array(0..<1_000)
    let new = old.map { -$0 - 1 }
    #expect(
      tree(old, new, Limits(lines: 5)) == """
          [
        -   [0]: 0
        +   [0]: -1
            … 999 more
          ]
        """)
    #expect(paths(old, new, Limits(lines: 2)) == ["[0]: 0 → -1", "… 999 more"])
    #expect(tree(Wide(), Wide(a: 1), Limits(lines: 1)) == "  Wide(… 20 more)")
    #expect(
      tree([[[1]]], [[[2]]], Limits(depth: 1)) == """
          [
            [0]: [… 1 more]
          ]
        """)
  }

  @Test("D4 a diff says that a redacted value has changed, but not how")
  func redacted() {
    var new = Session()
    new.token = "other"
    #expect(
      tree(Session(), new) == """
          Session(
        -   token: <redacted>
        +   token: <redacted>
            … 1 unchanged
          )
        """)
    #expect(paths(Session(), new) == ["token: <redacted> → <redacted>"])
    #expect(tree(Redacted(wrappedValue: Holder()), Redacted(wrappedValue: Holder())) == nil)
    #expect(
      paths(Redacted(wrappedValue: Holder()), Redacted(wrappedValue: Holder(inner: Inner())))
        == ["<redacted> → <redacted>"])
    var redaction = Redaction()
    redaction.hide(Session.self, ["user"])
    let diff = Diff(
      from: Session(), to: Session(user: "bob"), limits: .standard, redaction: redaction)
    #expect(diff?.paths == ["user: <redacted> → <redacted>"])
  }

  @Test("D3 objects that all refer to one another are compared once each", .timeLimit(.minutes(60)))
  func graph() {
    final class Node {
      var others: [Node] = []
      var value = 0
    }
    func graph(_ last: Int) -> [Node] {
      let nodes = (0..<3_000).map { _ in Node() }
      for (i, node) in nodes.enumerated() {
        node.others = (1...5).map { nodes[(i * $0 + 7) % 3_000] }
        node.value = i
      }
      nodes[2_999].value = last
      return nodes
    }
    let graphs = [graph(1), graph(1), graph(2)]
    #expect(tree(graphs[0], graphs[1]) == nil)
    #expect(tree(graphs[0], graphs[2]) != nil)
    for node in graphs.joined() { node.others = [] }
  }
}
