import Signalbox
import SignalboxTesting
import Testing

@MainActor @Test func recordedTour() async {
  let store = TestStore(
    state: TourState(path: [], desk: .closed, alert: nil),
    interactor: Tour())
  await store.dispatch(.show(picture: 7)) {
    $0.path = [
      .hall(TourState.HallState(visitors: 0)), .picture(TourState.PictureState(id: 7, stars: 0)),
    ]
  }
  await store.child(\.path, at: 0, Hall.self)?.dispatch(2)
  store.expect { $0.path[0] = .hall(TourState.HallState(visitors: 2)) }
  await store.child(\.path, at: 1, Picture.self)?.dispatch(.rate(5))
  store.expect { $0.path[1] = .picture(TourState.PictureState(id: 7, stars: 5)) }
  store.child(\.path, at: 1, Picture.self)?.stars = 4
  await store.dispatch(.open) { $0.desk = .open(TourState.HallState(visitors: 0)) }
  await store.child(case: \.desk, TourState.Desk.open, Hall.self)?.dispatch(3)
  store.expect { $0.desk = .open(TourState.HallState(visitors: 3)) }
  await store.dispatch(.ask) {
    $0.alert = AlertState(
      "Leave?",
      message: "It is raining.",
      buttons: [
        DialogButton("Leave", role: .destructive, action: .leave),
        DialogButton("Stay", role: .cancel),
      ])
  }
  store.alert?.message = nil
  store.alert = nil
  await store.dispatch(.leave) { $0.path = [] }
  await store.finish()
}
