// When a strategy is told what: one thing at a time, the next when it is done with the one before.

import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { HOUR_MS, hours } from '../report/runs.ts'

const PRICES = [100, 101, 102, 103]

function optionsOf(strategy: Strategy, other?: Strategy): BacktestOptions {
  const bars = hours(PRICES.map((price) => [price, price + 1, price - 1, price]))
  return {
    markets: [{ asset: 'BTC', feed: barFeedOf('written by hand', HOUR_MS, () => [bars]) }],
    strategy,
    ...(other === undefined ? {} : { others: [{ name: 'second', strategy: other }] }),
  }
}

/** Takes its time over everything, and notes what it is told and when it is done. */
function slow(name: string, notes: string[]): Strategy {
  const taking = async (what: string) => {
    notes.push(`${name} ${what}`)
    await setImmediate()
    notes.push(`${name} done`)
  }
  return {
    name,
    onStart: () => taking('start'),
    onTick: ({ price }) => taking(`tick ${price / 10n ** 9n}`),
    onEvent: ({ type }) => taking(type),
    async onBar({ asset, close }, context) {
      await taking(`bar ${close / 10n ** 9n}`)
      if (context.positions().length === 0)
        await context.open({ asset, direction: 'long', sizeBy: { margin: '100' }, leverage: '2' })
    },
    onEnd: () => taking('end'),
  }
}

describe('hooks', () => {
  test.each([1, 2])('wait for each other, with %i account(s)', async (accounts) => {
    const notes: string[] = []
    await runBacktest(optionsOf(slow('a', notes), accounts === 2 ? slow('b', notes) : undefined))
    for (const [index, note] of notes.entries())
      if (index % 2 === 1) expect(note).toBe(`${notes[index - 1]?.split(' ')[0]} done`)
    const told = notes.filter((note) => !note.endsWith('done'))
    for (const name of ['a', 'b'].slice(0, accounts)) {
      const own = told.filter((note) => note.startsWith(name)).map((note) => note.slice(2))
      expect(own[0]).toBe('start')
      expect(own.at(-1)).toBe('end')
      expect(own.filter((note) => note.startsWith('bar'))).toEqual(PRICES.map((price) => `bar ${price}`))
      const ticks = own.filter((note) => note.startsWith('tick')).map((note) => Number(note.slice(5)))
      // Open, both extremes in either order, close; the last is told before the bar is.
      expect(ticks).toHaveLength(4 * PRICES.length)
      for (const [bar, price] of PRICES.entries()) {
        const [open, one, other, close] = ticks.slice(4 * bar)
        expect([open, close]).toEqual([price, price])
        expect([one, other].sort()).toEqual([price - 1, price + 1].sort())
        expect(own[own.indexOf(`bar ${price}`) - 1]).toBe(`tick ${price}`)
      }
      expect(own.filter((note) => note === 'increasePosition')).toHaveLength(1)
      expect(own.indexOf('increasePosition')).toBeGreaterThan(own.indexOf('bar 100'))
      expect(own.indexOf('increasePosition')).toBeLessThan(own.indexOf('bar 101'))
    }
  })
})

describe('the other accounts of a run', () => {
  test('are found by their name, and a name that the run has not is refused', async () => {
    const seen: string[] = []
    const look = (context: StrategyContext) => {
      seen.push(context.of('second').accountId, context.of('main').accountId)
      expect(context.of('main').accountId).toBe(context.accountId)
      expect(() => context.of('third')).toThrow(RangeError)
    }
    await runBacktest(optionsOf({ name: 'looks', onStart: look }, { name: 'is looked at' }))
    expect(new Set(seen).size).toBe(2)
    for (const id of seen) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  test('have names of their own', async () => {
    const options = optionsOf({ name: 'one' })
    const others = [{ name: 'main', strategy: { name: 'other' } }]
    await expect(runBacktest({ ...options, others })).rejects.toThrow(/same name/)
  })
})

test('a recording is of one run', async () => {
  const options = { ...optionsOf({ name: 'does nothing' }), recorder: new Recording() }
  await runBacktest(options)
  await expect(runBacktest(options)).rejects.toThrow(/of one run/)
})
