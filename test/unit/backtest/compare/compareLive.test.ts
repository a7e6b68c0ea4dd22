// A live run beside its backtest: on a venue where nothing disturbs it both are the same, to the last digit; where something does, the
// fill it did it to is named, and the difference is made of its causes without a remainder.

import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { compareLive, type LiveComparison } from '../../../../src/backtest/compare/compareLive.ts'
import { NO_DIFFERENCE, sumOf } from '../../../../src/backtest/compare/fillDifference.ts'
import type { FillAction } from '../../../../src/backtest/recording/fills.ts'
import type { Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/index.ts'
import { ALICE, BTC } from '../../../host/venue.ts'
import '../../../seeds.ts'
import { LiveRig } from './liveRig.ts'

/** Cases that are drawn. */
const RUNS = 4
const CASES = fc.record({
  moves: fc.array(fc.integer({ min: -120, max: 120 }), { minLength: 21, maxLength: 24 }),
  actions: fc.array(fc.nat(999), { minLength: 40, maxLength: 60 }),
  flattens: fc.boolean(),
})

/** Does what the next of the drawn numbers says, at every bar and every price. */
const acts = (actions: readonly number[]): Strategy => {
  let drawn = 0
  const next = () => actions[drawn++ % actions.length] as number
  const act = async (context: StrategyContext) => {
    const [what, how] = [next() % 10, next()]
    const [position] = context.positions('BTC')
    const [order] = context.orders('BTC').filter(({ orderType }) => orderType === 'limit')
    const index = context.market('BTC').state.indexPrice
    const side = how % 2 === 0 ? 1n : -1n
    const away = (points: number) => index + side * BigInt(points) * 1_000_000_000n
    const entry = {
      ...{ asset: 'BTC', direction: side > 0n ? ('long' as const) : ('short' as const) },
      leverage: String(1 + (how % 5)),
      sizeBy: how % 3 === 0 ? { margin: '300' } : { base: `0.0${1 + (how % 7)}` },
    } as const
    if (what < 3)
      await context.open({ ...entry, stopLoss: away(-80 - (how % 90)), takeProfit: away(60 + (how % 50)) })
    else if (what === 3) await context.open({ ...entry, type: 'limit', triggerPrice: away(-30) })
    else if (what === 4) await context.open({ ...entry, trailingStop: { offset: fp9('90') } })
    else if (what === 5 && position !== undefined) await context.close({ position, size: position.size / 2n })
    else if (what === 6 && position !== undefined) await context.close({ position })
    else if (what === 7 && order !== undefined) await context.edit(order.id, { triggerPrice: away(-20) })
    else if (what === 8 && order !== undefined) await context.cancel(order.id)
    else if (what === 9 && position !== undefined) await context.changeMargin(position, fp9('5'))
  }
  return {
    name: 'acts',
    onStart: act,
    onBar: (_bar, context) => act(context),
    onTick: (_tick, context) => (next() % 3 === 0 ? act(context) : undefined),
    onEnd: (context) => (next() % 3 === 0 ? act(context) : undefined),
  }
}

/** Opens on one bar and closes on the next. */
const flips = (before: (context: StrategyContext) => Promise<void> = async () => {}): Strategy => {
  let bars = 0
  return {
    name: 'flips',
    async onBar(_bar, context) {
      await before(context)
      const [position] = context.positions('BTC')
      if (bars++ % 2 === 0) await context.open({ ...LONG, stopLoss: fp9('49000') })
      else if (position !== undefined) await context.close({ position })
    },
  }
}
const LONG = { asset: 'BTC', direction: 'long', sizeBy: { base: '0.02' }, leverage: '2' } as const

const PRICES = ['50010', '50020', '50005', '50040', '50015', '50060', '50050', '50030']

/** Bars of two prices each; `at` happens before the n-th of them ends, `after` when it has. */
async function flipped(
  at: (rig: LiveRig, bar: number) => Promise<void> = async () => {},
  before: (rig: LiveRig, context: StrategyContext) => Promise<void> = async () => {},
  after: (rig: LiveRig, bar: number) => Promise<void> = async () => {},
): Promise<LiveComparison> {
  const rig = await LiveRig.start()
  try {
    await rig.run(
      flips((context) => before(rig, context)),
      async () => {
        for (let bar = 0; bar < PRICES.length / 2; bar++) {
          await rig.price(PRICES[2 * bar] as string)
          await rig.price(PRICES[2 * bar + 1] as string)
          await at(rig, bar)
          await rig.endBar()
          await after(rig, bar)
        }
      },
    )
    return await compareLive(rig.file, async () => ({ create: () => flips(), notes: [] }))
  } finally {
    await rig.close()
  }
}

function mustBeTheSame({ rows, causes, incidents }: LiveComparison): void {
  expect(causes).toEqual(NO_DIFFERENCE)
  // What the venue refuses one the other does not get either.
  expect(incidents.filter(({ kind }) => kind !== 'refused')).toEqual([])
  for (const { found, delayMs, priceDifference, difference, reason } of rows)
    expect({ found, delayMs, priceDifference, difference, reason }).toEqual({
      ...{ found: 'matched', delayMs: 0, priceDifference: 0n, difference: 0n, reason: null },
    })
}

function mustReconcile({
  rows,
  causes,
  livePnl,
  backtestPnl,
  remainder,
  carried,
  live,
  backtest,
}: LiveComparison): void {
  expect(remainder).toBe(0n)
  expect(livePnl - backtestPnl).toBe(sumOf(causes) + carried)
  expect(live.fills + backtest.fills).toBe(
    rows.reduce((sum, { found }) => sum + (found === 'matched' ? 2 : 1), 0),
  )
  for (const row of rows) expect(row.difference).toBe(sumOf(row.causes))
}

const named = ({ rows }: LiveComparison) =>
  rows.flatMap(({ found, reason }) => (reason === null ? [] : [`${found}: ${reason.befell}`]))

describe.concurrent('nothing disturbs the run', () => {
  test('and it trades by the minute', async () => {
    const comparison = await flipped()
    mustReconcile(comparison)
    mustBeTheSame(comparison)
    expect(comparison.rows).toHaveLength(4)
    // A point at the begin and at the end of each bar, the last of which is that of the run; each with what the account had.
    const { time, equity } = comparison.backtest.curve
    const [begin = 0, ...ends] = time
    const minute = 60_000 * Math.ceil(begin / 60_000)
    expect(ends).toEqual([0, 1, 2, 3].map((bar) => minute + 60_000 * bar))
    expect(new Set(equity).size).toBe(5)
    expect(equity.at(-1)).toBe((equity[0] as bigint) + comparison.backtestPnl)
  })

  test('whatever it does: every fill is the backtest’s, at the same moment and price, and so is the result', async () => {
    const cases = fc.sample(CASES, RUNS)
    const fills: FillAction[] = []
    await Promise.all(
      cases.map(async (drawn) => {
        const rig = await LiveRig.start()
        try {
          let price = 50_000
          const script = async () => {
            for (const [index, move] of drawn.moves.entries()) {
              price += move
              await rig.price(String(price), 15_000)
              if (index % 3 === 2) await rig.endBar()
            }
          }
          await rig.run(acts(drawn.actions), script, { onExit: drawn.flattens ? 'flatten' : 'keep' })
          const comparison = await compareLive(rig.file, async () => ({
            create: () => acts(drawn.actions),
            notes: [],
          }))
          mustReconcile(comparison)
          mustBeTheSame(comparison)
          expect(comparison.backtest.account.accountBalance).toBe(comparison.live.account.accountBalance)
          expect(comparison.backtest.rejections).toEqual(comparison.live.rejections)
          for (const { live } of comparison.rows) if (live !== null) fills.push(live.action)
        } finally {
          await rig.close()
        }
      }),
    )
    // It was worth the comparison.
    for (const action of ['open', 'increase', 'reduce', 'close'] as const) expect(fills).toContain(action)
  }, 120_000)
})

describe.concurrent('a journal of more than one run', () => {
  const holds: Strategy = {
    name: 'holds',
    async onBar(_bar, context) {
      if (context.positions('BTC').length === 0) await context.open(LONG)
    },
  }
  const closes: Strategy = {
    name: 'closes',
    async onStart(context) {
      for (const position of context.positions('BTC')) await context.close({ position })
    },
  }
  const bars = (rig: LiveRig, count: number) => async () => {
    for (let bar = 0; bar < count; bar++) {
      await rig.price(String(50_000 + 7 * bar))
      await rig.endBar()
    }
  }

  test('is one backtest: what one run left open the next one has, with its funding', async () => {
    const rig = await LiveRig.start()
    try {
      await rig.run(holds, bars(rig, 2))
      await rig.unseen('50100', 46 * 60_000)
      await rig.run(holds, bars(rig, 3))
      await rig.run(closes, bars(rig, 1))
      const made = [holds, holds, closes]
      const create = () => made.shift() as Strategy
      const comparison = await compareLive(rig.file, async () => ({ create, notes: [] }))
      mustReconcile(comparison)
      expect(comparison.rows.map(({ found, live }) => [found, live?.action])).toEqual([
        ['matched', 'open'],
        ['matched', 'close'],
      ])
      expect(comparison.causes).toEqual(NO_DIFFERENCE)
      // 0.1% of about 1,000.
      expect(comparison.live.costs.funding).toBeGreaterThan(fp9('0.9'))
      expect(comparison.backtest.costs.funding).toBe(comparison.live.costs.funding)
    } finally {
      await rig.close()
    }
  })

  test('what was open before the journal is a cause of its own', async () => {
    const rig = await LiveRig.start()
    try {
      await rig.run(holds, bars(rig, 1))
      await rig.unseen('50100', 120_000)
      rig.forget()
      await rig.run(flips(), bars(rig, 3))
      const comparison = await compareLive(rig.file, async () => ({ create: () => flips(), notes: [] }))
      expect(comparison.notes).toEqual([expect.stringContaining('1 position(s) were open')])
      expect(comparison.remainder).toBe(0n)
      expect(comparison.carried).not.toBe(0n)
      expect(comparison.livePnl - comparison.backtestPnl).toBe(sumOf(comparison.causes) + comparison.carried)
    } finally {
      await rig.close()
    }
  })
})

describe.concurrent('what disturbs a run is named at the fill that it did it to, and nowhere else', () => {
  const locked = (rig: LiveRig, isLocked: boolean) =>
    rig.venue.operate({ type: 'setAccountLock', accountId: ALICE.accountId, locked: isLocked })

  test('a market that takes no entries for a while takes none of the backtest either', async () => {
    const status = (rig: LiveRig, status: string) =>
      rig.venue.operate({ type: 'setMarketStatus', marketId: BTC, status })
    const comparison = await flipped(async (rig, bar) => {
      if (bar === 0) await status(rig, 'close_only')
      if (bar === 1) await status(rig, 'open')
    })
    mustReconcile(comparison)
    expect(named(comparison)).toEqual([])
    expect(comparison.causes).toEqual(NO_DIFFERENCE)
    expect(comparison.live.rejections).toEqual({ market_close_only: 1 })
    expect(comparison.backtest.rejections).toEqual({ market_close_only: 1 })
  })

  test('an order that the venue refuses: the trade is the backtest’s alone', async () => {
    const comparison = await flipped(async (rig, bar) => {
      if (bar === 0) await locked(rig, true)
      if (bar === 1) await locked(rig, false)
    })
    mustReconcile(comparison)
    expect(named(comparison)).toEqual(['only backtest: refused', 'only backtest: follows'])
    expect(comparison.rows[0]?.reason?.what).toBe('open: funded_limit_trading_locked')
    expect(comparison.causes).toEqual({ ...NO_DIFFERENCE, missing: comparison.causes.missing })
    // The trade that there was not: bought at 50,020 and sold at 50,040, each with the spread and the fee.
    expect(comparison.causes.missing).toBe(-(comparison.backtestPnl - comparison.livePnl))
    expect(comparison.causes.missing).not.toBe(0n)
  })

  test('an order that is refused and asked for again: both are told, and not as one that came late', async () => {
    const opens: Strategy = {
      name: 'opens',
      async onBar(_bar, context) {
        if (context.positions('BTC').length === 0) await context.open(LONG)
      },
    }
    const rig = await LiveRig.start()
    try {
      await rig.run(opens, async () => {
        await rig.price('50010')
        await locked(rig, true)
        await rig.endBar()
        await locked(rig, false)
        await rig.price('50090')
        await rig.endBar()
      })
      const comparison = await compareLive(rig.file, async () => ({ create: () => opens, notes: [] }))
      mustReconcile(comparison)
      expect(named(comparison)).toEqual(['only backtest: refused', 'only live: only one asked'])
    } finally {
      await rig.close()
    }
  })

  test('an order that the venue takes and cannot fill, because the price has moved: as one that it refuses', async () => {
    const moves = async ({ venue }: LiveRig) =>
      void venue.venue.engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: fp9('50200') })
    const comparison = await flipped(undefined, onThe(1, moves))
    mustReconcile(comparison)
    expect(named(comparison)).toEqual(['only backtest: refused', 'only backtest: follows'])
    expect(comparison.rows[0]?.reason?.what).toBe('open: insufficient_reserve_at_execution')
  })

  test('an order that comes late: its fill has the delay, and what the price did meanwhile', async () => {
    const comparison = await flipped(undefined, onThe(1, late))
    mustReconcile(comparison)
    expect(named(comparison)).toEqual(['matched: delay'])
    const [row] = comparison.rows
    expect(row).toMatchObject({ delayMs: 2_000, ticks: 180.054 })
    // 0.02 · (50,200 − 50,020)
    expect(row?.causes.delay).toBe(-fp9('3.6'))
    // Spread and fee of a price that is 180 higher.
    expect(row?.causes).toMatchObject({ slippage: -fp9('0.00108'), fees: -fp9('0.002880864'), size: 0n })
    expect(sumOf(comparison.causes)).toBe(sumOf(row?.causes ?? NO_DIFFERENCE))
  })

  test('a price that nobody was told: the stop that it reached fills alone', async () => {
    const comparison = await flipped(async (rig, bar) => {
      if (bar === 1) await stopUnseen(rig)
    })
    mustReconcile(comparison)
    expect(named(comparison)).toEqual(['matched: price not told'])
    const [, exit] = comparison.rows
    expect(exit).toMatchObject({
      live: { reason: 'stop-loss' },
      backtest: { reason: 'market' },
      delayMs: -39_000,
    })
    // 0.02 · (48,900 − 50,040), less half again the spread of it: both are early closes.
    expect(exit?.causes.slippage).toBe(-fp9('22.8') + fp9('0.01026'))
    expect(exit?.causes.delay).toBe(0n)
  })

  test('a connection that is lost: what filled meanwhile', async () => {
    const comparison = await flipped(
      async (rig, bar) => {
        if (bar !== 1) return
        rig.note({ type: 'lost', at: rig.now })
        await stopUnseen(rig)
        rig.note({ type: 'back', at: rig.now, ms: 20_000 })
        await rig.price('50040', 2_000)
      },
      // And what comes late when it is long there again has nothing to do with it.
      onThe(3, late),
    )
    mustReconcile(comparison)
    expect(named(comparison)).toEqual(['matched: connection lost', 'matched: delay'])
    expect(comparison.incidents.map(({ kind }) => kind)).toEqual(['connection lost'])
  })

  test('bars that nobody saw a price of: what filled in them', async () => {
    const comparison = await flipped(undefined, undefined, async (rig, bar) => {
      if (bar !== 0) return
      await rig.advance(130_000)
      await stopUnseen(rig)
    })
    mustReconcile(comparison)
    expect(comparison.incidents).toMatchObject([{ kind: 'missed bars', what: '2 without a price' }])
    expect(named(comparison)).toEqual(['matched: missed bars'])
  })
})

/** The price moves before an order is at the venue. */
async function late(rig: LiveRig, context: StrategyContext): Promise<void> {
  await rig.unseen('50200', 2_000)
  await vi.waitFor(() => expect(context.market('BTC').state.indexPrice).toBe(fp9('50200')), 20_000)
}

/** What happens on the n-th call alone. */
function onThe(nth: number, happens: typeof late): typeof late {
  let calls = 0
  return async (rig, context) => {
    calls += 1
    if (calls === nth) await happens(rig, context)
  }
}

/** The stop fills at a price that is gone before prices are told. */
async function stopUnseen(rig: LiveRig): Promise<void> {
  const indexPrice = (text: string) => fp9(text).toString()
  await rig.venue.operate(
    { type: 'advanceTime', ms: 1_000 },
    { type: 'updatePrice', marketId: BTC, indexPrice: indexPrice('48900') },
    { type: 'updatePrice', marketId: BTC, indexPrice: indexPrice('50040') },
  )
  await rig.until(() =>
    rig.entries.some((entry) => entry.type === 'event' && entry.event.type === 'closePosition'),
  )
}
