import Signalbox
import SignalboxTesting

typealias DeskTest = TestStore<Desk, Job>

/// Leaves the main actor and returns, so that work can wait without a clock.
@concurrent func elsewhere() async { doNothing() }

// Without a call, the compiler finds nothing to do elsewhere, and the function stays where it is.
@inline(never) private func doNothing() {}

/// Hops often enough to take a while, without depending on a clock.
func farAway() async { for _ in 0..<20 { await elsewhere() } }
