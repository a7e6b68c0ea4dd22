// Tables as platforms write them: the same trades come out of all of them.

import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OwnTrade } from '../../../../src/backtest/odds/ownTrade.ts'
import { readTrades } from '../../../../src/backtest/odds/tradeList.ts'

const readExport = async (name: string, zone?: string) =>
  readTrades(await readFile(new URL(`exports/${name}.csv`, import.meta.url), 'utf8'), name, zone)
const told = ({ openedAt, closedAt, pnl, traded = {} }: OwnTrade) =>
  [
    ...[openedAt, closedAt].map((time) => (time === null ? '–' : new Date(time).toISOString().slice(5, 19))),
    Math.round(pnl * 100) / 100,
    `${traded.side} ${traded.size} ${traded.symbol} from ${traded.entryPrice} to ${traded.exitPrice?.toFixed(4)}`,
  ].join(' ')

describe('trades of', () => {
  test.each([
    [
      'metatrader4',
      3,
      [
        '01-05T09:00:00 01-05T11:30:00 96.5 long 0.5 eurusd from 1.1 to 1.1020',
        '01-05T10:00:00 01-06T09:00:00 -158.25 short 1 eurusd from 1.101 to 1.1025',
      ],
    ],
    [
      'metatrader5',
      0,
      [
        '01-05T09:00:00 01-05T11:30:00 19.3 long 0.1 XAUUSD from 2650 to 2652.0000',
        '01-05T10:00:00 01-06T09:00:00 -32 short 0.2 XAUUSD from 2651 to 2652.5000',
      ],
    ],
    ['metatrader5-deals', 1, ['01-05T09:00:00 01-05T11:30:00 19.3 long 0.1 XAUUSD from 2650 to 2652.0000']],
    [
      'ctrader',
      0,
      [
        '01-13T07:00:00 01-13T09:30:00 96.5 long 0.5 EURUSD from 1.1 to 1.1020',
        '01-13T08:00:00 01-14T07:00:00 -158.25 short 1 EURUSD from 1.101 to 1.1025',
      ],
    ],
    ['tradingview', 1, ['01-05T09:00:00 01-05T11:30:00 190 long 0.5 undefined from 95000 to 95400.0000']],
    [
      'tradingview-older',
      0,
      ['01-05T09:00:00 01-05T11:30:00 190 long 0.5 undefined from 95000 to 95400.0000'],
    ],
    [
      'ninjatrader',
      0,
      [
        '01-05T15:31:00 01-05T15:40:00 200.98 long 1 NQ 03-26 from 21500 to 21510.2500',
        '01-05T16:00:00 01-05T16:12:00 -154.02 short 1 NQ 03-26 from 21520 to 21527.5000',
      ],
    ],
    [
      'tradovate',
      0,
      [
        '01-05T09:31:00 01-05T09:40:00 41 long 2 MNQH6 from 21500 to 21510.2500',
        '01-05T10:00:00 01-05T10:12:00 -30 short 2 MNQH6 from 21520 to 21527.5000',
      ],
    ],
    ['topstepx', 0, ['01-05T15:31:00 01-05T15:40:00 39.52 long 2 MNQH6 from 21500 to 21510.2500']],
    [
      'binance-futures',
      0,
      [
        '01-05T09:00:00 01-05T11:30:00 8.48 long 0.02 BTCUSDT from 95100 to 95600.0000',
        '01-05T10:00:00 01-05T12:00:00 -6.32 short 0.5 ETHUSDT from 3300 to 3310.0000',
      ],
    ],
    [
      'bybit',
      0,
      [
        '– 01-05T11:30:00 6.48 long 0.02 BTCUSDT from 95000 to 95400.0000',
        '– 01-05T12:00:00 -6.82 short 0.5 ETHUSDT from 3300 to 3310.0000',
      ],
    ],
  ])('%s are read as they are', async (name, leftOut, trades) => {
    const read = await readExport(name)
    expect(read.trades.map(told)).toEqual(trades)
    expect(read.leftOut).toBe(leftOut)
  })

  test('a zone is that of the times which name none', async () => {
    const firstOf = async (name: string, zone: string) => (await readExport(name, zone)).trades[0]?.closedAt
    const utc = Date.UTC(2026, 0, 5, 11, 30)
    expect(await firstOf('metatrader5', '+02:00')).toBe(utc - 2 * 3_600_000)
    expect(await firstOf('tradovate', 'America/Chicago')).toBe(Date.UTC(2026, 0, 5, 15, 40))
    expect(await firstOf('topstepx', '+02:00')).toBe(Date.UTC(2026, 0, 5, 15, 40))
    await expect(firstOf('metatrader5', 'Nowhere')).rejects.toThrow(RangeError)
  })
})

test('deepest losses are read under their names', async () => {
  expect((await readExport('ninjatrader')).trades.map(({ worst }) => worst)).toEqual([-35, -170])
  expect((await readExport('tradingview')).trades.map(({ worst }) => worst)).toEqual([-75])
  expect((await readExport('tradingview-older')).trades.map(({ worst }) => worst)).toEqual([-75])
})

test('a table that is none names the columns it has', () => {
  expect(() => readTrades('My orders\nOrder,State,Filled\n1,done,0.5\n', 'orders.csv')).toThrow(
    'orders.csv:1: no column for the time of closing (closeTime, exitTime, date) among Order, State, Filled',
  )
})

test('however a position was built and left, its trades earn what the fills realized', () => {
  const fill = fc.record({
    isBuy: fc.boolean(),
    size: fc.integer({ min: 1, max: 4 }),
    price: fc.integer({ min: 90, max: 110 }),
  })
  let [turned, many] = [0, 0]
  fc.assert(
    fc.property(fc.array(fill, { minLength: 2, maxLength: 12 }), (fills) => {
      let [held, paid, realizedAll] = [0, 0, 0]
      const rows = fills.map(({ isBuy, size, price }, minute) => {
        const signed = isBuy ? size : -size
        const closing = held * signed < 0 ? Math.min(Math.abs(held), size) : 0
        const average = held === 0 ? price : paid / held
        const realized = closing * (price - average) * Math.sign(held)
        if (closing > 0 && closing < size) turned += 1
        paid +=
          closing === 0
            ? signed * price
            : -Math.sign(held) * closing * average + Math.sign(signed) * (size - closing) * price
        held += signed
        return {
          line: `2026-01-05 09:${String(minute).padStart(2, '0')}:00,BTCUSDT,${isBuy ? 'BUY' : 'SELL'},${price},${size},${realized.toFixed(9)}`,
          realized,
          held,
        }
      })
      // What is still held at the end is no closed trade.
      const last = rows.findLastIndex((row, at) => row.held === 0 || row.held * (rows[at - 1]?.held ?? 0) < 0)
      if (last < 0) return
      realizedAll = rows.slice(0, last + 1).reduce((sum, { realized }) => sum + realized, 0)
      const { trades } = readTrades(
        `Time,Symbol,Side,Price,Quantity,Realized Profit\n${rows.map(({ line }) => line).join('\n')}\n`,
        'fills',
      )
      expect(trades.reduce((sum, { pnl }) => sum + pnl, 0)).toBeCloseTo(realizedAll, 6)
      for (const { pnl, traded = {} } of trades) {
        const { side, size = 0, entryPrice = 0, exitPrice = 0 } = traded
        expect(pnl).toBeCloseTo((side === 'long' ? 1 : -1) * size * (exitPrice - entryPrice), 5)
      }
      many += trades.length
    }),
    { numRuns: 200, seed: 3 },
  )
  expect(turned).toBeGreaterThan(50)
  expect(many).toBeGreaterThan(150)
})
