/**
 * Everything that a command says and leaves, as one text that is kept: its exit code, both outputs, and the files that are there
 * afterwards. What is typed is typed beside the same files each time. Each command is typed, and each option of each.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { VERSION } from '../../../src/version.ts'
import { typed } from '../../typed.ts'
import { transcriptFiles } from './transcriptFiles.ts'

let folder: string
let ids: { readonly order: string; readonly position: string }
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'margin-core-transcripts-'))
  ids = await transcriptFiles(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const BREAKOUT = '--data bars.csv --strategy breakout --param lookback=60 --param width=5'
const BARE = '--data bars.csv --strategy breakout'
const PATHS = '--paths 12 --horizon 6 --workers 1 --seed kept'

/** By the name of the text; what is typed one after the other, where ORDER and POSITION are such of the log. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  backtest: [
    `backtest ${BREAKOUT}`,
    `backtest ${BREAKOUT} --json`,
    `backtest ${BREAKOUT} --path both --funding funding.csv --out runs/first --report runs.html`,
    `backtest ${BREAKOUT} --fee-rate 0.1% --spread 0.05% --daily-loss 3% --total-loss 6% --drawdown trailing_eod --target 90% --profitable-days 2 --balance 5000 --leverage 5 --out runs/second`,
    'backtest --data holes.csv --on-bad-row skip --warm-up 2h --from 2026-01-05T04:00Z --to 2026-01-05T06:00Z',
    'backtest --data BTC=bars.csv --data ETH=eth.csv --part trend=ema-cross --part dips=mean-reversion@ETH --after-verdict go-on --at-data-end close',
    'backtest --simulate jumps --days 2 --seed kept --asset BTC,ETH --correlation 0.5 --strategy ema-cross --fast 20 --slow 90 --margin 500',
    'backtest --config run.json --funding-rate 0.0002',
    'backtest --data ticks.csv --tick-bars 60 --strategy breakout --param lookback=20 --json',
    'backtest --data nowhere.csv',
  ],
  report: [
    'report runs/first',
    'report runs/first --out again.html',
    'report runs/second --rerun',
    'report nowhere',
    'report live.jsonl',
    'report live.jsonl --out live-again.html',
    'report live.jsonl --rerun',
  ],
  compare: [
    'compare runs/first runs/second --trades 4 --report compared.html --out compared',
    'compare runs/first runs/first',
    'compare runs/first runs/second --json',
    'compare runs/first nowhere',
    'compare live.jsonl --with-backtest --trades 1 --csv fills.csv --report live.html --out lived',
    'compare live.jsonl --with-backtest --json',
    'compare live.jsonl another.jsonl --with-backtest',
  ],
  'what-if': [
    `what-if ${BREAKOUT} --stress --change spread=0.1%,fee-rate=0.2% --csv what-if.csv`,
    `what-if ${BREAKOUT} --change daily-loss=2% --json`,
    `what-if ${BREAKOUT}`,
    `what-if --data bars.csv ${PATHS} --population traders.json --rules one-step.json --rules two-step.json --csv sold.csv --block 90 --blocks regimes`,
    `what-if --data bars.csv ${PATHS} --population traders.json`,
  ],
  sweep: [
    `sweep ${BARE} --vary lookback=30,60,90 --vary width=5,9 --workers 1 --top 3 --rank-by totalReturn --where trades>=2 --csv sweep.csv --report sweep.html --heat-map lookback,width --out sweep`,
    `sweep ${BARE} --vary lookback=30:90:30 --workers 1 --plateau --rank-by totalReturn --results sweep.jsonl`,
    `sweep ${BARE} --vary lookback=30:90:30 --workers 1 --rank-by totalReturn --results sweep.jsonl`,
    `sweep ${BARE} --vary lookback=30,60 --workers 1 --sample 1 --paths 4 --horizon 5 --rank-by probabilityOfPassing --json`,
  ],
  search: [
    `search ${BARE} --space lookback=30:90 --space width=3:9 --method tpe --sets 4 --workers 1 --top 2 --rank-by totalReturn --study searched --csv search.csv --report search.html --out search`,
    `search ${BARE} --space lookback=30:90 --space width=3:9 --method tpe --sets 4 --workers 1 --rank-by totalReturn --study searched --where trades>=10`,
    `search ${BARE} --space lookback=30,60 --sets 2 --workers 1 --json`,
  ],
  'walk-forward': [
    `walk-forward ${BARE} --vary lookback=30,60 --folds 3 --train 1 --workers 1 --rank-by totalReturn --least-trades 1 --least-bars 10 --study walked --csv days.csv --monthly months.csv --fold-table folds.csv --report walk.html --out walk`,
    `walk-forward ${BARE} --vary lookback=30,60 --test-days 1 --train-days 1 --embargo 1 --workers 1 --rank-by totalReturn --plateau --where trades>=1`,
    `walk-forward ${BARE} --vary lookback=30,60 --folds 2 --train 1 --sample 1 --anchored --workers 1 --rank-by totalReturn --json`,
  ],
  'look-ahead': [
    `look-ahead ${BREAKOUT} --cuts 3 --csv ahead.csv`,
    `look-ahead ${BREAKOUT} --cuts 1 --json`,
    'look-ahead --data holes.csv --on-bad-row skip --strategy breakout --param lookback=60 --param width=900 --cuts 1',
  ],
  evaluate: [
    `evaluate ${BREAKOUT} ${PATHS} --rules two-step.json --rules one-step.json --attempts 2 --csv odds.csv --report odds.html`,
    `evaluate ${BARE} --param lookback=60 ${PATHS} --vary width=5,9 --block 60 --blocks regimes --fee 300 --payout 900`,
    `evaluate ${BREAKOUT} ${PATHS} --json`,
    `evaluate ${PATHS} --trades mine.csv --risk 0.5,2 --rules two-step.json --rules one-step.json --traded-balance 20000 --csv traded.csv --report traded.html`,
    `evaluate ${PATHS} --trades mine.csv --trades-zone +02:00 --json`,
  ],
  data: [
    'data list',
    'data check bars.csv',
    'data check holes.csv --funding funding.csv',
    'data check holes.csv --funding funding.csv --json',
    'data convert bars.csv --interval 1d --out days.csv.gz',
    'data convert holes.csv --interval 1h --from 2026-01-05T01:00Z --to 2026-01-05T04:00Z --on-bad-row skip --out hours.csv',
    'data convert holes.csv --out hours.csv',
    'data cache',
    'data cache --clear',
  ],
  venue: [
    'init made.json',
    'init made.json',
    'check made.json',
    'check venue.json',
    'check wrong.json',
    'check nowhere.json',
  ],
  log: [
    'inspect life data ORDER',
    'inspect why data ORDER',
    'inspect life data POSITION',
    'inspect why data POSITION --json',
    'inspect life data POSITION --json',
    'inspect as-of data 20',
    'inspect as-of data 2026-01-05T07:00:00Z 20000000-0000-4000-8000-000000000001 --json',
    'inspect as-of data 20 20000000-0000-4000-8000-000000000009',
    'fork data --at 10 --set BTC.spread=0.002',
    'fork data --at 10 --max-leverage 2',
    'fork data --at 10 --no-profit-cap',
    'fork data --at 10 --no-stops --json',
    'fork data --at 10',
    'verify data',
    'verify data --json',
    'verify data --expect 9999:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'verify data --expect 100:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'verify data --expect 101:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'verify data --expect 101',
    'verify data --shard 1',
    'verify',
    'verify figure',
    'verify more',
    'verify fewer',
    'verify refused',
    'verify refused --json',
    'verify nowhere',
    'backup data --to kept',
    'backup data --to kept --json',
    'verify kept',
    'archive data --to older',
    'verify data',
    'verify data --json',
    'archive data --to older --json',
    'archive kept --to older',
    'archive nowhere --to older --json',
  ],
}

/** What differs from machine to machine, day to day or version to version. */
function asKept(text: string): string {
  return text
    .replaceAll(folder, '<folder>')
    .replaceAll(VERSION, '<version>')
    .replace(/( bytes in |"compressed": )\d+/g, '$1<compressed>')
    .replace(/"(?:[\w-]{32,}|[0-9a-f]{8}-[0-9a-f-]{27})"(?=[^\n]*\n)/g, (secret) =>
      text.includes('operatorToken') ? '"<drawn>"' : secret,
    )
    .replace(/(chain"?:? "?\d+:)[0-9a-f]{64}/g, '$1<chain>')
}

