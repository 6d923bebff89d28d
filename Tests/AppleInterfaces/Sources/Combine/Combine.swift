// OpenCombine has the names, signatures and behaviour of Combine on all platforms.
@_exported import OpenCombine
