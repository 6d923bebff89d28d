import RandomPrograms
import Signalbox

/// A state whose changes are of all kinds.
struct Kiosk: Equatable {
  struct Item: Identifiable, Hashable {
    var id: Int
    var name: String
    var price: Double?
  }

  enum Door: Hashable {
    case open
    case closed(until: Int, String)
  }

  /// Tickets with one `id` look the same.
  struct Ticket: Hashable {
    var id: Int
    @Redacted var secret = 0
  }

  final class Guest: Hashable {
    var visits = 0

    static func == (left: Guest, right: Guest) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  var text = String(repeating: "👩‍🚀 a ", count: 20)
  var items: [Item] = []
  var slice: ArraySlice<Int> = []
  var byName: [String: Item] = [:]
  var byTicket: [Ticket: Item] = [:]
  var tags: Set<String> = []
  var tickets: Set<Ticket> = []
  var guests: Set<Guest> = []
  var door = Door.open
  var maybe: Int??

  mutating func change(_ random: inout SeededRandom, _ guests: [Guest]) {
    for guest in guests { guest.visits = random.below(3) }
    let item = Item(id: random.below(6), name: random.pick(["a", "<b>", "\"\\"]))
    let ticket = Ticket(id: random.below(2), secret: random.below(3))
    switch random.below(11) {
    case 0:
      let place = text.index(text.startIndex, offsetBy: random.below(text.count))
      text.insert(contentsOf: random.pick(["🦁", "e\u{301}", "x"]), at: place)
    case 1: items.shuffle(using: &random)
    case 2: if !items.isEmpty { items[random.below(items.count)].price = random.pick([nil, 0.5]) }
    case 3:
      items.removeAll { $0.id == item.id }
      items.insert(item, at: random.below(items.count + 1))
    case 4: slice.insert(random.below(3), at: slice.startIndex + random.below(slice.count + 1))
    case 5: byName[item.name] = random.oneIn(3) ? nil : item
    case 6: byTicket[ticket] = random.oneIn(3) ? nil : item
    case 7: tags.formSymmetricDifference([item.name, random.pick(["a", "c"])])
    case 8: tickets.formSymmetricDifference([ticket, Ticket(id: ticket.id, secret: 9)])
    case 9: self.guests.formSymmetricDifference([random.pick(guests)])
    default:
      door = random.pick([.open, .closed(until: random.below(3), item.name)])
      maybe = random.pick([nil, .some(nil), 1])
    }
  }
}
