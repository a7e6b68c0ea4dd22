// Bars of a histogram: each as high as its count, in the colour of its side, and with its bounds in words.

import { expect, test } from 'vitest'
import { barChart } from '../../../../src/backtest/report/barChart.ts'

const text = (value: number) => `<${value}>`
const rects = (page: string) =>
  Array.from(
    page.matchAll(
      /<rect class="(\w+)" x="([\d.]+)" width="([\d.]+)" y="([\d.]+)" height="([\d.]+)"><title>(.*?)<\/title>/g,
    ),
    ([, colour, ...rest]) => [colour, ...rest.slice(0, 4).map(Number), rest[4]],
  )

test('a bar for each count but of none, as wide as the others and as high as its part of the most', () => {
  const page = barChart('Returns', { from: [-2, -1, 0, 1], width: 1, count: [1, 4, 0, 3] }, text)?.text ?? ''
  expect(rects(page)).toEqual([
    ['loss', 20, 210, 120, 40, '&lt;-2&gt; to &lt;-1&gt;: 1'],
    ['loss', 270, 210, 0, 160, '&lt;-1&gt; to &lt;0&gt;: 4'],
    ['gain', 770, 210, 40, 120, '&lt;1&gt; to &lt;2&gt;: 3'],
  ])
  expect(page).toContain('aria-label="Returns"')
  expect(page).toContain('<span style="top:0%">4</span><span style="top:100%">0</span>')
  expect(page).toContain('<span>&lt;-2&gt;</span><span>&lt;0&gt;</span><span>&lt;2&gt;</span>')
})

test('a bar that begins at nothing is a gain; without bars there is no drawing', () => {
  const page = barChart('', { from: [0], width: 5, count: [1] }, text)?.text ?? ''
  expect(rects(page)).toEqual([['gain', 80, 840, 0, 160, '&lt;0&gt; to &lt;5&gt;: 1']])
  expect(page).toContain('<span>&lt;0&gt;</span><span>&lt;2.5&gt;</span><span>&lt;5&gt;</span>')
  expect(barChart('', null, text)).toBeNull()
})
