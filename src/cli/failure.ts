/** How the command line says that something went wrong: one line on stderr, never a stack trace, and an exit code. */

/** A mistake of the person at the command line: a bad option, a file that cannot be read. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** All that is wrong with what was typed, a line each; `false` is nothing. */
export function allOf(...faults: readonly (string | false)[]): UsageError {
  return new UsageError(faults.filter((fault) => fault !== false).join('\nerror: '))
}

/**
 * Runs a command; expected failures end it with their message and `code`, anything else with 1. A command that is told its work
 * by a file and its surroundings, not by its options, ends with 1 for them too.
 */
export async function reportFailure(command: () => Promise<void>, code: 1 | 2 = 2): Promise<void> {
  try {
    await command()
  } catch (error) {
    const { name, message } = told(error)
    const expected = EXPECTED.has(name)
    process.stderr.write(
      `error: ${expected || process.env.DEBUG === undefined ? message : (error as Error).stack}\n`,
    )
    process.exitCode = expected ? code : 1
  }
}

/** Whoever reads an output may have seen enough (`| head`); what is being saved, or traded, goes on. */
export function outlivesReader(output: NodeJS.EventEmitter): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** A package that is not installed is told with what installs it. */
function told(error: unknown): Pick<Error, 'name' | 'message'> {
  if (!(error instanceof Error)) return { name: '', message: String(error) }
  const [, missing] = /^Cannot find package '([^']+)' imported from/.exec(error.message) ?? []
  return missing === undefined ? error : missingPackages(missing)
}

/** @param names of packages that the work at hand needs. */
export function missingPackages(...names: readonly string[]): UsageError {
  const [which, are] =
    names.length === 1 ? [`the package ${names[0]}`, 'is'] : [`the packages ${names.join(', ')}`, 'are']
  return new UsageError(`${which} ${are} not installed: npm install ${names.join(' ')}`)
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
  'StudyError',
  'StrategyError',
  'ObjectiveError',
  'StrategyFailure',
  'LearningFailure',
  'KeptModelError',
  'SavedReportError',
  'NoRegularFile',
  'ResultFileError',
  'LiveError',
  'JournalError',
  'LogBehind',
  'NotAskable',
  'NoAnswer',
])
