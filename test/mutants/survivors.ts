// Drawn mistakes that the suite does not notice, and why that is right. Whatever is drawn and is not here must be noticed.

export interface Survivor {
  readonly file: string
  /** The line as it stands and with the mistake, as `npm run mutation` prints them. */
  readonly before: string
  readonly after: string
  readonly why: string
}

/** One line of a file and some of the mistakes in it. */
const kept = (file: string, before: string, why: string, ...afters: readonly string[]): Survivor[] =>
  afters.map((after) => ({ file, before, after, why }))

export const SURVIVORS: readonly Survivor[] = [
  ...kept(
    'src/quantity/rounding.ts',
    'return a >= 0n ? a / b : -((b - 1n - a) / b)',
    'both branches give 0 for 0',
    'return a >= 1n ? a / b : -((b - 1n - a) / b)',
    'return a > 0n ? a / b : -((b - 1n - a) / b)',
  ),
]
