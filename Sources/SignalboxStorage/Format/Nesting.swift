import Foundation

/// How deep values may be nested, and the stack that this needs.
///
/// An encoder calls itself for each level, so a value nested too deep would end the process. So an
/// encoder that stops counts the levels first, on a stack of a known size. `JSONDecoder` refuses
/// more than 512 levels anyway.
enum Nesting {
  /// The levels of values and of the containers within one.
  static let limit = 500
  /// In bytes: 32 KB for each level.
  private static let stack = limit * 32 << 10
  /// The number of levels up to which values are decoded and encoded on any stack.
  private static let shallow = 4

  /// - Parameter name: begins the coding path, as in the encoder of the file.
  /// - Throws: `Mistake` if a value is nested too deep, and what its encoding throws.
  static func check(_ value: some Encodable, at name: String? = nil) throws {
    let path = name.map { [Name(stringValue: $0)] } ?? []
    try Counter<Name>(depth: 0, codingPath: path).enter(value)
  }

  /// Runs a body on a thread of its own, and waits for it.
  static func withStack<R>(_ body: () throws -> R) throws -> R {
    nonisolated(unsafe) var result: Result<R, any Error>?
    withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) var call: (() throws -> R)? = body
      let end = DispatchSemaphore(value: 0)
      let thread = Thread {
        unsafe result = unsafe call.map { body in Result(catching: body) }
        // The system releases the thread later, and what the body holds would be copied meanwhile.
        unsafe call = nil
        end.signal()
      }
      thread.stackSize = stack
      thread.start()
      end.wait()
    }
    guard let result = unsafe result else { throw Mistake("No thread could be started.") }
    return try result.get()
  }

  // To start a thread for one value takes longer than to decode a small one.
  static func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
    let body = { try SavedFormat.decode(type, from: json) }
    return try JSONScanner.isDeep(json, limit: shallow) ? withStack(body) : body()
  }

  static func encode(_ value: some Encodable) throws -> Data {
    let counter = Counter<Name>(depth: limit - shallow, codingPath: [])
    if (try? counter.enter(value)) != nil { return try SavedFormat.encoder.encode(value) }
    return try withStack { try SavedFormat.encode(value) }
  }

  /// The types that `JSONEncoder` writes without a call of `encode(to:)`, and arrays of them.
  private static let leaves = Set(
    [
      Bool.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self,
      Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
      UInt128.self, Data.self, Date.self, Decimal.self, URL.self, [Int].self, [Double].self,
      [String].self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })

  /// An encoder that writes nothing, and throws when the levels are too many.
  private struct Counter<Key: CodingKey>: Encoder, SingleValueEncodingContainer,
    UnkeyedEncodingContainer, KeyedEncodingContainerProtocol
  {
    let depth: Int
    let codingPath: [any CodingKey]
    private(set) var count = 0
    var userInfo: [CodingUserInfoKey: Any] { SavedFormat.userInfo }

    func enter<T: Encodable>(_ value: T) throws {
      if depth <= limit, leaves.contains(ObjectIdentifier(T.self)) { return }
      guard depth < limit else {
        throw Mistake("A value is nested in more than \(limit) levels.")
      }
      try value.encode(to: inner)
    }

    func container<Other>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> {
      KeyedEncodingContainer(Counter<Other>(depth: depth, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      Counter(depth: depth, codingPath: codingPath)
    }
    private var inner: Self { Counter(depth: depth + 1, codingPath: codingPath) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    mutating func encodeNil() { count += 1 }

    mutating func encode<T: Encodable>(_ value: T) throws {
      count += 1
      try enter(value)
    }

    mutating func nestedContainer<Other>(
      keyedBy type: Other.Type
    ) -> KeyedEncodingContainer<Other> {
      count += 1
      return inner.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      count += 1
      return inner
    }

    func superEncoder() -> any Encoder { inner }

    func encodeNil(forKey key: Key) {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try enter(value) }

    func nestedContainer<Other>(
      keyedBy type: Other.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Other> { inner.container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedEncodingContainer { inner }
    func superEncoder(forKey key: Key) -> any Encoder { inner }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
