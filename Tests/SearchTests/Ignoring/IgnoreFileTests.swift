import Testing

@testable import Search

/// Examples of what a `.gitignore` file hides.
///
/// A path that ends in a slash is a folder.
struct IgnoreFileTests {
  private func hides(_ file: String, _ path: String) -> Bool? {
    let names = path.split(separator: "/").map { Array($0.utf8) }
    return IgnoreFile(Array(file.utf8)).hides(names[...], isFolder: path.hasSuffix("/"))
  }

  // With its type, because the compiler needs two seconds to find it.
  private static let cases: [(file: String, path: String, hides: Bool?)] = [
    // A name, in any folder.
    ("a.o", "a.o", true), ("a.o", "b/c/a.o", true), ("a.o", "aXo", nil), ("a.o", "a.o.txt", nil),
    ("a.o", "A.O", nil),
    // Folders only.
    ("built/", "built/", true), ("built/", "a/built/", true), ("built/", "built", nil),
    // A slash that is not at the end: only from the folder of the file.
    ("/a", "a", true), ("/a", "b/a", nil), ("a/b", "a/b", true), ("a/b", "c/a/b", nil),
    ("/a/", "a/", true), ("/a/", "b/a/", nil), ("a//b", "a/b", nil), ("/", "a/", nil),
    // Wildcards stand for a part of a name.
    ("*.o", "a.o", true), ("*.o", ".o", true), ("*.o", "b/a.o", true), ("a*c", "abbc", true),
    ("a*c", "ac", true), ("a*c", "abcb", nil), ("*a*b", "xaxbab", true), ("a/*", "a/b", true),
    ("a/*", "a/b/c", nil), ("?", "a", true), ("a?", "a", nil), ("a/?", "a/b", true),
    ("?", "é", nil), ("??", "é", true), ("*", "a/b/c", true),
    // Two stars between slashes stand for any number of folders.
    ("**/a", "a", true), ("**/a", "b/c/a", true), ("a/**", "a/b", true), ("a/**", "a/b/c", true),
    ("a/**", "a/", nil), ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true),
    ("a/**/b", "a/x/y/c", nil), ("a**b", "axxb", true), ("/a**b", "ax/b", nil),
    ("**/", "a/", true), ("**/", "a", nil), ("a/***/b", "a/x/y/b", true),
    // The last line that matches decides.
    ("*.o\n!a.o", "a.o", false), ("*.o\n!a.o", "b.o", true), ("!a.o\n*.o", "a.o", true),
    ("a\n!a/", "a", true), ("a\n!a/", "a/", false), ("!!a", "!a", false),
    // Comments, blanks, and spaces at the end.
    ("# a", "# a", nil), ("\n\na\n", "a", true), ("a  ", "a", true), (" a", "a", nil),
    ("a\r\nb", "a", true), ("\u{FEFF}a", "a", true), (" #a", " #a", true), ("!", "!", nil),
    // What it does not know hides nothing.
    ("[ab]", "a", nil), ("[ab]", "[ab]", nil), ("\\#a", "#a", nil), ("a\\*", "ab", nil),
  ]

  @Test(arguments: cases)
  func `a file hides a path`(file: String, path: String, hides: Bool?) {
    #expect(self.hides(file, path) == hides)
  }

  @Test func `a pattern with many stars takes no time`() {
    let folders = String(repeating: "**/", count: 60)
    let path = String(repeating: "a/", count: 200)
    #expect(hides("\(folders)b", path) == nil)
    #expect(
      hides(String(repeating: "a*", count: 60) + "b", String(repeating: "a", count: 250)) == nil)
  }
}

struct IgnoreRulesTests {
  private func rules(_ files: (folder: String, text: String)..., in folder: String) -> IgnoreRules {
    var rules = IgnoreRules()
    var path = ""
    for name in [""] + folder.split(separator: "/").map(String.init) {
      if !name.isEmpty {
        rules = rules.inside(name)
        path += "\(name)/"
      }
      for file in files where file.folder == path { rules.add(IgnoreFile(Array(file.text.utf8))) }
    }
    return rules
  }

  @Test func `a dot at the start hides, whatever the files say`() {
    #expect(rules(in: "").hides(".git", isFolder: true))
    #expect(rules(("", "!.a"), in: "").hides(".a", isFolder: false))
    #expect(!rules(in: "").hides("a.", isFolder: false))
  }

  @Test func `a file counts in its folder and below, and the nearest one decides`() {
    let rules = rules(("", "/a/b/x\ny\nz"), ("a/", "!y"), ("a/b/", "/y"), in: "a/b")
    #expect(rules.hides("x", isFolder: false))
    #expect(rules.hides("y", isFolder: false))
    #expect(rules.hides("z", isFolder: false))
    #expect(!self.rules(("", "y"), ("a/", "!y"), in: "a/b").hides("y", isFolder: false))
    #expect(!self.rules(("a/", "/x"), in: "a/b").hides("x", isFolder: false))
  }
}
