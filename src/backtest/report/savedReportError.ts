/** A file that holds no report. */
export class SavedReportError extends Error {
  override readonly name = 'SavedReportError'
}
