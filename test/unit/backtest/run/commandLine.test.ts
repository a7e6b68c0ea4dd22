// The command line, by running it: what a mistake prints and how it ends, and that a result is whole.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Ended, typed } from '../../../typed.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const at = path.join(folder, name)
  writeFileSync(at, text)
  return at
}

const run = (...options: string[]) => typed(options)

function ended(command: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

const START = Date.UTC(2026, 0, 5)
const row = (minute: number, prices = '100,101,99,100') => `${START + minute * 60_000},${prices},1`
const bars = (name: string, rows: string[]) =>
  file(name, `${['open_time_ms,open,high,low,close,volume', ...rows].join('\n')}\n`)
const good = bars(
  'good.csv',
  Array.from({ length: 200 }, (_, minute) => row(minute)),
)

const mixed = path.join(folder, 'mixed')
mkdirSync(mixed)
bars(
  'mixed/a.csv',
  Array.from({ length: 20 }, (_, minute) => row(minute)),
)
bars(
  'mixed/b.csv',
  Array.from({ length: 20 }, (_, hour) => row(60 * (hour + 1))),
)
const kinds = path.join(folder, 'kinds')
mkdirSync(kinds)
// More than are read ahead of a run.
const quotes = Array.from({ length: 20_000 }, (_, second) => `${START + 1_000 * second},99,100`)
file('kinds/a.csv', `${['time,bid,ask', ...quotes].join('\n')}\n`)
bars('kinds/b.csv', [row(1)])

const throwing = file(
  'throwing.mjs',
  `export default () => ({
  name: 'breaks',
  onBar(bar) {
    throw new TypeError('no such thing')
  },
})`.replace('throw', 'if (bar.openTime % 120_000 !== 0)\n    throw'),
)

const opening = (order: string) =>
  `export default () => ({ name: 'opens', onBar: (bar, context) => context.open(${order}) })`

describe('a mistake is one line on stderr, exit code 2, and never a stack trace', () => {
  const cases: Record<string, [string[], RegExp]> = {
    'a file that is not there': [
      ['backtest', '--data', `${folder}/none.csv`],
      /none\.csv: .*cannot be opened/,
    ],
    'a malformed row': [
      ['backtest', '--data', bars('malformed.csv', [row(0), row(1), row(2, '100,101,oops,100'), row(3)])],
      /malformed\.csv:4: /,
    ],
    'times out of order': [
      ['backtest', '--data', bars('disorder.csv', [row(0), row(1), row(3), row(2)])],
      /disorder\.csv:5: /,
    ],
    'a time twice': [
      ['backtest', '--data', bars('twice.csv', [row(0), row(1), row(1), row(2)])],
      /twice\.csv:4: /,
    ],
    'an unknown strategy': [
      ['backtest', '--data', good, '--strategy', 'magic'],
      /there is no strategy magic; there are: ema-cross, breakout/,
    ],
    'a strategy file that is not there': [
      ['backtest', '--strategy', './none.ts'],
      /none\.ts: there is no such file/,
    ],
    'a strategy file that exports none': [
      ['backtest', '--strategy', file('empty.mjs', 'export const a = 1\n')],
      /the default export must be a function/,
    ],
    'a class whose objects have no name': [
      ['backtest', '--strategy', file('nameless.mjs', 'export default class Trend {}\n')],
      /nameless\.mjs: objects of the class must have a name: class Trend \{ name = 'mine'/,
    ],
    'a function that makes none': [
      ['backtest', '--strategy', file('unnamed.mjs', 'export default () => ({})\n')],
      /unnamed\.mjs: the function must return a strategy, an object with a name/,
    ],
    'a warm-up of no length': [
      ['backtest', '--warm-up', '30'],
      /'--warm-up <span>'.*minutes, hours or days such as 90m, 12h or 30d/,
    ],
    'a warm-up of a run that begins with its data': [
      ['backtest', '--data', good, '--warm-up', '1h'],
      /--warm-up is the data before --from: say from when/,
    ],
    'a strategy that is an object': [
      ['backtest', '--strategy', file('object.mjs', 'export default { name: "mine", onBar() {} }')],
      /object\.mjs: the default export must be a function .* export default \(\) => \(\{ name: 'mine'/,
    ],
    'a hook that would never be called': [
      ['backtest', '--strategy', file('hook.mjs', 'export default class { name = "mine"; onCandle() {} }')],
      /hook\.mjs: there is no hook onCandle; there are: onStart, onBar, onTick, onEvent, onEnd/,
    ],
    'a strategy that is no JavaScript': [
      ['backtest', '--strategy', file('broken.mjs', 'export default () => {\n  const a = 1; const a = 2\n}')],
      new RegExp(`^error: ${folder}/broken\\.mjs:2: Identifier 'a' has already been declared`),
    ],
    'an order for no market': [
      ['backtest', '--strategy', file('nowhere.mjs', opening("{ direction: 'long', leverage: '5' }"))],
      /in onBar at .* this run has no market undefined; it has BTC/,
    ],
    'an order without a size': [
      [
        'backtest',
        '--strategy',
        file('sizeless.mjs', opening("{ asset: 'BTC', direction: 'long', leverage: '5' }")),
      ],
      /an entry needs sizeBy, such as/,
    ],
    'a mistake in the options of a command below another': [
      ['data', 'fetch', '--symbol', 'BTCUSDT', '--from', '2025-01'],
      /required option '--exchange <name>' not specified/,
    ],
    'an unknown parameter': [
      ['backtest', '--param', 'fats=3'],
      /has no parameter fats; it has: asset, fast, slow/,
    ],
    'a parameter that is no number': [
      ['backtest', '--param', 'fast=many'],
      /fast must be a number, not many/,
    ],
    'a parameter without a value': [['backtest', '--param', 'fast'], /fast is not name=value/],
    'a market parameter the engine refuses': [['backtest', '--spread', '120%'], /spread/],
    'a percentage without its sign': [
      ['backtest', '--fee-rate', '0.08'],
      /'--fee-rate <rate>'.* 0\.08 is 8%: write 8% if it is meant, 0\.08% if not/,
    ],
    'a loss limit without its sign': [
      ['backtest', '--daily-loss', '5'],
      /'--daily-loss <rate>'.* 5 is 500%: write 5%/,
    ],
    'a share of a configuration without its sign': [
      ['backtest', '--config', file('share.json', '{"account":{"maxTotalLoss":"10"}}')],
      /account: maxTotalLoss: 10 is 1000%: write 10%/,
    ],
    'a period that ends before it begins': [
      ['backtest', '--from', '2026-02-01', '--to', '2026-01-01'],
      /the period is empty: it is to begin at 2026-02-01 and to end before 2026-01-01/,
    ],
    'a period without data': [
      ['backtest', '--data', good, '--from', '2028-02-01'],
      /no row of the data lies in the period: from 2028-02-01/,
    ],
    'a folder of bars of several intervals': [
      ['backtest', '--data', mixed],
      /mixed.b\.csv: its bars are 3600 s apart, those of the files before it 60 s: give files of one interval/,
    ],
    'and where the run ends within the first of its files': [
      ['backtest', '--data', mixed, '--to', '2026-01-05T00:05'],
      /mixed.b\.csv: its bars are 3600 s apart, those of the files before it 60 s: give files of one interval/,
    ],
    'ticks beside bars, where the run ends within the first of the files': [
      ['backtest', '--data', kinds, '--to', '2026-01-05T00:00:01'],
      /kinds.b\.csv: the file holds bars \(csv\), those before it \w+ \(csv\)/,
    ],
    'a strategy that throws': [
      ['backtest', '--data', good, '--strategy', throwing],
      /the strategy "breaks" failed in onBar at 2026-01-05 00:01:59 UTC: TypeError: no such thing \(.*throwing\.mjs:5:11\)/,
    ],
    'two files for one market': [['backtest', '--data', good, '--data', good], /two files for BTC/],
    'a configuration that is no JSON': [['backtest', '--config', file('no.json', '{')], /no\.json: not JSON/],
    'a configuration with an unknown key': [
      ['backtest', '--config', file('typo.json', '{"stratgy":"ema-cross"}')],
      /typo\.json: unknown key stratgy/,
    ],
    'no day at all': [
      ['backtest', '--config', file('days.json', '{"markets":[{"asset":"BTC","days":0}]}')],
      /days must be a whole number above zero/,
    ],
    'nothing but a header': [
      ['backtest', '--data', bars('headed.csv', [])],
      /headed\.csv: how long its bars are is told by two of them, and there are fewer/,
    ],
    'a file that is no table': [
      ['backtest', '--data', file('noise.csv', 'hello\n')],
      /noise\.csv: it holds no prices of a known format; delimited text needs a first line that names time, open/,
    ],
    'rates in the place of prices': [
      ['backtest', '--data', file('rates.csv', 'fundingTime,fundingRate\n1767225600000,0.0001\n')],
      /rates\.csv: the file holds funding rates; they are given as --funding/,
    ],
    'rates in the place of prices, each with its span before it': [
      ['backtest', '--data', file('spans.csv', 'calc_time,last_funding_rate\n1767225600000,0.0001\n')],
      /spans\.csv: the file holds funding rates; they are given as --funding/,
    ],
    'bytes in the place of a configuration': [
      ['backtest', '--config', file('bytes.json', '\u001f\u0000\ufffd')],
      /bytes\.json: not JSON \(it is no text\)$/m,
    ],
    'a balance of nothing': [['backtest', '--balance', '0'], /account: balance must be above zero, not 0/],
    'a loss limit below zero': [
      ['backtest', '--total-loss', '-3'],
      /'--total-loss <rate>'.* -3 is not between 0% and 100%/,
    ],
    'a length of simulated prices beside data': [
      ['backtest', '--data', good, '--days', '3'],
      /--days is how long simulated prices are, and every market has data; --from and --to/,
    ],
    'bars to draw from that are not there': [
      ['backtest', '--simulate', 'bootstrapped'],
      /no model of prices bootstrapped.*With --data there is bootstrapped/,
    ],
    'a model of prices beside data': [
      ['backtest', '--data', good, '--simulate', 'brownian'],
      /--simulate is the model of prices without data.*of data there is --simulate bootstrapped/,
    ],
    'a correlation of what is drawn': [
      ['backtest', '--data', good, '--simulate', 'bootstrapped', '--correlation', '0.5'],
      /--correlation .* bootstrapped ones move together as their data did/,
    ],
    'paths drawn from what is drawn': [
      ['evaluate', '--data', good, '--simulate', 'bootstrapped'],
      /--simulate bootstrapped means nothing here: paths are drawn in blocks from --data/,
    ],
    'a correlation of one market': [
      ['backtest', '--correlation', '0.5'],
      /--correlation is that of simulated markets; give two or more: --asset BTC,ETH/,
    ],
    'no day to simulate': [['backtest', '--days', '0'], /'--days <count>'.* above zero/],
    'a strategy that cannot be made': [
      ['backtest', '--strategy', file('unmade.mjs', "export default () => {\n  throw new Error('oh')\n}\n")],
      /unmade\.mjs: no strategy was made: Error: oh \(.*unmade\.mjs:2:9\)/,
    ],
    'a hook in other letters': [
      ['backtest', '--strategy', file('onbar.mjs', "export default () => ({ name: 'a', onbar() {} })")],
      /onbar\.mjs: there is no hook onbar; there are: onStart, onBar/,
    ],
    'an order that is refused before it is sent, with the line that asked for it': [
      ['backtest', '--strategy', file('asked.mjs', opening("\n{ asset: 'BTC', leverage: '5' }"))],
      /an entry needs sizeBy, such as .* \(.*asked\.mjs:1:\d+\)$/m,
    ],
    'a report in a folder that is not there': [
      ['backtest', '--data', good, '--report', path.join(folder, 'nowhere/report.html')],
      /--report .*report\.html: there is no folder .*nowhere/,
    ],
    'a report in the place of a folder': [
      ['backtest', '--data', good, '--report', mixed],
      /--report .*mixed: it is a folder; name a file/,
    ],
    'a file in the place of a folder of results': [
      ['backtest', '--data', good, '--out', good],
      /--out .*good\.csv: it is a file; name a folder/,
    ],
    'results among other files': [
      ['backtest', '--data', good, '--out', mixed],
      /--out .*mixed: there are other files in it \(a\.csv\); name an empty folder or a new one/,
    ],
    'results below a file': [
      ['backtest', '--data', good, '--out', path.join(good, 'run')],
      /--out .*run: no folder can be made in .*good\.csv/,
    ],
    'a table of a sweep in a folder that is not there': [
      ['sweep', '--data', good, '--vary', 'fast=3,4', '--csv', path.join(folder, 'nowhere/sets.csv')],
      /--csv .*sets\.csv: there is no folder/,
    ],
    'a study among other files': [
      ['search', '--data', good, '--space', 'fast=3:4', '--study', mixed],
      /mixed: there are other files in it \(a\.csv\) and no study; give another folder/,
    ],
    'a study in the place of a file': [
      ['search', '--data', good, '--space', 'fast=3:4', '--study', good],
      /good\.csv: it is a file; a study is kept in a folder/,
    ],
    'paths of no length': [['evaluate', '--horizon', '0'], /'--horizon <days>'.* above zero/],
    'no folds': [['walk-forward', '--folds', '0'], /'--folds <count>'.* above zero/],
    'trades that are no table': [
      ['evaluate', '--trades', file('torn.csv', 'a,"b\nc"d,e\n')],
      /torn\.csv: the file is no table of delimited text/,
    ],
    'trades in an empty file': [
      ['evaluate', '--trades', file('trades.csv', '\n')],
      /trades\.csv: the file is empty/,
    ],
    'a time that is none': [['backtest', '--from', 'yesterday'], /from: yesterday is no time/],
  }
  test.each(Object.entries(cases))('%s', async (_, [options, message]) => {
    const { code, stdout, stderr } = await run(...options)
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test('an option that does not exist', async () => {
    const { code, stderr } = await run('backtest', '--levrage', '5')
    expect(stderr).toMatch(/unknown option '--levrage'/)
    expect(code).toBe(2)
  })
})

describe('a run', () => {
  test('missing bars are reported, and bad rows may be skipped', async () => {
    const gappy = bars('gappy.csv', [row(0), row(1), row(5), row(6, '100,99,101,100'), row(7), row(8)])
    const { code, stdout } = await run('backtest', '--data', gappy, '--on-bad-row', 'skip')
    expect(stdout).toMatch(/4 bar\(s\) missing in 2 gap\(s\)/)
    expect(stdout).toMatch(/1 row\(s\) skipped, first: .*gappy\.csv:5: /)
    expect(code).toBe(0)
  })

  test.each([
    [
      'nothing',
      'onBar() {}',
      'nothing was traded: the strategy was told 200 bar(s) and placed no order that was filled',
    ],
    [
      'what is refused',
      "onBar: (bar, context) => context.open({ asset: 'BTC', direction: 'up', sizeBy: { margin: '10' }, leverage: '5' })",
      'nothing was traded: 200 action(s) were refused, the first with validation_failed (direction)',
    ],
    [
      'a leverage that there is not',
      "onBar: (bar, context) => context.open({ asset: 'BTC', direction: 'long', sizeBy: { margin: '10' }, leverage: '7000' })",
      'nothing was traded: 200 action(s) were refused, the first with invalid_leverage (7000x, at most 10x)',
    ],
  ])('a strategy that asks for %s says why nothing was traded', async (name, hook, note) => {
    const strategy = file(`${name}.mjs`, `export default () => ({ name: 'idle', ${hook} })`)
    const { stdout } = await run('backtest', '--data', good, '--strategy', strategy, '--json')
    expect(JSON.parse(stdout).notes).toContain(note)
  })

  test('options and a configuration file that say the same give the same', async () => {
    const config = file(
      'run.json',
      JSON.stringify({
        markets: [{ asset: 'SOL', data: good, parameters: { feeRate: '0.05%', spread: '0' } }],
        strategy: 'ema-cross',
        parameters: { fast: 3, slow: 9 },
        account: { balance: '500' },
        from: '2026-01-05T00:10:00Z',
      }),
    )
    const options = ['--asset', 'SOL', '--data', good, '--fee-rate', '0.05%', '--spread', '0', '--fast', '3']
    const more = ['--param', 'slow=9', '--balance', '500', '--from', '2026-01-05T00:10:00Z', '--json']
    const one = await run('backtest', '--config', config, '--json')
    const other = await run('backtest', ...options, ...more)
    const { madeBy, ...result } = JSON.parse(one.stdout)
    const { madeBy: otherwise, ...same } = JSON.parse(other.stdout)
    expect(result).toEqual(same)
    expect(madeBy.files).toEqual(otherwise.files)
    expect(result).toMatchObject({ rows: 190, initialBalance: '500000000000' })
  })

  test('a strategy of the user’s own, in TypeScript', async () => {
    const strategy = file(
      'mine.ts',
      `export const parameters = { every: 5 }
      export default ({ asset, every }: { asset: string; every: number }) => {
        let bars: number = 0
        return {
          name: \`every \${every + 1}\`,
          onBar(_bar: unknown, context: { open(order: object): unknown }) {
            bars += 1
            if (bars % every === 0) return context.open({ asset, direction: 'long', sizeBy: { margin: '10' }, leverage: '5' })
          },
        }
      }`,
    )
    const options = ['--data', good, '--strategy', strategy, '--param', 'every=50', '--json']
    // Where Node does not read TypeScript itself, tsx does, which looks for files of its own.
    const { stdout, stderr } = await ended(['--import', 'tsx', 'src/cli/main.ts', 'backtest', ...options])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ strategy: 'every 51', fills: 4 })
  })
})

test('a saved run says how it was made, and is made again to the same bytes; not from other files', async () => {
  // Each in a process of its own; what follows them compares files.
  const cli = (...options: string[]) => ended(['--import', 'tsx', 'src/cli/main.ts', ...options])
  const step = file('step.mjs', 'export const every = 7\n')
  const strategy = file(
    'stepping.mjs',
    `import { every } from './step.mjs'
    export default class {
      name = 'steps'
      constructor({ asset }) {
        this.asset = asset
      }
      onBar(bar, context) {
        const { asset } = this
        if ((bar.openTime / 60_000) % every !== 0) return
        return context.open({ asset, direction: 'long', sizeBy: { margin: '10' }, leverage: '5' })
      }
    }`,
  )
  const out = path.join(folder, 'kept run')
  const options = ['backtest', '--data', good, '--strategy', strategy, '--path', 'both', '--out', out]
  expect((await cli(...options)).code).toBe(0)
  const { madeBy, report } = JSON.parse(readFileSync(path.join(out, 'result.json'), 'utf8'))
  expect(madeBy.command).toBe(`margin-core ${options.slice(0, -1).join(' ')} '${out}'`)
  expect(madeBy.files.map(({ use }: { use: string }) => use)).toEqual(['BTC data', 'strategy', 'strategy'])
  expect(report.madeBy.settings).toContainEqual(['strategy', strategy])
  expect(readFileSync(path.join(out, 'report.html'), 'utf8')).toContain('How this run was made')

  const again = await cli('report', '--rerun', out)
  expect(again.stdout.trim().split('\n')).toEqual(
    [
      ...['ambiguousBars.csv', 'beside.csv', 'costs.csv', 'curve.csv', 'data.csv', 'decidingBars.csv'],
      ...['divergences.csv', 'drawdowns.csv', 'events.jsonl', 'fills.csv', 'markets.csv', 'monthly.csv'],
      ...['orders.csv', 'rejections.csv', 'report.html', 'result.json'],
      ...['rolling.csv', 'rollingBeta.csv', 'statistics.csv', 'stress.csv', 'trades.csv'],
    ].map((name) => `${name}: the same bytes`),
  )
  expect(again.code).toBe(0)

  writeFileSync(path.join(out, 'trades.csv'), 'mended by hand\n')
  const mended = await run('report', '--rerun', out)
  expect(mended.stdout).toContain('trades.csv: DIFFERENT')
  expect(mended.code).toBe(1)

  writeFileSync(step, 'export const every = 8\n')
  const other = await run('report', '--rerun', out)
  expect(other.stderr).toMatch(/step\.mjs: the file is not what it was/)
  expect(other.code).toBe(2)
})
