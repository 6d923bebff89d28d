import Signalbox

/// A tour with screens and a question.
struct TourState: Equatable, Sendable {
  enum Screen: Equatable, Sendable {
    case hall(HallState)
    case picture(PictureState)
  }

  struct HallState: Equatable, Sendable { var visitors = 0 }
  struct PictureState: Equatable, Identifiable, Sendable {
    var id: Int
    var stars = 0
  }

  enum Desk: Equatable, Sendable {
    case closed
    case open(HallState)
  }

  var path: [Screen] = []
  var desk = Desk.closed
  var alert: AlertState<TourAction>?
}

enum TourAction: Equatable, Sendable {
  case show(picture: Int)
  case open
  case ask
  case leave
}

struct Tour: Interactor {
  func children(of store: MutatingStore<TourState, TourAction>) -> Children<TourState> {
    Each(\.path) {
      Case(TourState.Screen.hall) { Hall() }
      Case(TourState.Screen.picture) { Picture() }
    }
    Child(case: \.desk, TourState.Desk.open) { Hall() }
  }

  func onAction(_ action: TourAction, store: MutatingStore<TourState, TourAction>) {
    switch action {
    case .show(let id):
      store.path = [.hall(TourState.HallState()), .picture(TourState.PictureState(id: id))]
    case .open: store.desk = .open(TourState.HallState())
    case .ask:
      store.alert = AlertState(
        "Leave?", message: "It is raining.",
        buttons: [.init("Leave", role: .destructive, action: .leave), .init("Stay", role: .cancel)])
    case .leave: store.path = []
    }
  }
}

struct Hall: Interactor {
  func onAction(
    _ visitors: Int, store: MutatingStore<TourState.HallState, Int>
  ) { store.visitors += visitors }
}

enum PictureAction: Equatable, Sendable { case rate(Int) }

struct Picture: Interactor {
  func onAction(
    _ action: PictureAction, store: MutatingStore<TourState.PictureState, PictureAction>
  ) {
    switch action {
    case .rate(let stars): store.stars = stars
    }
  }
}
