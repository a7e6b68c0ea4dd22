// Openings of two runs that no order tells to be the same are the same where they are near, the nearest first, on the same side.

import { describe, expect, test } from 'vitest'
import { type FillPair, pairedFills } from '../../../../src/backtest/compare/pairedFills.ts'
import type { FillLog, LoggedFill, LoggedPosition } from '../../../../src/backtest/replay/fillLog.ts'

const MINUTE = 60_000

/** A position that was opened at one time and closed at another, by nobody's order. */
function position(
  id: string,
  side: 'long' | 'short',
  opened: number,
  closed: number,
  marketId = 'BTC',
): LoggedPosition {
  const fill = (at: number, isEntry: boolean) => ({
    ...{ at, isEntry, side, marketId, orderId: null },
    id: `${id} ${isEntry}`,
  })
  const fills = [fill(opened, true), fill(closed, false)] as unknown as LoggedFill[]
  return {
    ...{ id, marketId, side, fills, carried: null, held: 0n, funding: 0n },
  } as unknown as LoggedPosition
}

const logOf = (...positions: readonly LoggedPosition[]) =>
  ({ positions, placedAt: () => null }) as unknown as FillLog

function paired(
  live: readonly LoggedPosition[],
  backtest: readonly LoggedPosition[],
  isRefused: (fill: LoggedFill) => boolean = () => false,
): string[] {
  const named = (fill: LoggedFill | null) => (fill as { readonly id?: string } | null)?.id ?? 'nothing'
  const told = ({ live: one, backtest: other }: FillPair) => `${named(one)} = ${named(other)}`
  const logs = { live: logOf(...live), backtest: logOf(...backtest), intervalMs: MINUTE, isRefused }
  return pairedFills(logs).map(told)
}

describe('an opening', () => {
  const live = [position('a', 'long', 100 * MINUTE, 200 * MINUTE)]
  const APART = ['a true = nothing', 'a false = nothing']

  test.each([-1, 1])(
    'ten bars away is the same, and so is what closes it; a moment further it is another (%d)',
    (way) => {
      const at = (ms: number) => [position('b', 'long', 100 * MINUTE + way * ms, 300 * MINUTE)]
      expect(paired(live, at(10 * MINUTE))).toEqual(['a true = b true', 'a false = b false'])
      expect(paired(live, at(10 * MINUTE + 1)).filter((pair) => pair.startsWith('a'))).toEqual(APART)
    },
  )

  test('on the other side, on another market or refused is another', () => {
    const there = (side: 'long' | 'short', marketId: string) => [
      position('b', side, 100 * MINUTE, 200 * MINUTE, marketId),
    ]
    const own = (pairs: readonly string[]) => pairs.filter((pair) => pair.startsWith('a'))
    expect(own(paired(live, there('long', 'BTC')))).toEqual(['a true = b true', 'a false = b false'])
    expect(own(paired(live, there('short', 'BTC')))).toEqual(APART)
    expect(own(paired(live, there('long', 'ETH')))).toEqual(APART)
    expect(own(paired(live, there('long', 'BTC'), () => true))).toEqual(APART)
  })

  test('is that of the nearest, and nobody’s twice', () => {
    const others = [8, 3, -4].map((bars, index) =>
      position(`b${index}`, 'long', (100 + bars) * MINUTE, 400 * MINUTE),
    )
    expect(paired(live, others)).toContain('a true = b1 true')
    const twins = [...live, position('c', 'long', 100 * MINUTE, 201 * MINUTE)]
    const pairs = paired(twins, [position('b', 'long', 101 * MINUTE, 199 * MINUTE)])
    expect(pairs.filter((pair) => pair.includes('b true'))).toEqual(['a true = b true'])
    expect(pairs).toContain('c true = nothing')
  })
})
