/// The errors of a room, each with the sentence that is shown to the user.
enum RoomError: Error, Equatable, CustomStringConvertible {
  case unknownHost(String, String)
  case notOpen(Address)
  case unreachable(Address, String)
  case cannotOpen(Address, String)
  case alreadyOpen(Address)
  case notARoom(Address)
  case noGreeting(Address)
  case otherVersion(Address, String)
  case refused(String)
  case gone(Address)
  case silent(Address)
  case nameInUse(String, Address)
  case notJoined
  case tooLong(bytes: Int)
  case closing

  var description: String {
    switch self {
    case .unknownHost(let host, let reason):
      "The host \(host) cannot be found: \(reason)."
    case .notOpen(let address):
      "There is no open room at \(address)."
    case .unreachable(let address, let reason):
      "The room at \(address) cannot be reached: \(reason)."
    case .cannotOpen(let address, let reason):
      "A room cannot be opened at \(address): \(reason)."
    case .alreadyOpen(let address):
      "A room is already open at \(address)."
    case .notARoom(let address):
      "Port \(address.port) of \(address.host) is in use by something that is not a chat room."
    case .noGreeting(let address):
      "Port \(address.port) of \(address.host) is in use by something that sends no greeting. "
        + "It is not a chat room, or it hangs."
    case .otherVersion(let address, let version):
      "The room at \(address) uses another version of the protocol (\(version))."
    case .refused(let reason):
      "The room says: \(reason)"
    case .gone(let address):
      "The room at \(address) is gone."
    case .silent(let address):
      "The room at \(address) does not answer."
    case .nameInUse(let name, let address):
      "On this machine, \(name) is already in the room at \(address). Choose another --name."
    case .notJoined:
      "There is no connection to the room."
    case .tooLong(let bytes):
      "A message can have at most \(Wire.textLimit) bytes, and this one has \(bytes)."
    case .closing:
      "The chat is being closed."
    }
  }
}
