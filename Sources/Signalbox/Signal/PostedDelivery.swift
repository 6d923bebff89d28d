/// Where posted values are delivered.
package enum PostedDelivery {
  /// Whether the task that delivers a post has the task-local values of the task that posts.
  ///
  /// In an exploration, it finds the exploration by them.
  @TaskLocal package static var isPartOfItsTask = false
}
