// The engine and a second set of books, side by side through the same random lives.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Command, type Commit, type Engine, fp9 } from '../../src/index.ts'
import { ALL_RUNS, runs } from '../properties/runs.ts'
import type { Books } from './books.ts'
import { fp9Of, units } from './exact.ts'
import * as formulas from './formulas.ts'
import { commandOf, MARKETS, setting, step, venueOf } from './steps.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY !== undefined

/** Compares everything a commit did with what the books say. */
function audit(commit: Commit, engine: Engine, books: Books): Record<string, number> {
  const seen: Record<string, number> = {}
  const settles = commit.command.type === 'advanceTime' && commit.at % 3_600_000 === 0
  const due = settles ? MARKETS.flatMap((id) => [...books.fundingDue(id, commit.at)]) : null
  const records = books.enter(commit)
  expect(books.faults).toEqual([])
  if (due !== null) {
    const paid = commit.events.flatMap((event) =>
      event.type === 'payFunding' ? [[event.positionId, event.amount] as const] : [],
    )
    expect(new Map(paid)).toEqual(new Map(due))
  }
  for (const record of records) {
    seen[record.eventName] = (seen[record.eventName] ?? 0) + 1
    if (record.profitAdjustmentApplied) seen.capped = (seen.capped ?? 0) + 1
    const events = engine.read.positionEvents(record.id)
    if (events === undefined) continue
    const { order: _, ...actual } = events.find(({ version }) => version === record.version) ?? {
      ...engine.read.position(record.id),
      order: null,
    }
    if (actual.version === record.version) expect(actual).toEqual(record)
    else expect(record.eventName).toBe('payFunding')
  }
  return seen
}

/** What must hold of the accounts and positions between commits. */
function inspect(engine: Engine, books: Books, command: Command): void {
  if (command.type === 'updatePrice')
    for (const position of books.positions.values()) expect(books.isLiquidatable(position)).toBe(false)
  for (const [id, account] of books.accounts) {
    const record = engine.read.account(id)
    if (record === undefined) throw new ReferenceError(id)
    const { riskStatus } = record
    const equity = books.equity(id, engine.now)
    const total = formulas.totalFloor(
      account.initial,
      account.highWater,
      units(account.parameters.maxTotalLoss),
      account.parameters.drawdownMode === 'trailing_eod',
    )
    const daily = formulas.dailyFloor(account.dayStart, units(account.parameters.maxDailyLoss))
    const off = account.parameters.maxTotalLoss === fp9('1')
    expect({
      free: riskStatus.freeBalance,
      balance: record.accountBalance,
      equity: riskStatus.currentEquity,
      total: riskStatus.totalLossFloor,
      daily: riskStatus.dailyLossFloor,
    }).toEqual({
      free: fp9Of(account.free),
      balance: fp9Of(books.balance(id)),
      equity: fp9Of(equity),
      total: off ? null : fp9Of(total),
      daily: off ? null : fp9Of(daily),
    })
    if (command.type === 'updatePrice' && record.status === 'active' && !off && books.hasPositions(id))
      expect(equity.gte(total) && equity.gte(daily)).toBe(true)
  }
}

test('every position event of any sequence does exactly what the formulas say, field by field', () => {
  const reached: Record<string, number> = {}
  fc.assert(
    fc.property(
      setting,
      fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }),
      (parameters, steps) => {
        const { engine, books, commits } = venueOf(parameters)
        for (const commit of commits.splice(0)) audit(commit, engine, books)
        for (const step of steps) {
          const command = commandOf(step, engine, books)
          if (command === null) continue
          const outcome = engine.dispatch(command)
          reached[outcome.ok ? 'accepted' : 'refused'] =
            (reached[outcome.ok ? 'accepted' : 'refused'] ?? 0) + 1
          for (const commit of commits.splice(0))
            for (const [what, count] of Object.entries(audit(commit, engine, books)))
              reached[what] = (reached[what] ?? 0) + count
          if (outcome.ok) inspect(engine, books, command)
        }
      },
    ),
    { numRuns: NIGHTLY ? 20_000 : runs(400).numRuns },
  )
  // A run that reached nothing would prove nothing.
  if (!ALL_RUNS) return
  for (const what of [
    'increasePosition',
    'closePosition',
    'addMargin',
    'removeMargin',
    'payFunding',
    'liquidate',
    'forceClose',
    'capped',
  ])
    expect(reached[what] ?? 0, what).toBeGreaterThan(NIGHTLY ? 400 : 10)
})
