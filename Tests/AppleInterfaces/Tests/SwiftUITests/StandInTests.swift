import SwiftUI
import Testing

/// The stand-in of SwiftUI is unkind where SwiftUI is.
///
/// These tests do not use the library.
@MainActor struct StandInTests {
  @Test("SwiftUI drops a write to a state during an update of views and reports it")
  func writeDuringUpdate() {
    struct Counter: View {
      @State private var count = 0

      var body: some View {
        let _ = increase()
        Text("\(count)")
        Button("Add", action: increase)
      }

      private func increase() { count += 1 }
    }
    let host = Host(Counter())
    #expect(host.texts == ["0"])
    #expect(host.faults.count == 1)
    host.tap("Add")
    host.update()
    #expect(host.texts == ["1"])
  }

  @Test("SwiftUI caches the value of a binding, except for the view that has it as a property")
  func cachedBinding() {
    struct Captured: View {
      @State private var drawings = 1
      let value: () -> Int

      var body: some View {
        Text("\(drawings): \(value())")
        Button("Captured") { drawings += 1 }
      }
    }
    struct Installed: View {
      @State private var drawings = 1
      @Binding var value: Int

      var body: some View {
        Text("\(drawings): \(value)")
        Button("Installed") { drawings += 1 }
      }
    }
    struct Parent: View {
      let number: Number

      var body: some View {
        let value = Binding(get: { number.value }, set: { number.value = $0 })
        Captured(value: { value.wrappedValue })
        Installed(value: value)
      }
    }
    let number = Number()
    let host = Host(Parent(number: number))
    number.value = 1
    host.tap("Captured")
    host.tap("Installed")
    host.update()
    #expect(host.texts == ["2: 0", "2: 1"])
  }

  @Test("SwiftUI merges a transaction with those around it, and tasks do not inherit it")
  func transactions() async {
    struct Switch: View {
      @State private var isOn = false

      var body: some View {
        Text("\(isOn)")
        Toggle("Switch", isOn: $isOn)
      }
    }
    let host = Host(Switch())
    let isOn = host.toggle("Switch")
    withAnimation(.bouncy) { withTransaction(Transaction()) { isOn?.wrappedValue = true } }
    #expect(host.update() == [.bouncy])
    withAnimation(.bouncy) {
      withTransaction(Transaction(animation: nil)) { isOn?.wrappedValue = false }
    }
    #expect(host.update() == [nil])
    await withAnimation(.bouncy) { Task { isOn?.wrappedValue = true } }.value
    #expect(host.update() == [nil])
  }

  @Test("SwiftUI skips a view whose properties are the same, and a binding of closures never is")
  func skippedViews() {
    struct Field: View {
      @Binding var text: String
      let drawn: Tally

      var body: some View {
        let _ = drawn.increase()
        TextField("", text: $text)
      }
    }
    struct Form: View {
      @State private var count = 0
      @State private var text = ""
      let name: Name
      let drawn: [Tally]

      var body: some View {
        Field(text: $text, drawn: drawn[0])
        Field(text: Bindable(name).text, drawn: drawn[1])
        Field(text: Binding(get: { text }, set: { text = $0 }), drawn: drawn[2])
        Button("Add \(count)") { count += 1 }
      }
    }
    let drawn = (0..<3).map { _ in Tally() }
    let name = Name()
    let host = Host(Form(name: name, drawn: drawn))
    host.tap("Add 0")
    host.update()
    #expect(drawn.map(\.count) == [1, 1, 2])
    name.text = "new"
    host.update()
    #expect(drawn.map(\.count) == [1, 2, 3])
  }

  @ViewBuilder private nonisolated func pair(_ first: Text, _ second: Text?) -> some View {
    first
    if let second { second }
  }

  @Test("SwiftUI's ViewBuilder is not isolated")
  func viewBuilder() {
    #expect(Host(pair(Text("a"), Text("b"))).texts == ["a", "b"])
  }
}

private final class Number {
  var value = 0
}

@Observable private final class Name {
  var text = ""
}
