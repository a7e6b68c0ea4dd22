/** The commands of the research page run as shown, on fewer days, sets and paths, with prices from an archive on this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toNumber } from '../../src/backtest/numbers/toNumber.ts'
import { demoFeeds } from '../../src/backtest/simulated/demoFeed.ts'
import { priceModelOf } from '../../src/backtest/simulated/marketModel.ts'
import { bundle } from '../bundle.ts'
import { typed } from '../typed.ts'

const page = await readFile(new URL('../../docs/research.md', import.meta.url), 'utf8')

const DAYS = 9
const BEGIN = Date.UTC(2025, 4, 1)
/** The files of the page, in their order, by what they are called there. */
const FILES = ['breakout.json', 'direction.mjs', 'both.json', 'two-step.json']

let folder: string
/** For what runs beside the others, until it is interrupted. */
let main: string
let server: Server
let base: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'margin-core-research-'))
  main = bundle('src/cli/main.ts', folder)
  const blocks = [...page.matchAll(/```js(?:on)?\n(.*?)```/gs)].map(([, text]) => text as string)
  expect(blocks).toHaveLength(FILES.length)
  for (const [index, file] of FILES.entries()) await writeFile(join(folder, file), blocks[index] as string)
  const archive = await archiveOf(['BTCUSDT', 'ETHUSDT'])
  server = createServer((request, response) => {
    const name = basename(request.url ?? '')
    const file = archive.get(name.replace('.CHECKSUM', ''))
    if (file === undefined) response.writeHead(404).end()
    else
      response.end(
        name.endsWith('.CHECKSUM') ? `${createHash('sha256').update(file).digest('hex')}  ${name}\n` : file,
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`
})
afterAll(async () => {
  venue?.kill('SIGKILL')
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

/** A month of minutes of each, as Binance publishes them, though not all of it. */
async function archiveOf(symbols: readonly string[]): Promise<Map<string, Uint8Array>> {
  const models = symbols.map(() => priceModelOf())
  const feeds = demoFeeds('research', models, { days: DAYS, correlation: 0.8 })
  const files = new Map<string, Uint8Array>()
  for (const [index, symbol] of symbols.entries()) {
    const rows: string[] = []
    for await (const bars of feeds[index] as (typeof feeds)[number])
      for (let row = 0; row < bars.length; row++) {
        const at = BEGIN + rows.length * 60_000
        const prices = [bars.open, bars.high, bars.low, bars.close].map((of) => toNumber(of[row] as bigint))
        rows.push(`${at},${prices.join()},1.5,${at + 59_999},0,1,0,0,0`)
      }
    const name = `${symbol}-1m-2025-05`
    files.set(`${name}.zip`, zipSync({ [`${name}.csv`]: Buffer.from(`${rows.join('\n')}\n`) }, { level: 1 }))
  }
  return files
}

/** Commands that share their work. */
const SHARED = ['sweep', 'search', 'walk-forward', 'evaluate', 'entries']

/** The demo venue, while it serves, and where and under which key. */
let venue: ChildProcess | undefined
let [url, key] = ['', '']

/** Serves on a free port from here on. */
async function served(words: readonly string[]): Promise<string> {
  venue = spawn(process.execPath, [main, ...words, '--port', '0'], { cwd: folder })
  let said = ''
  venue.stdout?.on('data', (chunk) => {
    said += chunk
  })
  await vi.waitFor(() => expect(said).toContain('listening on'), { timeout: 60_000, interval: 100 })
  url = /base URL +(\S+)/.exec(said)?.[1] ?? ''
  key = /API key +(\S+)/.exec(said)?.[1] ?? ''
  return said
}

/** Trades until it has filled a few orders, and is interrupted. */
async function traded(words: readonly string[]): Promise<string> {
  const journal = join(folder, words[words.indexOf('--journal') + 1] as string)
  const named = words.map((word) => (word.startsWith('http://') ? url : word.startsWith('mtk_') ? key : word))
  const program = spawn(process.execPath, [main, ...named], { cwd: folder })
  let said = ''
  program.stdout.on('data', (chunk) => {
    said += chunk
  })
  program.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(program, 'exit')
  const fills = async () => (await readFile(journal, 'utf8')).split('"type":"increasePosition"').length - 1
  await vi.waitFor(async () => expect(await fills()).toBeGreaterThan(2), { timeout: 120_000, interval: 500 })
  program.kill('SIGINT')
  await ended
  return said
}

/** What a command prints, made smaller. */
async function printed(command: string): Promise<string> {
  const words = command
    .replace('240,480,960,1440', '240,480')
    .replace('5,10,20', '5,10')
    .replace('0.25%,0.5%,1%', '0.5%,1%')
    .replace(/--paths \d+/, '--paths 3')
    .replace('--horizon 60', '--horizon 4')
    .replace(/--sets \d+/, '--sets 3')
    .replace(/--draws \d+/, '--draws 9')
    .replace('60,240,1440', '60,240')
    .split(' ')
  if (words[0] === 'serve') return served(words)
  if (words.includes('--live')) return traded(words)
  if (words[1] === 'fetch') words.push('--base', base)
  if (SHARED.includes(words[0] as string)) words.push('--workers', '1')
  const { code, stdout, stderr } = await typed(words, folder)
  expect(code, stderr).toBe(0)
  return stdout
}

/** What serves and who trades there, in their order: they wait for prices, which the other commands do not have to wait for. */
function goingOn(commands: readonly string[]): Map<string, Promise<string>> {
  const said = new Map<string, Promise<string>>()
  let before: Promise<unknown> = Promise.resolve()
  for (const command of commands.filter((one) => /^serve|--live/.test(one))) {
    const printing = before.then(() => printed(command))
    // Whoever asks what it said is told.
    printing.catch(() => {})
    said.set(command, printing)
    before = printing
  }
  return said
}

test('every command of the page says what the page takes from it', async () => {
  const commands = [...page.matchAll(/^npx margin-core (.*)$/gm)].map(([, command]) => command as string)
  const going = goingOn(commands)
  const said: string[] = []
  for (const command of commands) said.push(await (going.get(command) ?? printed(command)))
  const expected = [
    /^BTCUSDT-1m\/BTCUSDT-1m-2025-05\.zip: fetched/,
    /^ETHUSDT-1m\/ETHUSDT-1m-2025-05\.zip: fetched/,
    /12,960 bars of 1 min[\s\S]*no gaps/,
    /12,960 bars of 1 min[\s\S]*no gaps/,
    /Beside it[\s\S]*Where 95% of redraws[\s\S]*From prices to profit/,
    /From prices to profit/,
    /parameters\.lookback +480 +1440[\s\S]*trade\(s\) are the same/,
    /Learned: change in 240 bars\n +fits +\d[\s\S]*correlation +.* out of sample, .* in it/,
    /with nothing changed[\s\S]*mirrored from/,
    /spread=x2 .* delay=1/,
    /plateau[\s\S]*4 runs/,
    /3 sets in 3 runs/,
    /^Held for 60 bars,[\s\S]*At these times[\s\S]*With these sides[\s\S]*Held for 240 bars,[\s\S]*The smallest p times the 4 tests/,
    /tests had fewer than 3 trades[\s\S]*Outside of the trainings: .* in 6 days[\s\S]*moved by/,
    /blocks of \d+ bars? on average by regime[\s\S]*phase 2[\s\S]*first payout[\s\S]*result of an account[\s\S]*the markets are drawn together/,
    /rules +risk +passed[\s\S]*two-step +0\.5%[\s\S]*two-step +1%[\s\S]*two-step: (none passes|.*passes most often)/,
    /From prices to profit/,
    /rules +risk +passed[\s\S]*two-step +0\.5×[\s\S]*in 3 attempts|in 3 attempts[\s\S]*two-step +0\.5×/,
    /demo venue: BTC/,
    /^live on [\s\S]*stopped; nothing is open\n$/,
    /From prices to profit[\s\S]*saved: runs\/live/,
    /EMA cross 1\/3 on BTC[\s\S]*not explained +0\.00\n[\s\S]* fill\(s\) matched \(.* in the median/,
  ]
  expect(said).toHaveLength(expected.length)
  for (const [index, text] of expected.entries()) expect(said[index]).toMatch(text)
  expect(await readFile(join(folder, 'sweep.csv'), 'utf8')).toMatch(/^lookback,width,/)
  expect(await readFile(join(folder, 'entries.csv'), 'utf8')).toMatch(/^hold,chance,draw,mean\n60,times,0,/)
  expect(await readFile(join(folder, 'entries.html'), 'utf8')).toContain('What the entries are worth')
  expect(await readFile(join(folder, 'walk.csv'), 'utf8')).toMatch(/^day,fold,return,equity\n/)
  expect(await readFile(join(folder, 'walk-months.csv'), 'utf8')).toMatch(/^month,return\n\d{4}-\d\d,-?0\.\d/)
  expect(await readFile(join(folder, 'live-compare.csv'), 'utf8')).toMatch(
    /^at,asset,side,action,found,.*\n.*,matched,/,
  )
  expect(await readFile(join(folder, 'live-compare.html'), 'utf8')).toContain(
    'Where the difference comes from',
  )
  expect(await readFile(join(folder, 'runs/live/report.html'), 'utf8')).toContain('What befell the run')
  expect(await readFile(join(folder, 'studies/breakout/study.json'), 'utf8')).toContain('"method": "tpe"')
}, 600_000)
