import Signalbox
