// The round numbers beside a chart, and its legend.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineChart, ticks } from '../../../../src/backtest/report/lineChart.ts'

test('they are all multiples in the range of 1, 2 or 5 times a power of ten, no closer than was asked for', () => {
  let none = 0
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 12 }),
      (from, width, about) => {
        // No round number is at an edge: a chart leaves room there.
        const [least, most] = [(from + 0.31) / 1_000, (from + width + 0.57) / 1_000]
        const drawn = ticks(least, most, about)
        const rough = (most - least) / about
        const steps = Array.from({ length: 14 }, (_, at) => 10 ** (at - 6)).flatMap((power) => [
          power,
          2 * power,
          5 * power,
        ])
        const step = steps.find((one) => one >= rough * (1 - 1e-9)) as number
        const expected: number[] = []
        for (let at = Math.ceil(least / step - 1e-9); at * step <= most + 1e-9 * step; at++)
          expected.push(Number((at * step).toPrecision(9)))
        expect(drawn.map((tick) => Number(tick.toPrecision(9)))).toEqual(expected)
        if (drawn.length === 0) none += 1
      },
    ),
    { numRuns: 500 },
  )
  expect(none).toBeGreaterThan(0)
})

test('every line is in the legend as it is drawn, and looks like none of its neighbours', () => {
  for (let count = 1; count <= 12; count++) {
    const lines = Array.from({ length: count }, (_, at) => ({ name: `line ${at}`, x: [0, 1], y: [at, at] }))
    const { text } = lineChart({ label: '', lines, xText: String, yText: String })
    const [figure, legend = ''] = text.split('<figcaption')
    const looks = (part: string | undefined) =>
      Array.from((part ?? '').matchAll(/<path class="(line[^"]*)"/g), ([, look]) => look)
    expect(looks(figure)).toHaveLength(count)
    expect(new Set(looks(figure)).size).toBe(count)
    expect(looks(legend)).toEqual(count === 1 ? [] : looks(figure))
  }
})

test('a line goes through its points, straight or in steps, begins anew behind a gap, and stays within its frame', () => {
  const value = fc.option(fc.integer({ min: -1_000, max: 1_000 }))
  const lines = fc
    .array(value, { minLength: 2, maxLength: 9 })
    .filter((y) => y.filter((one) => one !== null).length > 1)
  fc.assert(
    fc.property(lines, fc.boolean(), (y, stepped) => {
      const x = [...y.keys()]
      const { text } = lineChart({
        label: '',
        stepped,
        lines: [{ name: '', x, y }],
        xText: String,
        yText: String,
      })
      const [, height = ''] = /viewBox="0 0 [0-9.]+ ([0-9.]+)" preserveAspectRatio/.exec(text) ?? []
      const [, path = ''] = /<path class="line[^"]*" d="(M[^"]*)"/.exec(text) ?? []
      const drawn = y.flatMap((one, at) =>
        one === null ? [] : [y[at - 1] == null ? 'M' : stepped ? 'HV' : 'L'],
      )
      expect(path.replace(/[^A-Z]/g, '')).toBe(drawn.join(''))
      for (const [, down] of path.matchAll(/(?:[ML]-?[0-9.]+ |V)(-?[0-9.]+)/g)) {
        expect(Number(down)).toBeGreaterThan(0)
        expect(Number(down)).toBeLessThan(Number(height))
      }
    }),
  )
})
