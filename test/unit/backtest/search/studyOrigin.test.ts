// A study that is gone on with after something of it has changed is refused, and says what has: each part by its name.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { demoFeed } from '../../../../src/backtest/index.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { runSearch, type SearchOptions } from '../../../../src/backtest/search/search.ts'
import { parseDimension } from '../../../../src/backtest/search/space.ts'
import { parseConstraint } from '../../../../src/backtest/strategies/constraint.ts'
import { formatDecimal } from '../../../../src/quantity/decimal.ts'
import { VERSION } from '../../../../src/version.ts'

const home = mkdtempSync(path.join(tmpdir(), 'margin-core-origin-'))
afterAll(() => rmSync(home, { recursive: true }))

const bars: string[] = ['time,open,high,low,close']
for await (const { length, openTime, open, high, low, close } of demoFeed('origin', 1))
  for (let row = 0; row < length; row++)
    bars.push(
      [openTime[row], ...[open, high, low, close].map((own) => formatDecimal(own[row] as bigint))].join(),
    )

const strategyText = (import_: string) =>
  `import { wait } from '${import_}'
  export const parameters = { x: 1, y: 1 }
  export default () => ({ name: 'waits ' + wait, onBar() {} })`

let folder: string
let given: SearchOptions & { readonly plan: RunPlan; readonly study: string }
const at = (name: string) => path.join(folder, name)

beforeEach(async () => {
  folder = mkdtempSync(path.join(home, 'study-'))
  writeFileSync(at('mine.mjs'), strategyText('./lib.mjs'))
  writeFileSync(at('lib.mjs'), 'export const wait = 1')
  writeFileSync(at('judge.mjs'), 'export default ({ trades }) => trades.length')
  writeFileSync(at('bars.csv'), `${bars.join('\n')}\n`)
  writeFileSync(at('rates.csv'), 'time,rate\n1767571200000,0.0001\n1767600000000,0.0001\n')
  given = {
    plan: {
      markets: [
        { asset: 'BTC', data: at('bars.csv'), funding: at('rates.csv'), parameters: { feeRate: '0.05%' } },
      ],
      strategy: at('mine.mjs'),
      parameters: { y: 2 },
      objective: at('judge.mjs'),
      account: { maxDailyLoss: '4%' },
    },
    space: [parseDimension('x', '0:100')],
    method: 'sobol',
    sets: 1,
    by: 'totalReturn',
    workers: 1,
    study: at('study'),
  }
  await runSearch(given)
})

/** What the study says of one that is begun again. */
async function told(changes: Partial<SearchOptions> = {}): Promise<string[]> {
  const refused = await runSearch({ ...given, ...changes }).then(
    () => 'begun otherwise: nothing. Give',
    (error: Error) => `${error.name === 'StudyError' ? '' : 'not refused: '}${error.message}`,
  )
  return (/begun otherwise: (.*)\. Give/.exec(refused)?.[1] ?? refused)
    .replaceAll(`${folder}/`, '')
    .split('; ')
}

const planned = (plan: Partial<RunPlan>) => told({ plan: { ...given.plan, ...plan } })
const btc = () => given.plan.markets[0] as RunPlan['markets'][number]

describe('a study that is gone on with names', () => {
  test('nothing where nothing has changed, or files are only called otherwise', async () => {
    expect(await told()).toEqual(['nothing'])
    writeFileSync(at('same.csv'), `${bars.join('\n')}\n`)
    expect(await planned({ markets: [{ ...btc(), data: at('same.csv') }] })).toEqual(['nothing'])
  })

  test.each([
    ['the strategy', 'mine.mjs', `${strategyText('./lib.mjs')}\n`, 'the strategy mine.mjs has changed'],
    [
      'what it imports',
      'lib.mjs',
      'export const wait = 2',
      'lib.mjs, which the strategy imports, has changed',
    ],
    ['the objective', 'judge.mjs', 'export default () => 1', 'the objective judge.mjs has changed'],
    ['the data', 'bars.csv', `${bars.slice(0, -1).join('\n')}\n`, 'BTC data bars.csv has changed'],
    ['the funding', 'rates.csv', 'time,rate\n1767571200000,0.0002\n', 'BTC funding rates.csv has changed'],
  ])('%s', async (_part, file, text, said) => {
    writeFileSync(at(file), text)
    expect(await told()).toEqual([said])
  })

  test('a file that was not read then, and one that is no longer', async () => {
    writeFileSync(at('other.mjs'), 'export const wait = 3')
    writeFileSync(at('mine.mjs'), strategyText('./other.mjs'))
    expect(await told()).toEqual([
      'the strategy mine.mjs has changed',
      'other.mjs, which the strategy imports, was not read then',
      'lib.mjs, which the strategy imports, is no longer read',
    ])
  })

  test('parameters, rules and whatever else the plan says', async () => {
    expect(await planned({ parameters: { y: 3 } })).toEqual(['parameter y was 2 and is 3'])
    expect(await planned({ parameters: {} })).toEqual(['parameter y was 2 and is not given'])
    expect(await planned({ account: { maxDailyLoss: '5%', profitTarget: '9%' } })).toEqual([
      'account maxDailyLoss was 4% and is 5%',
      'account profitTarget was not given and is 9%',
    ])
    expect(await planned({ markets: [{ ...btc(), parameters: { feeRate: '0.08%' } }] })).toEqual([
      'market BTC parameters feeRate was 0.05% and is 0.08%',
    ])
    expect(await planned({ seed: 'other' })).toEqual(['seed was not given and is other'])
    expect(await planned({ strategy: 'ema-cross', parameters: {} })).not.toEqual(['nothing'])
  })

  test('options of the search', async () => {
    expect(await told({ method: 'random', by: 'sharpeRatio' })).toEqual([
      'method was sobol and is random',
      'by was totalReturn and is sharpeRatio',
    ])
    expect(await told({ space: [parseDimension('x', '0:60')] })).toEqual(['space x high was 100 and is 60'])
    expect(await told({ constraints: [parseConstraint('x>=0')] })).toEqual([
      'constraints 0 was not given and is x>=0',
    ])
  })

  test('the version, and everything at once', async () => {
    const file = path.join(given.study, 'study.json')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    const older = {
      ...kept,
      fingerprint: 'another',
      begunWith: { ...kept.begunWith, software: 'margin-core 0.0.1' },
    }
    writeFileSync(file, JSON.stringify(older))
    const version = `margin-core 0.0.1 was used and this is margin-core ${VERSION}`
    expect(await told()).toEqual([version])
    writeFileSync(at('lib.mjs'), 'export const wait = 4')
    expect(await told({ method: 'random', plan: { ...given.plan, parameters: { y: 5 } } })).toEqual([
      version,
      'lib.mjs, which the strategy imports, has changed',
      'parameter y was 2 and is 5',
      'method was sobol and is random',
    ])
  })

  test.each([[undefined], [null], ['text'], [{ software: 1 }], [{ software: 'a', plan: {}, files: [] }]])(
    'what may be, where the folder does not say what it was begun with: %j',
    async (begunWith) => {
      const file = path.join(given.study, 'study.json')
      const kept = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify({ ...kept, begunWith }))
      expect(await told()).toEqual(['nothing'])
      writeFileSync(at('lib.mjs'), 'export const wait = 5')
      expect(await told()).toEqual(['data, rules, strategy, objective or version are others'])
    },
  )
})
