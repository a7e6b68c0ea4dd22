/** How the command line says that something went wrong: one line on stderr, never a stack trace, and an exit code. */

/** A mistake of the person at the command line: a bad option, a file that cannot be read. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Runs a command; expected failures end it with their message and code 2, anything else with code 1. */
export async function reportFailure(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const missing = missingPackage(error)
    if (missing !== null) {
      process.stderr.write(`error: this needs one more package: npm install ${missing}\n`)
      process.exitCode = 2
      return
    }
    const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
    const expected = EXPECTED.has(name)
    process.stderr.write(
      `error: ${expected || process.env.DEBUG === undefined ? message : (error as Error).stack}\n`,
    )
    process.exitCode = expected ? 2 : 1
  }
}

/** The optional package that an import did not find; null for any other failure. */
export function missingPackage(error: unknown): string | null {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  return isMissing ? (/^Cannot find package '([^']+)'/.exec(error.message)?.[1] ?? null) : null
}

const EXPECTED = new Set([
  'UsageError',
  'FeedError',
  'RangeError',
  'ConfigurationError',
  'DirectoryInUse',
  'StoreDamaged',
  'CommitsArchived',
  'PlanError',
  'StrategyError',
  'StrategyFailure',
  'SavedReportError',
  'ResultFileError',
  'LiveError',
  'LogBehind',
])
