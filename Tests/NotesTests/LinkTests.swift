import Foundation
import Testing

@testable import Notes

/// Tests links and the paths that they lead to.
struct LinkTests {
  @Test(
    "N5 a link leads to a path, whose link it is",
    arguments: [
      "notes://", "notes://note/3", "notes://note/12", "notes://note/3/attachment/1",
      "notes://note/12/attachment/20",
    ])
  func linkToPath(text: String) throws {
    let link = try #require(URL(string: text))
    let path = try #require([Screen](url: link))
    #expect(path.url == link)
  }

  @Test(
    "N5 a path that has a link is the one that the link leads to",
    arguments: [
      [], [Screen.note(3)], [.note(3), .attachment(note: 3, 1)],
      [.note(12), .attachment(note: 12, 20)],
    ])
  func pathToLink(path: [Screen]) throws {
    let link = try #require(path.url)
    #expect([Screen](url: link) == path)
  }

  @Test(arguments: [
    "note/3", "notes:", "notes:///", "notes://note", "notes://note/", "notes://note/3/",
    "notes://note/03", "notes://note/+3", "notes://note/three", "notes://list/3",
    "notes://note/3/attachment", "notes://note/3/attachments/1", "notes://note/3/attachment/1/",
    "notes://note/3/attachment/1/note/4", "notes://note/3?mode=edit", "notes://note/3#end",
    "https://note/3", "notes://note/99999999999999999999", "notes://note/%33",
    "NOTES://note/3", "notes://note//3", "notes://me@note/3", "notes://note:80/3", "notes://note/٣",
    "notes://note/3%00",
  ])
  func `what is spelled otherwise leads nowhere`(text: String) throws {
    #expect([Screen](url: try #require(URL(string: text))) == nil)
  }

  @Test(arguments: [
    [Screen.attachment(note: 3, 1)], [.note(3), .note(4)], [.note(3), .attachment(note: 4, 1)],
    [.note(3), .attachment(note: 3, 1), .attachment(note: 3, 2)],
  ])
  func `other paths have no link`(path: [Screen]) {
    #expect(path.url == nil)
  }
}

extension Screen {
  static func attachment(note: Note.ID, _ number: Int) -> Screen {
    .attachment(AttachedFile(id: AttachedFile.ID(note: note, number: number)))
  }
}
