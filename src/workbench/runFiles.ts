/** Files of JSON in a folder that a command takes: runs (`--config`) and rules of accounts (`--rules`). */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { readRuleSet } from '../backtest/evaluate/rules.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { readPlan } from '../backtest/plan/readPlan.ts'
import { type FolderFiles, inFolder } from './folderFiles.ts'

/** What a run file says that the form shows. */
export interface RunFile {
  readonly place: string
  readonly strategy: string
  readonly markets: readonly string[]
  readonly parameters: Readonly<Record<string, string>>
}

export interface RunFiles {
  readonly runs: readonly RunFile[]
  /** Places of files of rules. */
  readonly rules: readonly string[]
}

const LARGEST = 256 * 1024
const LEFT_OUT = new Set(['package.json', 'package-lock.json', 'result.json', 'study.json'])

export async function runFilesIn(home: string, { folders }: FolderFiles): Promise<RunFiles> {
  const places = [...folders].flatMap(([at, names]) =>
    names
      .filter((name) => name.endsWith('.json') && !LEFT_OUT.has(name) && !name.startsWith('tsconfig'))
      .map((name) => inFolder(at, name)),
  )
  const texts = await Promise.all(places.map((place) => textOf(path.join(home, place))))
  const runs: RunFile[] = []
  const rules: string[] = []
  for (const [index, place] of places.entries()) {
    const text = texts[index] ?? null
    if (text === null) continue
    const run = runIn(text, place)
    if (run !== null) runs.push(run)
    else if (isRules(text, place)) rules.push(place)
  }
  return { runs, rules }
}

async function textOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  return found !== null && found.size <= LARGEST ? readFile(file, 'utf8').catch(() => null) : null
}

function runIn(text: string, place: string): RunFile | null {
  try {
    const { strategy, markets, parameters = {} }: Partial<RunPlan> = readPlan(text, place)
    if (strategy === undefined && markets === undefined) return null
    return {
      place,
      strategy: strategy ?? 'ema-cross',
      markets: (markets ?? []).map(({ asset }) => asset),
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [name, String(value)]),
      ),
    }
  } catch {
    return null
  }
}

/** Fields of which a file of rules has one. */
const OF_RULES = ['phases', 'payout', 'fee', 'profitTarget', 'maxTotalLoss', 'maxDailyLoss']

function isRules(text: string, place: string): boolean {
  try {
    const { name: _, account, ...own } = readRuleSet(text, place)
    return OF_RULES.some((field) => field in account || field in own)
  } catch {
    return false
  }
}
