// The program as it is typed, within the process of the test: starting another costs most tests more than what they ask.

import { programFor } from '../src/cli/program.ts'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

class Exit extends Error {}

type Written = (text: string | Uint8Array) => boolean

/**
 * One at a time in a process: the outputs, the folder and the exit code are all of the process's.
 *
 * @param onPrinted Is told whenever something is printed.
 */
export async function typed(
  words: readonly string[],
  folder = process.cwd(),
  onPrinted: () => void = () => {},
): Promise<Ended> {
  const { exit, exitCode, stdout, stderr } = process
  const [out, err] = [stdout.write, stderr.write]
  const written = { stdout: '', stderr: '' }
  const into = (which: keyof typeof written): Written => {
    return (text) => {
      if (which === 'stdout') onPrinted()
      written[which] += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }
  }
  const before = process.cwd()
  process.chdir(folder)
  process.exitCode = 0
  stdout.write = into('stdout')
  stderr.write = into('stderr')
  process.exit = (code) => {
    process.exitCode = code ?? 0
    throw new Exit()
  }
  try {
    await (await programFor(words)).parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  } finally {
    Object.assign(stdout, { write: out })
    Object.assign(stderr, { write: err })
    process.exit = exit
    process.chdir(before)
  }
  const code = Number(process.exitCode ?? 0)
  process.exitCode = exitCode
  if (code === 0 && words.includes('--json')) mustBeForPrograms(written.stdout)
  return { code, ...written }
}

/** Whatever is printed as JSON is one value, indented by two, with a line's end. */
function mustBeForPrograms(stdout: string): void {
  if (stdout !== `${JSON.stringify(JSON.parse(stdout), null, 2)}\n`)
    throw new Error(`this is not JSON as programs are told it: ${stdout.slice(0, 200)}`)
}
