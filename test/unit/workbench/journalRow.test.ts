// A journal of a live run is a row of the list, over all its files; what only looks like one, or lacks something, keeps no folder from being listed.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { JournalBegin, JournalEntry } from '../../../src/backtest/live/journal.ts'
import { journalLine } from '../../../src/backtest/live/journalText.ts'
import type { RunPlan } from '../../../src/backtest/plan/plan.ts'
import { fp9 } from '../../../src/index.ts'
import { filesIn } from '../../../src/workbench/folderFiles.ts'
import { EMPTY_FORM } from '../../../src/workbench/runForm.ts'
import { SavedResults } from '../../../src/workbench/savedResults.ts'
import { emptyFolder } from './research.ts'

const AT = Date.UTC(2026, 0, 5)
const PLAN: RunPlan = {
  strategy: 'breakout',
  parameters: { width: 9 },
  markets: [{ asset: 'BTC', data: 'bars.csv' }],
}
const account = (equity: string) => ({ riskStatus: { currentEquity: fp9(equity) } })
const begin = (change: object = {}): JournalBegin =>
  ({
    ...{
      type: 'run',
      at: AT,
      format: 1,
      software: 'margin-core',
      venue: 'http://127.0.0.1:1',
      strategy: 'breakout of 9',
    },
    ...{ plan: PLAN, assets: ['BTC'], intervalMs: 5_000, head: null, account: account('10000') },
    ...{ markets: [], positions: [], orders: [], isContinued: false, ...change },
  }) as unknown as JournalBegin
const price = (at: number): JournalEntry => ({ type: 'price', at, asset: 'BTC', price: fp9('5') })
const told = (at: number, equity: string) =>
  ({ type: 'account', at, account: account(equity) }) as unknown as JournalEntry
const ended = (at: number, error: string | null) =>
  ({ type: 'end', at, error, account: account('9'), positions: 0, orders: 0 }) as unknown as JournalEntry

async function rows(files: Readonly<Record<string, string>>) {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  try {
    return await new SavedResults(folder).list(await filesIn(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const text = (...entries: readonly JournalEntry[]) => entries.map(journalLine).join('')

test('it says what ran, on what and where, from its begin to what was noted last', async () => {
  const [row, ...others] = await rows({
    'kept/live.jsonl': text(begin(), told(AT + 1, '10012.5'), price(AT + 7)),
  })
  expect(others).toEqual([])
  expect(row).toMatchObject({
    ...{ kind: 'live', place: 'kept/live.jsonl', strategy: 'breakout of 9', markets: ['BTC'], page: null },
    ...{ from: AT, to: AT + 7, isComparable: false },
    note: 'http://127.0.0.1:1, equity 10,012.50 as last told',
  })
  expect(row?.journal?.goOn).toEqual({
    ...{
      ...EMPTY_FORM,
      kind: 'live',
      strategy: 'breakout',
      parameters: { width: '9' },
      out: 'kept/live.jsonl',
    },
    markets: [{ asset: 'BTC', data: 'bars.csv', funding: '' }],
    options: { live: 'http://127.0.0.1:1', interval: '5' },
  })
})

test('over several files it begins with the first, and is one row', async () => {
  const found = await rows({
    'live.000001.jsonl': text(begin()),
    'live.000002.jsonl': text(begin({ at: AT + 5, isContinued: true })),
    'live.jsonl': text(begin({ at: AT + 9, isContinued: true }), ended(AT + 12, null)),
  })
  expect(found.map(({ place, from, to }) => [place, from, to])).toEqual([['live.jsonl', AT, AT + 12]])
})

test('what ended it is told; a line that was torn is not', async () => {
  const [failed] = await rows({ 'a.jsonl': text(begin(), ended(AT + 3, 'the venue is away')) })
  expect(failed?.note).toBe('http://127.0.0.1:1, the venue is away')
  const [torn] = await rows({ 'a.jsonl': `${text(begin(), told(AT + 2, '7'), price(AT + 3))}{"at":"2026` })
  expect(torn).toMatchObject({ to: AT + 3, note: expect.stringMatching(/equity 7\.00/) })
})

test('of a long journal only the begin and the end are read', async () => {
  const prices = Array.from({ length: 30_000 }, (_, at) => price(AT + at))
  const [row] = await rows({ 'a.jsonl': text(begin(), ...prices, told(AT + 40_000, '3')) })
  expect(row).toMatchObject({ from: AT, to: AT + 40_000, note: expect.stringMatching(/equity 3\.00/) })
})

test('one that a form cannot make has no form; one without data names its markets', async () => {
  const [portfolio] = await rows({
    'a.jsonl': text(
      begin({ plan: { ...PLAN, strategy: 'portfolio', portfolio: [{ name: 'a', strategy: 'breakout' }] } }),
    ),
  })
  expect(portfolio?.journal).toEqual({ goOn: null })
  const [unplanned] = await rows({ 'a.jsonl': text(begin({ plan: null })) })
  expect(unplanned?.journal).toEqual({ goOn: null })
  const [plain] = await rows({
    'a.jsonl': text(
      begin({
        assets: ['BTC', 'ETH'],
        intervalMs: 60_000,
        plan: { strategy: 'x', markets: [{ asset: 'BTC' }, { asset: 'ETH' }] },
      }),
    ),
  })
  expect(plain?.journal?.goOn?.options).toEqual({ live: 'http://127.0.0.1:1', asset: 'BTC,ETH' })
})

test('what is none, and what lacks something, has no row', async () => {
  const line = JSON.parse(text(begin()))
  const lacking = Object.keys(line).flatMap((field) =>
    ['account', 'plan', 'assets', 'at', 'format', 'venue'].includes(field)
      ? [[`without-${field}.jsonl`, `${JSON.stringify({ ...line, [field]: undefined })}\n`] as const]
      : [],
  )
  const found = await rows({
    ...Object.fromEntries(lacking),
    ...{ 'empty.jsonl': '', 'text.jsonl': 'no JSON', 'null.jsonl': 'null\n', 'price.jsonl': text(price(AT)) },
    ...{
      'newer.jsonl': `${JSON.stringify({ ...line, format: 2 })}\n`,
      'odd.jsonl': `${JSON.stringify({ ...line, plan: 7 })}\n`,
    },
    'there.jsonl': text(begin()),
  })
  // Without a plan it is one that a program has run.
  expect(found.map(({ place }) => place).sort()).toEqual(['there.jsonl', 'without-plan.jsonl'])
})
