/// A property that a piece of work keeps true until the work is over (A13).
struct Mark: Hashable {
  let home: ObjectIdentifier
  let path: AnyHashable
}
