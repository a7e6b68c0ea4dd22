/** The examples of the backtesting page run as shown. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typed } from '../typed.ts'
import { blocksOf } from './examples.ts'

const ROOT = new URL('../../', import.meta.url)
const page = await readFile(new URL('docs/backtesting.md', ROOT), 'utf8')
const run = promisify(execFile)

/** What a file away from this package imports of it. */
const SOURCE = new URL('src/backtest/index.ts', ROOT).href

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'margin-core-docs-'))
})
afterAll(() => rm(folder, { recursive: true }))

const blockWith = (text: string): string => blocksOf(page).find((block) => block.includes(text)) as string

/** Runs this project's code under tsx, away from any package of its own. */
const tsx = (...options: string[]) =>
  run(process.execPath, ['--import', 'tsx', ...options], { cwd: ROOT.pathname, maxBuffer: 1 << 26 })

test('the strategy is loaded from a file outside any package, and trades', async () => {
  const [strategy] = blocksOf(page)
  const file = join(folder, 'pullback.ts')
  await writeFile(file, strategy as string)
  const { stdout } = await typed(['backtest', '--strategy', file, '--json'])
  const result = JSON.parse(stdout)
  expect(result.strategy).toBe('buys every fall of 0.3% on BTC')
  expect(result.trades).toBeGreaterThan(0)
  expect(result.rejections).toEqual({})
})

test('the strategy with indicators is loaded, trades, and its report draws them', async () => {
  const file = join(folder, 'trend.ts')
  await writeFile(file, blockWith('// trend.ts'))
  await symlink(join(ROOT.pathname, 'node_modules'), join(folder, 'node_modules'))
  const command = ['backtest', '--strategy', file, '--days', '6', '--out', join(folder, 'trend')]
  await typed([...command, '--json'])
  const { trades, report } = JSON.parse(await readFile(join(folder, 'trend', 'result.json'), 'utf8'))
  expect(trades).toBeGreaterThan(0)
  expect(report.charts.indicators.map(({ name }: { name: string }) => name)).toEqual([
    'EMA 20',
    'hourly EMA 10',
    'ATR 60',
  ])
})

test('the strategy with an indicator of its own is loaded, trades, and its report draws it', async () => {
  const file = join(folder, 'weighted.ts')
  await writeFile(file, blockWith('// weighted.ts'))
  await typed(['backtest', '--strategy', file, '--days', '6', '--out', join(folder, 'weighted'), '--json'])
  const { trades, report } = JSON.parse(await readFile(join(folder, 'weighted', 'result.json'), 'utf8'))
  expect(trades).toBeGreaterThan(0)
  expect(report.charts.indicators.map(({ name }: { name: string }) => name)).toEqual(['weighted price'])
})

test('the strategy that learns is loaded and fitted, and its report tells how well it foretold', async () => {
  const file = join(folder, 'learner.ts')
  await writeFile(
    file,
    blockWith('// learner.ts').replaceAll("'margin-core/backtest'", JSON.stringify(SOURCE)),
  )
  await typed(['backtest', '--strategy', file, '--days', '6', '--out', join(folder, 'learner'), '--json'])
  const { learned, report } = JSON.parse(await readFile(join(folder, 'learner', 'result.json'), 'utf8'))
  expect(learned[0].fits.length).toBeGreaterThan(3)
  expect(report.learned.models[0].scores.map(({ name }: { name: string }) => name)).toEqual([
    'correlation',
    'skill',
  ])
  expect(report.charts.indicators.map(({ name }: { name: string }) => name)).toContain('change')
  expect(await readFile(join(folder, 'learner', 'learned.csv'), 'utf8')).toMatch(
    /^model,asset,at,rows,[\s\S]*\nchange,BTC,/,
  )
  expect(await readFile(join(folder, 'learner', 'report.html'), 'utf8')).toContain('What was learned')
})

test('a learner that is a program of its own is told the rows, and its model foretells', async () => {
  const [file, program] = [join(folder, 'outside.ts'), join(folder, 'train.mjs')]
  await writeFile(
    file,
    blockWith('// outside.ts').replaceAll("'margin-core/backtest'", JSON.stringify(SOURCE)),
  )
  await writeFile(
    program,
    `import { readFileSync } from 'node:fs'
const { seed, rows } = JSON.parse(readFileSync(0, 'utf8'))
if (!Number.isInteger(seed) || rows.some(({ features }) => features.length !== 3)) process.exit(1)
console.log(JSON.stringify({ level: 0.001, weights: [0, 0, rows.length] }))`,
  )
  const learner = `learner=${process.execPath} ${program}`
  const command = ['backtest', '--strategy', file, '--param', learner, '--days', '4', '--json']
  const { learned } = JSON.parse((await typed(command)).stdout)
  expect(learned[0].fits.length).toBeGreaterThan(2)
  // What the program gave back is kept: a run that starts from it needs no program.
  const kept = join(folder, 'outside-models')
  await typed([...command, '--keep-models', kept])
  const answer = await readFile(program, 'utf8')
  await writeFile(program, 'process.exit(1)')
  const again = JSON.parse((await typed([...command, '--models', kept])).stdout)
  expect(again.learned[0].fits.at(-1).at).toBe(learned[0].fits.at(-1).at)
  expect(again.madeBy.files.filter(({ use }: { use: string }) => use === 'model').length).toBeGreaterThan(3)
  await writeFile(program, answer)
  const failing = await typed([
    ...command.slice(0, 4),
    'learner=node -e process.exit(3)',
    ...command.slice(5),
  ])
  expect(failing.stderr).toContain('node -e process.exit(3) made no model')
})

