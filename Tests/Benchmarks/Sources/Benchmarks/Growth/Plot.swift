import Foundation

/// Draws lines over two logarithmic axes, as a self-contained SVG.
@MainActor struct Plot {
  private let measured: Curve.Measured
  private let width = 860.0
  private let height = 420.0
  private let left = 70.0
  private let right = 250.0
  private let top = 44.0
  private let bottom = 52.0
  private let sizes: ClosedRange<Double>
  private let times: ClosedRange<Double>

  init(_ measured: Curve.Measured) {
    self.measured = measured
    let points = measured.times.flatMap { $0 }
    let x = points.map { log10(Double($0.size)) }
    let y = points.map { log10($0.time) }
    sizes = (x.min() ?? 0)...(x.max() ?? 1)
    // The range consists of whole powers of ten, and each of them has a grid line.
    times = (y.min() ?? 0).rounded(.down)...(y.max() ?? 1).rounded(.up)
  }

  var svg: String {
    let body = frame + ticks + lines + labels
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
      width="\(Int(width))" height="\(Int(height))" role="img" font-family="sans-serif" \
      font-size="12">
      <title>\(escaped(measured.curve.title))</title>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  // MARK: - Places

  private func x(_ logarithm: Double) -> Double {
    let share = (logarithm - sizes.lowerBound) / max(0.01, sizes.upperBound - sizes.lowerBound)
    return left + share * (width - left - right)
  }

  private func y(_ logarithm: Double) -> Double {
    let share = (logarithm - times.lowerBound) / max(0.01, times.upperBound - times.lowerBound)
    return height - bottom - share * (height - top - bottom)
  }

  // MARK: - Parts

  private var frame: [String] {
    [
      // The background is opaque, because the text would be invisible on a dark page.
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      text(measured.curve.title, left, 24, "font-size=\"15\" font-weight=\"bold\""),
      text(
        measured.curve.axis, (left + width - right) / 2, height - 12, "text-anchor=\"middle\""),
    ]
  }

  private var ticks: [String] {
    var ticks: [String] = []
    for size in measured.curve.sizes {
      let x = x(log10(Double(size)))
      ticks.append(line(x, top, x, height - bottom))
      ticks.append(text(Format.count(size), x, height - bottom + 18, "text-anchor=\"middle\""))
    }
    for power in stride(from: times.lowerBound, through: times.upperBound, by: 1) {
      ticks += tick(at: pow(10, power))
      // A range of less than two powers of ten has too few grid lines, so it gets more.
      if times.upperBound - times.lowerBound < 2, power < times.upperBound {
        ticks += tick(at: 2 * pow(10, power)) + tick(at: 5 * pow(10, power))
      }
    }
    return ticks
  }

  private func tick(at time: Double) -> [String] {
    let y = y(log10(time))
    return [
      line(left, y, width - right, y),
      text(Format.time(time), left - 8, y + 4, "text-anchor=\"end\""),
    ]
  }

  private var lines: [String] {
    zip(measured.times, styles).flatMap { points, style in
      let places = points.map { (x: x(log10(Double($0.size))), y: y(log10($0.time))) }
      let path = places.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
      let dots = places.map {
        "<circle cx=\"\(short($0.x))\" cy=\"\(short($0.y))\" r=\"3\" fill=\"\(style.colour)\"/>"
      }
      return [
        """
        <polyline points="\(path)" fill="none" stroke="\(style.colour)" stroke-width="2" \
        stroke-dasharray="\(style.dashes)"/>
        """
      ] + dots
    }
  }

  /// The names at the ends of the lines, moved apart so that they do not overlap.
  private var labels: [String] {
    var ends: [(x: Double, y: Double, index: Int)] = []
    for (index, points) in measured.times.enumerated() {
      guard let last = points.last else { continue }
      ends.append((x(log10(Double(last.size))), y(log10(last.time)), index))
    }
    ends.sort { $0.y < $1.y }
    var free = top
    for place in ends.indices {
      ends[place].y = max(ends[place].y, free)
      free = ends[place].y + 16
    }
    // Names that would be below the plot push the names above them up.
    var limit = height - bottom
    for place in ends.indices.reversed() {
      ends[place].y = min(ends[place].y, limit)
      limit = ends[place].y - 16
    }
    return ends.map { end in
      let name = measured.curve.series[end.index].name
      return text(
        name, end.x + 10, end.y + 4, "fill=\"\(styles[end.index].colour)\"")
    }
  }

  // MARK: - Drawing

  /// Colours that color-blind readers can tell apart.
  ///
  /// Our lines are blue, green and purple, peers are orange, and floors are grey.
  private var styles: [(colour: String, dashes: String)] {
    var left: [Curve.Series.Kind: [String]] = [
      .ours: ["#0072b2", "#00815e", "#7a52a8", "#b0447e", "#3b3b98"],
      .peer: ["#c04a00", "#a87000"], .floor: ["#666666"],
    ]
    return measured.curve.series.map { series in
      let colour = left[series.kind]?.first ?? "#666666"
      if let count = left[series.kind]?.count, count > 1 { left[series.kind]?.removeFirst() }
      return (colour, series.kind == .floor ? "5 4" : "none")
    }
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    """
    <line x1="\(short(x1))" y1="\(short(y1))" x2="\(short(x2))" y2="\(short(y2))" \
    stroke="#dddddd"/>
    """
  }

  private func text(_ text: String, _ x: Double, _ y: Double, _ attributes: String) -> String {
    "<text x=\"\(short(x))\" y=\"\(short(y))\" \(attributes)>\(escaped(text))</text>"
  }

  private func short(_ number: Double) -> String { String(format: "%.1f", number) }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
