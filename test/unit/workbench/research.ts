// A folder of research as commands leave it, made with the least of work, and a program to start runs with.

import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleWithThreads } from '../../bundle.ts'
import { typed } from '../../typed.ts'

export const STRATEGY = `
export const parameters = { hours: { default: 24, whole: true, from: 1, search: '6:72', about: 'hours looked back' }, side: { default: 'both', values: ['both', 'long'] } }
export default ({ hours }) => ({ name: 'idle for ' + hours + ' hours' })
`
const RULES = { fee: 100, maxTotalLoss: '10%', phases: [{ profitTarget: '8%' }] }

export function emptyFolder(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), 'margin-core-research-')))
}

/** Scripts, data, a run file and rules, without a result. */
export function folderOfInputs(): string {
  const home = emptyFolder()
  const file = (name: string, text: string) => writeFileSync(path.join(home, name), text)
  const bars = [0, 1, 2, 3].map((minute) => `${Date.UTC(2026, 0, 5) + minute * 60_000},9,9,9,9,1\n`).join('')
  const head = 'open_time_ms,open,high,low,close,volume\n'
  file('idle.mjs', STRATEGY)
  file('idle.test.mjs', 'export default 1')
  file('lines.mjs', 'export const lines = 1')
  file(
    'run.json',
    JSON.stringify({ strategy: 'breakout', parameters: { width: 9 }, markets: [{ asset: 'BTC', days: 2 }] }),
  )
  file('rules.json', JSON.stringify(RULES))
  file('package.json', '{}')
  file('ETHUSDT.csv', head + bars)
  file('ETHUSDT-funding.csv', 'fundingTime,fundingRate\n1767571200000,0.0001\n')
  file('trades.csv', 'Close time,Profit\n2026-01-05 10:00:00,5\n')
  mkdirSync(path.join(home, 'node_modules/some'), { recursive: true })
  file('node_modules/some/index.mjs', STRATEGY)
  return home
}

const SIMULATED = ['--days', '2', '--workers', '1']
const COMMANDS = [
  ['backtest', '--days', '2', '--seed', 'a', '--out', 'runs/a'],
  ['backtest', '--days', '2', '--seed', 'b', '--out', 'runs/b'],
  ['sweep', ...SIMULATED, '--vary', 'fast=5,10', '--rank-by', 'totalReturn', '--out', 'runs/sweep'],
  [
    'search',
    ...SIMULATED,
    '--space',
    'fast=5:9',
    '--sets',
    '2',
    '--rank-by',
    'totalReturn',
    '--out',
    'runs/search',
  ],
  [
    'walk-forward',
    ...SIMULATED,
    '--vary',
    'fast=5,10',
    '--folds',
    '1',
    '--train',
    '1',
    '--out',
    'runs/walk',
    '--study',
    'kept',
  ],
  [
    'evaluate',
    '--paths',
    '4',
    '--horizon',
    '2',
    '--workers',
    '1',
    '--report',
    'odds.html',
    '--out',
    'runs/odds',
  ],
  ['compare', 'runs/a', 'runs/b', '--out', 'compared'],
]

/** The same with a result of each kind. */
export async function folderOfResults(): Promise<string> {
  const home = folderOfInputs()
  for (const words of COMMANDS) {
    const { code, stderr } = await typed(words, home)
    if (code !== 0) throw new Error(stderr)
  }
  // As a command saves what has no rows of its own here.
  mkdirSync(path.join(home, 'runs/entries'))
  cpSync(path.join(home, 'odds.html'), path.join(home, 'runs/entries/report.html'))
  writeFileSync(
    path.join(home, 'runs/entries/result.json'),
    '{ "madeBy": { "command": "margin-core entries" } }',
  )
  cpSync(path.join(home, 'runs/a'), path.join(home, 'runs/spoiled'), { recursive: true })
  writeFileSync(path.join(home, 'runs/spoiled/result.json'), '{ "strategy": ')
  return home
}

/** The program as one file, with what it reads beside itself, in a folder of its own. */
export function program(): { readonly file: string; readonly words: readonly string[] } {
  const around = emptyFolder()
  const folder = path.join(around, 'backtest/report')
  for (const part of ['style', 'backtest/report/page'])
    cpSync(path.resolve(import.meta.dirname, '../../../src', part), path.join(around, part), {
      recursive: true,
    })
  return { file: process.execPath, words: [bundleWithThreads(folder)] }
}
