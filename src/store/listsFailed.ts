/** What is kept beside a log can no longer be kept: the log is whole, but whoever reads would be told less than it says. */
export class ListsFailed extends Error {
  override readonly name = 'ListsFailed'
}