const LONGEST = 12_000
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Of what is long the beginning, and what the whole of it comes to. */
function told(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST / 4)}\n… ${text.length} characters, ${digest(text)}\n`
}

/** Tables and JSON as they are; a page, or what is compressed, by its name alone: other tests read those. */
function filesIn(place: string, below = ''): Map<string, string> {
  const files = new Map<string, string>()
  for (const name of readdirSync(path.join(place, below)).sort()) {
    const file = path.join(below, name)
    if (statSync(path.join(place, file)).isDirectory())
      for (const [inner, text] of filesIn(place, file)) files.set(inner, text)
    else files.set(file, /\.(csv|jsonl?)$/.test(name) ? readFileSync(path.join(place, file), 'utf8') : '')
  }
  return files
}

const isOfLog = (file: string) => /^(data|kept|older|figure|more|fewer|refused)\//.test(file)

async function transcript(words: readonly string[]): Promise<string> {
  const before = filesIn(folder)
  const { code, stdout, stderr } = await typed(words, folder)
  const written = [...filesIn(folder)].filter(([file, text]) => before.get(file) !== text && !isOfLog(file))
  const files = written.map(
    ([file, text]) =>
      `--- ${file}\n${text.length > 2_000 ? `${text.slice(0, 600)}\n… ${digest(asKept(text))}` : text}`,
  )
  const errors = stderr === '' ? [] : [`--- stderr\n${stderr}`]
  return asKept(
    [
      `$ margin-core ${words.join(' ')}`,
      told(asKept(stdout)),
      ...errors,
      ...files,
      `--- exit code ${code}`,
    ].join('\n'),
  )
}

describe.each(Object.entries(TYPED))('%s', (name, lines) => {
  test('says and leaves what it did', async () => {
    const texts: string[] = []
    for (const line of lines)
      texts.push(
        await transcript(
          line
            .split(' ')
            .map((word) => (word === 'ORDER' ? ids.order : word === 'POSITION' ? ids.position : word)),
        ),
      )
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(`transcripts/${name}.txt`)
  })
})

/** They ask a venue, a database or an archive elsewhere, or run until they are interrupted; other tests type them. */
const ELSEWHERE = [
  'serve',
  'worker',
  'conformance',
  'data fetch',
  'cluster status',
  'cluster drain',
  'cluster move',
  'cluster history',
]
const OPTIONS_ELSEWHERE = /^--(postgres|shard|schema|archive|live|key|journal.*|order-within|on-exit)$/

function leavesOf(name: string, command: Command): [string, Command][] {
  return command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((below) => leavesOf(`${name} ${below.name()}`, below))
}

test('each command is typed, with each of its options', async () => {
  const leaves = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, { load }]) => leavesOf(name, await load())),
  )
  const lines = Object.values(TYPED).flat()
  // What a plan takes is asked of a backtest, and that it reaches the plan in planOptions.test.ts.
  const backtest = (await COMMANDS.backtest.load()).options
    .map(({ long }) => long)
    .filter((long) => long !== '--json' && long !== '--out' && long !== '--report')
  const missing = leaves.flat().flatMap(([name, command]) => {
    if (ELSEWHERE.includes(name)) return []
    const own = lines.filter((line) => `${line} `.startsWith(`${name} `)).flatMap((line) => line.split(' '))
    if (own.length === 0) return [name]
    const shared = name === 'backtest' ? [] : backtest
    const isLive = (long: string) => name === 'backtest' && long === '--interval'
    return command.options.flatMap(({ long }) =>
      long == null ||
      own.includes(long) ||
      shared.includes(long) ||
      OPTIONS_ELSEWHERE.test(long) ||
      isLive(long)
        ? []
        : [`${name} ${long}`],
    )
  })
  expect(missing).toEqual([])
})
