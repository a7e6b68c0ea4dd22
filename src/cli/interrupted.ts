/** Long work that is interrupted says what is left of it. */
import type { CountedProgress } from './progress.ts'

/** Where what has run is kept, and the option that says so. */
interface Keeping {
  readonly option: string
  readonly place: string | undefined
  readonly progress: CountedProgress
}

/** Does the work; Ctrl-C ends the program with 130, as it does without, and says how to go on. */
export async function toldWhenInterrupted<T>(
  { option, place, progress }: Keeping,
  work: () => Promise<T>,
): Promise<T> {
  const end = () => {
    progress.end()
    const kept =
      place === undefined
        ? `nothing is kept (${option} keeps what has run)`
        : `what has run is in ${place}, and the same command goes on with it`
    process.stderr.write(`interrupted: ${kept}\n`)
    process.exit(130)
  }
  process.once('SIGINT', end)
  try {
    return await work()
  } finally {
    process.off('SIGINT', end)
  }
}
