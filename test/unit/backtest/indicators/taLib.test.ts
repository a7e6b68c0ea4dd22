// What TA-Lib says of six hundred bars: its begin, every eleventh bar after it, and each change of its trend mode. The values were made by its build
// for WebAssembly (talib-web 0.1.3) and are kept; so is the bar of the first.

import { expect, test } from 'vitest'
import { madeBy } from '../../../api/packageIndicators.ts'
import taLib from './taLib.json' with { type: 'json' }
import { taLibCandles } from './taLibCandles.ts'

const COUNT = 600
const PARABOLIC =
  'indicators.parabolicStop({ begin: 0.02, step: 0.02, most: 0.2 }, { begin: 0.03, step: 0.01, most: 0.1 }, 0.01)'

test.each([
  ['HT_DCPERIOD', 'indicators.dominantCyclePeriod()', 'close', null],
  ['HT_DCPHASE', 'indicators.dominantCyclePhase()', 'close', null],
  ['HT_PHASOR inPhase', 'indicators.phasor()', 'close', 'inPhase'],
  ['HT_PHASOR quadrature', 'indicators.phasor()', 'close', 'quadrature'],
  ['HT_SINE sine', 'indicators.cycleSine()', 'close', 'sine'],
  ['HT_SINE leadSine', 'indicators.cycleSine()', 'close', 'lead'],
  ['HT_TRENDMODE', 'indicators.trendMode()', 'close', null],
  ['PLUS_DM', 'indicators.directionalMovement(14)', 'candle', 'plus'],
  ['MINUS_DM', 'indicators.directionalMovement(14)', 'candle', 'minus'],
  ['PLUS_DI', 'indicators.directionalIndicators(14)', 'candle', 'plus'],
  ['MINUS_DI', 'indicators.directionalIndicators(14)', 'candle', 'minus'],
  ['AROONOSC', 'indicators.aroonOscillator(25)', 'candle', null],
  ['SAREXT', PARABOLIC, 'candle', null],
] as const)('%s is %s', (name, made, of, line) => {
  const one = madeBy(made)
  const told = taLibCandles(COUNT).map((candle) => {
    const value = one.add(of === 'candle' ? candle : candle.close)
    return line === null || value === null ? value : (value as Record<string, unknown>)[line]
  })
  const kept = Object.entries(taLib[name])
  const first = Math.min(...kept.map(([bar]) => Number(bar)))
  expect(told.findIndex((value) => value !== null)).toBe(first)
  expect(one.getRequiredInputs?.()).toBe(first + 1)
  const far = kept.filter(
    ([bar, value]) => !(Math.abs(Number(told[Number(bar)]) - value) <= 1e-8 * Math.max(Math.abs(value), 1)),
  )
  expect(far).toEqual([])
})

test('the kept bars are both in trends and in waves', () => {
  expect(new Set(Object.values(taLib.HT_TRENDMODE))).toEqual(new Set([0, 1]))
})
