// A run says what it does not charge.

import { describe, expect, test } from 'vitest'
import { fundingNotes } from '../../../../src/backtest/accounting/costNotes.ts'
import type { BacktestMarket } from '../../../../src/backtest/run/run.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import { feedOf, wildBars } from './venue.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 6)

const ratesAt = (...hours: number[]) => ({
  length: hours.length,
  time: Float64Array.from(hours, (hour) => START + hour * HOUR_MS),
  rate: new BigInt64Array(hours.length),
})

async function chargeNotes(
  parameters: BacktestMarket['parameters'],
  funding?: BacktestMarket['funding'],
): Promise<readonly string[]> {
  const market = { asset: 'BTC', feed: feedOf(wildBars('notes', 3)), parameters: parameters ?? {} }
  const { notes } = await runBacktest({
    markets: [funding === undefined ? market : { ...market, funding }],
    strategy: { name: 'does nothing' },
  })
  return notes.filter((note) => /charged|constant rate/.test(note) && !note.includes('the funding file'))
}

describe('what is not charged', () => {
  const rates = { feeRate: 1n, spread: 1n, fundingRate: 1n }
  const constant = 'BTC: no funding file; every instant uses the constant rate of the market'

  test.each([
    ['nothing', rates, [constant]],
    ['fees', { ...rates, feeRate: 0n }, ['BTC: no fees are charged', constant]],
    ['the spread', { ...rates, spread: 0n }, ['BTC: no spread is charged', constant]],
    [
      'anything',
      { feeRate: 0n, spread: 0n, fundingRate: 0n },
      ['BTC: no fees are charged', 'BTC: no spread is charged', 'BTC: no funding is charged'],
    ],
    ['funding', { ...rates, fundingRate: 0n }, ['BTC: no funding is charged']],
    ['funding that is received', { ...rates, fundingRate: -1n }, [constant]],
  ] as const)('%s', async (_, parameters, notes) => expect(await chargeNotes(parameters)).toEqual(notes))

  test('a funding file needs no such note', async () =>
    expect(await chargeNotes({ feeRate: 1n, spread: 1n }, ratesAt(0, 1))).toEqual([]))
})

describe('what a funding file leaves open', () => {
  const notes = (rates: ReturnType<typeof ratesAt>, from: number, to: number) =>
    fundingNotes([{ asset: 'BTC', funding: rates }], START + from * HOUR_MS, START + to * HOUR_MS)

  test('a file that covers the run leaves nothing open, to the last instant on both sides', () => {
    expect(notes(ratesAt(1, 2, 3), 0, 3.9)).toEqual([])
    expect(notes(ratesAt(1, 2, 3), -0.1, 4)).toEqual([
      'BTC: the funding file begins at 2026-01-06T01:00:00.000Z; none was charged before',
      'BTC: the funding file ends at 2026-01-06T03:00:00.000Z; none was charged after',
    ])
  })

  test('instants without a rate count inside the run alone', () => {
    const holes = ratesAt(0, 1, 2, 5, 6, 8)
    expect(notes(holes, 0, 8)).toEqual([
      'BTC: 3 funding instant(s) have no rate in the file; none was charged',
    ])
    expect(notes(holes, 3, 7)).toEqual([
      'BTC: 2 funding instant(s) have no rate in the file; none was charged',
    ])
    expect(notes(holes, 4, 6.9)).toEqual([])
  })

  test('what is missing within comes before what is missing at its ends', () => {
    expect(notes(ratesAt(3, 4, 6), 0, 9).map((note) => /file(?: (begins|ends))?/.exec(note)?.[1])).toEqual([
      undefined,
      'begins',
      'ends',
    ])
  })

  test('no file, and an empty one, say nothing here', () => {
    expect(fundingNotes([{ asset: 'BTC' }], 0, START)).toEqual([])
    expect(notes(ratesAt(), 0, 9)).toEqual([])
  })
})
