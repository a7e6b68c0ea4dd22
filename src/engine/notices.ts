/** What an operator may want to know and nothing depends on. */

/** Takes a notice, a sentence. */
export type Notify = (notice: string) => void

/** The listener of an embedding program, which may throw or reject without anything happening to the engine. */
export function carefully(onNotice: (notice: string) => unknown = () => {}): Notify {
  return (notice) => {
    try {
      whenRejected(onNotice(notice), () => {})
    } catch {
      // There is nobody left to tell.
    }
  }
}

/** An error in a line, with what caused it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}

/** Hears of a promise that rejects. */
export function whenRejected(result: unknown, rejected: (error: unknown) => void): void {
  if (typeof result === 'object' && result !== null && 'then' in result)
    Promise.resolve(result).catch(rejected)
}
