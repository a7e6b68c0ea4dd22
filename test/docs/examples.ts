/** Runs the TypeScript blocks of a documentation page as one program. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Compared {
  readonly line: string
  readonly actual: string
  readonly expected: string
}

const ROOT = new URL('../../', import.meta.url)

/** The blocks of a page that are TypeScript. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] as string)
}

const PREAMBLE = `
import * as core from '${new URL('src/index.ts', ROOT).href}'
const { createEngine, fp9, formatDecimal: people } = core
const [BTC, ALICE, USER] = [1, 2, 3].map((n) => \`00000000-0000-4000-8000-00000000000\${n}\`)
export const compared = []
const compare = (line, value, expected) => compared.push({ line, actual: String(value), expected })
`

/** Runs all blocks of a page in order; a line ending in `// → x` has its value compared with x. */
export async function runExamples(page: string): Promise<Compared[]> {
  const program = compareStated(blocksOf(page).join('\n'))
  const module = (await runProgram(PREAMBLE + program)) as { compared: Compared[] }
  return module.compared
}

/** A program in which a line that states a value, as in `x // → 1`, has `compare` told of it. */
export function compareStated(program: string): string {
  return program.replaceAll(
    /^(\S.*?) \/\/ → (.*)$/gm,
    (_, expression: string, expected: string) =>
      `compare(${JSON.stringify(expression)}, ${expression}, ${JSON.stringify(expected)})`,
  )
}

/** Runs a program as a module; `margin-core` in it is this project. */
export async function runProgram(program: string): Promise<unknown> {
  const folder = await mkdtemp(join(new URL('test/docs/', ROOT).pathname, '.examples-'))
  try {
    const file = join(folder, 'examples.mts')
    await writeFile(file, program.replaceAll("'margin-core'", `'${new URL('src/index.ts', ROOT).pathname}'`))
    return await import(/* @vite-ignore */ pathToFileURL(file).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
