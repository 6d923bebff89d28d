import Signalbox

/// A state to derive values from.
struct Cart: Equatable {
  var lines = (1...3).map { Line(id: $0, title: "\($0)", price: $0) }
  var note = ""
  var coupon: Int? = nil
  var usesCoupon = false
  var settings = Settings()
  var archive = Archive.large()

  struct Line: Equatable, Identifiable {
    var id: Int
    var title: String
    var price: Int
  }

  struct Settings: Equatable {
    var rate = 2
    var currency = "EUR"
  }
}

/// Derived values of a cart that count their computations.
@MainActor final class CartValues {
  let counter = StateCounter()
  let upperCounter = StateCounter()

  /// The sum of the prices, which reads the lines as a whole.
  private(set) lazy var total = Derived<Cart, Int>("total") { [counter] cart in
    counter.count += 1
    return cart.lines.reduce(0) { $0 + $1.price }
  }

  /// The same, which reads the prices alone.
  private(set) lazy var prices = Derived<Cart, Int>("prices") { [counter] cart in
    counter.count += 1
    return cart.each(\.lines, \.price).reduce(0, +)
  }

  /// Reads the coupon only if it is used.
  private(set) lazy var discount = Derived<Cart, Int>("discount") { [counter] cart in
    counter.count += 1
    return cart.usesCoupon ? cart.coupon ?? 0 : 0
  }

  /// Reads another derived value.
  private(set) lazy var isExpensive = Derived<Cart, Bool>("isExpensive") {
    [upperCounter, total] cart in
    upperCounter.count += 1
    return cart[total] > 10
  }

  private(set) lazy var rate = Derived<Cart.Settings, Int>("rate") { [counter] settings in
    counter.count += 1
    return settings.rate * 10
  }

  /// Reads a derived value of a part.
  private(set) lazy var charge = Derived<Cart, Int>("charge") { [upperCounter, rate] cart in
    upperCounter.count += 1
    return cart.part(\.settings)[rate] + 1
  }
}
