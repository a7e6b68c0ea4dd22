/** The strategies there are to choose from, and what each declares of its parameters. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { STRATEGY_NAMES, type StrategyKind, strategyKind } from '../backtest/strategies/catalogue.ts'
import { isScript } from '../backtest/strategies/importFile.ts'
import { rangeInWords } from '../backtest/strategies/parameters.ts'
import { type FolderFiles, inFolder } from './folderFiles.ts'
import type { Program } from './jobs.ts'
import { environmentFor } from './venueKeys.ts'

interface DescribedParameter {
  readonly name: string
  readonly about: string
  readonly usual: string
  /** What it takes, in words. */
  readonly range: string
  /** Where good values are looked for, as `--space` has it; `''` where it is not said. */
  readonly search: string
  /** All there are; none where they are not listed. */
  readonly values: readonly string[]
}

export interface DescribedStrategy {
  readonly name: string
  /** Null where it declares none, and takes any. */
  readonly parameters: readonly DescribedParameter[] | null
  /** `fast<slow` */
  readonly constraints: readonly string[]
}

const LARGEST_SCRIPT = 512 * 1024
/** A file that does not come to an end when it is loaded, ms. */
const PATIENCE_MS = 30_000
const run = promisify(execFile)

export function described({ name, parameters, constraints }: StrategyKind): DescribedStrategy {
  return {
    name,
    parameters:
      parameters === null
        ? null
        : Object.entries(parameters).map(([parameter, declared]) => ({
            name: parameter,
            about: declared.about ?? '',
            usual: String(declared.default),
            range: rangeInWords(declared),
            search: declared.search ?? '',
            values: (declared.values ?? []).map(String),
          })),
    constraints: constraints.map(({ text }) => text),
  }
}

/** Names of the package's strategies, and the scripts of a folder that have a default export. */
export async function strategiesIn(home: string, { folders }: FolderFiles): Promise<string[]> {
  const scripts = [...folders].flatMap(([at, names]) =>
    names
      .filter((name) => isScript(name) && !/\.(?:test|d)\.m?[jt]s$/.test(name))
      .map((name) => inFolder(at, name)),
  )
  const texts = await Promise.all(
    scripts.map((file) => readFile(path.join(home, file), 'utf8').catch(() => '')),
  )
  const own = scripts.filter((_, index) => {
    const text = texts[index] as string
    return text.length <= LARGEST_SCRIPT && /^\s*export\s+(?:default\b|\{[^}]*\bdefault\b)/m.test(text)
  })
  return [...STRATEGY_NAMES, ...own.map(asTyped)]
}

/** A file as it is typed, so that it is not taken for a name. */
function asTyped(file: string): string {
  return file.includes('/') ? file : `./${file}`
}

/**
 * What a strategy declares. A file runs when it is loaded: in a process of its own, as it does when it is chosen on the command line.
 *
 * @throws Error with what the process said of a file that is none.
 */
export async function describe(named: string, program: Program, home: string): Promise<DescribedStrategy> {
  const known = strategyKind(named)
  if (known !== undefined) return described(known)
  try {
    const { stdout } = await run(program.file, [...program.words, 'workbench', '--describe', named], {
      cwd: home,
      env: environmentFor({ trades: false }),
      timeout: PATIENCE_MS,
      windowsHide: true,
    })
    return JSON.parse(stdout) as DescribedStrategy
  } catch (error) {
    const { stderr = '', killed } = error as { readonly stderr?: string; readonly killed?: boolean }
    const [, said] = /^error: (.+)$/m.exec(stderr) ?? []
    const why = killed === true ? 'it takes longer to load than half a minute' : 'it cannot be loaded'
    throw new Error(said ?? `${named}: ${why}`, { cause: error })
  }
}
