// OpenCombine is Combine for where Combine is not: the same names, signatures and behaviour.
@_exported import OpenCombine