test('the program that learns beside the trading comes to what the one that is waited for does', async () => {
  const [waited, strategy, beside, program] = [
    join(folder, 'waited.ts'),
    join(folder, 'later.ts'),
    join(folder, 'beside.ts'),
    join(folder, 'means.mjs'),
  ]
  const written = (name: string) =>
    blockWith(name).replaceAll("'margin-core/backtest'", JSON.stringify(SOURCE))
  const later = "takesEffectAfter: '1h', fit:"
  await writeFile(beside, written('// beside.ts'))
  await writeFile(waited, written('// outside.ts').replace('fit:', later))
  await writeFile(
    strategy,
    `import { learnedBeside } from './beside.ts'\n${written('// outside.ts')}`.replace(
      'fit: learnedBy(learner)',
      `${later} learnedBeside(learner)`,
    ),
  )
  await writeFile(
    program,
    `import { readFileSync } from 'node:fs'
const { rows } = JSON.parse(readFileSync(0, 'utf8'))
const level = rows.reduce((sum, { label }) => sum + label, 0) / rows.length
console.log(JSON.stringify({ level, weights: [0.1, -0.1, 0.2] }))`,
  )
  const of = (file: string, command: string) =>
    typed(['backtest', '--strategy', file, '--param', `learner=${command}`, '--days', '4', '--json'])
  const own = `${process.execPath} ${program}`
  const [one, other] = [
    JSON.parse((await of(waited, own)).stdout),
    JSON.parse((await of(strategy, own)).stdout),
  ]
  expect(other.learned).toEqual(one.learned)
  expect(other.stateHash).toBe(one.stateHash)
  expect(other.learned[0].fits.length).toBeGreaterThan(2)
  expect(Date.parse(other.learned[0].fits[0].usedFrom) - Date.parse(other.learned[0].fits[0].at)).toBe(
    3_600_000,
  )
  const failing = await of(strategy, 'node -e process.exit(3)')
  expect(failing.stderr).toContain('node -e process.exit(3) made no model')
  expect((await of(strategy, 'no-such-program')).stderr).toContain('spawn no-such-program ENOENT')
})

test('the periods that are shown are told of by the command that is shown', async () => {
  const file = join(folder, 'periods.json')
  await writeFile(file, /```json\n(\[\n {2}\{ "name": [\s\S]*?)```/.exec(page)?.[1] as string)
  const command = /^npx margin-core (backtest .*) --periods periods\.json$/m.exec(page)?.[1] as string
  const { stdout } = await typed([...command.split(' '), '--periods', file, '--days', '21', '--json'])
  const { links, periods } = JSON.parse(stdout).markets
  expect(links[0].beta).not.toBeNull()
  expect(periods.map(({ name }: { name: string | null }) => name).slice(-2)).toEqual([
    'first week',
    'a night',
  ])
})

test('what the page shows of learning a coin is what its command tells', async () => {
  const command = /^npx margin-core (backtest --strategy learned-direction .*)$/m.exec(page)?.[1] as string
  const [shown] = (/```\n(Learned: [\s\S]*?)```/.exec(page)?.slice(1) ?? []) as string[]
  const { stdout } = await typed(command.split(' '))
  expect(stdout).toContain(shown)
})

test('the objective ranks the sweep that is shown with it', async () => {
  const file = join(folder, 'ulcer.ts')
  await writeFile(file, blockWith('// ulcer.ts'))
  const command = /^npx margin-core (sweep .*--objective) \.\/ulcer\.ts/m.exec(page)?.[1] as string
  const { stdout, stderr } = await typed([...command.split(' '), file, '--days', '10', '--json'])
  expect(stderr).not.toContain('error')
  const { rows, rankedBy } = JSON.parse(stdout)
  const told: (number | null)[] = rows.map(
    ({ figures }: { figures: { objective: number } }) => figures.objective,
  )
  expect(rankedBy).toEqual(['objective'])
  expect(told).toHaveLength(6)
  const known = told.filter((value) => value !== null)
  expect(known.length).toBeGreaterThan(2)
  expect(told).toEqual([...known.sort((a, b) => b - a), ...told.filter((value) => value === null)])
})

test('the program writes its report', async () => {
  const program = blockWith('runBacktest({')
  const report = join(folder, 'report.html')
  const file = join(folder, 'program.mts')
  await writeFile(
    file,
    program.replace('margin-core/backtest', SOURCE).replace("'report.html'", JSON.stringify(report)),
  )
  await tsx(file)
  expect((await readFile(report, 'utf8')).startsWith('<!doctype html>')).toBe(true)
})

test('the summary shown is that of the command shown', async () => {
  const command = /^npx margin-core (backtest .*--seed g) --out/m.exec(page)?.[1] as string
  const [shown] = (/```\n(breakout[\s\S]*?)…/.exec(page)?.slice(1) ?? []) as string[]
  const { stdout } = await typed(command.split(' '))
  expect(stdout).toContain((shown as string).trim())
})
