/// Where posted values are delivered.
package enum PostedDelivery {
  /// Whether the delivering task has the poster's task-local values, which lead to its exploration.
  @TaskLocal package static var isPartOfItsTask = false
}
