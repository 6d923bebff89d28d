import Signalbox
import Testing

/// Tests what the report of a stopped loop names.
@MainActor struct LoopReportTests {
  /// Hooks whose writes form a loop.
  private struct Loops: Hookable {
    enum Hook: CaseIterable {
      case ping
      case pong
    }

    let ping: @MainActor (MutatingStore<Room, Never>) -> Subscription
    let pong: @MainActor (MutatingStore<Room, Never>) -> Subscription

    func subscription(for hook: Hook, store: MutatingStore<Room, Never>) -> Subscription {
      switch hook {
      case .ping: ping(store)
      case .pong: pong(store)
      }
    }
  }

  @Test("S17 two hooks that write what the other observes are stopped, and the chain names both")
  func pingPong() throws {
    let store = Store(
      state: Room(),
      hookable: Loops(
        ping: { store in store.publisher.count.sink { store.point.x = $0 + 1 } },
        pong: { store in store.publisher.point.x.sink { store.count = $0 + 1 } }))
    let reports = LoopReports(store)
    let counts = StateRecorder(store.publisher.count)
    let points = StateRecorder(store.publisher.point.x)
    store.binder.count.wrappedValue = 1
    #expect(counts.values == Array(stride(from: 1, through: 99, by: 2)))
    #expect(points.values == Array(stride(from: 2, through: 100, by: 2)))
    #expect(store.count == 101)
    #expect(store.point.x == 100)
    #expect(reports.chains.count == 1)
    let chain = try #require(reports.chains.first)
    #expect(chain.contains("hook ping wrote point"))
    #expect(chain.contains("hook pong wrote count"))
    #expect(chain.count <= 3)
  }

  @Test("S17 the chain names every writer of a loop, even one that alternates between properties")
  func allWriters() throws {
    let store = Store(
      state: Room(),
      hookable: Loops(
        ping: { store in store.publisher.count.sink { _ in store.point.x += 1 } },
        pong: { store in
          store.publisher.point.x.sink {
            if $0 % 3 != 0 { store.point.x += 1 } else { store.count += 1 }
          }
        }))
    let reports = LoopReports(store)
    store.binder.count.wrappedValue = 1
    #expect(
      reports.chains == [
        [
          "hook ping wrote point", "hook pong wrote point",
          "hook pong wrote count",
        ]
      ])
  }

  @Test("S17 the chain names no writer that only led into the loop")
  func leadIn() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    // Writes what it observes three times, and then enters a loop that does not end.
    let lead = rig.store.publisher.level.sink {
      if $0 < 3 { rig.write.level += 1 } else { rig.write.title = "in" }
    }
    let loop = [
      rig.store.publisher.title.sink { _ in rig.write.count += 1 },
      rig.store.publisher.count.sink { rig.write.note = "\($0)" },
      rig.store.publisher.note.sink { _ in rig.write.count += 1 },
    ]
    rig.write.level = 1
    #expect(reports.chains.count == 1)
    let paths = reports.chains.first.map { $0.map { $0.split(separator: " ").last ?? "" } } ?? []
    #expect(Set(paths) == ["count", "note"])
    withExtendedLifetime((lead, loop)) {}
  }

  fileprivate struct Tick { var n = 0 }

  fileprivate struct Ticks {
    var a = Tick()
    var b = Tick()
    var n = 0
  }

  /// Writes the next number whenever another number changes.
  fileprivate struct TickFeature: Interactor {
    enum Hook: CaseIterable { case follow }

    let other: Signal<Int>

    func onAction(_ action: Never, store: MutatingStore<Tick, Never>) {}

    func subscription(for hook: Hook, store: MutatingStore<Tick, Never>) -> Subscription {
      other.sink { store.n = $0 + 1 }
    }
  }

  fileprivate struct TicksFeature: Interactor {
    let followed: KeyPath<Ticks, Int>

    func children(of store: MutatingStore<Ticks, Never>) -> Children<Ticks> {
      Child(\.a) { TickFeature(other: store.publisher[dynamicMember: followed].share()) }
      Child(\.b) { TickFeature(other: store.publisher.a.n.share()) }
    }

    func onAction(_ action: Never, store: MutatingStore<Ticks, Never>) {}

    func subscription(
      for hook: TickFeature.Hook, store: MutatingStore<Ticks, Never>
    ) -> Subscription {
      store.publisher.a.n.sink { store.n = $0 + 1 }
    }
  }

  @Test("S17 the chain tells writers of children apart by their places")
  func children() {
    for (followed, name) in [(\Ticks.b.n, #"\.b: hook follow"#), (\Ticks.n, "hook follow")] {
      let store = Store(state: Ticks(), interactor: TicksFeature(followed: followed))
      let reports = LoopReports(store)
      store.binder.a.n.wrappedValue = 1
      #expect(
        reports.chains.map(Set.init) == [["\(name) wrote n", #"\.a: hook follow wrote n"#]])
    }
  }

  @Test(
    "S17 a loop is reported once, however many of its deliveries are stopped",
    .enabled(if: SystemLog.isStandardError))
  func reportedOnce() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      await LoopReportTests.branchUnwatched()
    }
    let text = result.errorText
    #expect(text.ranges(of: "were stopped").count == 1, "\(text.prefix(1_000))")
  }

  /// Without a subscriber to the events, the store prints the report.
  fileprivate static func branchUnwatched() {
    let rig = StateRig(Room())
    var writes = 0
    let hooks = (1...2).map { _ in
      rig.store.publisher.count.sink { _ in
        writes += 1
        if writes < 50_000 { rig.write.count += 1 }  // ends even if the library does not stop it
      }
    }
    rig.write.count = 1
    withExtendedLifetime(hooks) {}
  }
}
