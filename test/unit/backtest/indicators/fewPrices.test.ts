// What each indicator of the package says of bars whose prices are few, so that they are often equal, of stretches without any move, and of
// its first bars, is kept: where two formulas differ only there, only that tells them apart.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import type { Candle } from '../../../../src/backtest/strategy/indicator.ts'
import { OWN_INDICATORS } from '../../../api/ownIndicators.ts'
import { madeBy } from '../../../api/packageIndicators.ts'

const BARS = 360

/** @param begin bars before the first move. */
function fewPrices(begin: number): Candle[] {
  const random = new Random('few prices of indicators')
  let close = 100
  return Array.from({ length: BARS }, (_, at) => {
    const isStill = at < begin || (at > 60 && at < 110) || (at > 200 && at < 290)
    const open = close
    if (!isStill) close = Math.max(90, Math.min(110, close + random.below(5) - 2))
    const [up, down] = isStill ? [0, 0] : [random.below(3), random.below(3)]
    return {
      ...{ open, close, high: Math.max(open, close) + up, low: Math.min(open, close) - down },
      volume: isStill ? 0 : random.below(4) * 10,
      time: at * 60_000,
    } as Candle
  })
}

/** To nine digits: the last ones of powers and logarithms differ between versions of Node. */
function written(value: unknown): string {
  if (typeof value === 'number') return Math.abs(value) < 1e-9 ? '0' : String(Number(value.toPrecision(9)))
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, of]) => `${name} ${written(of)}`)
    .join(', ')
}

test.each(Object.keys(OWN_INDICATORS))('%s say what they said', async (kind) => {
  const histories = [fewPrices(0), fewPrices(190)]
  const lines = (OWN_INDICATORS[kind] ?? []).map(([, made, of]) => {
    const told = histories.flatMap((bars) => {
      const one = madeBy(made)
      return bars.map((bar) =>
        written(one.add(of === undefined ? bar.close : of === 'candle' ? bar : bar.volume)),
      )
    })
    const hash = createHash('sha256').update(told.join('\n')).digest('hex').slice(0, 8)
    return `${made} ${new Set(told).size} ${hash} ${told.at(-1)}`
  })
  expect(lines.length).toBeGreaterThan(0)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`kept/${kind.replace(/\W+/g, '-')}.txt`)
})
