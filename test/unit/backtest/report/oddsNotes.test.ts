// The notes of an odds page are all on it, and where there is none there is no place for them.

import { expect, test } from 'vitest'
import { renderOdds } from '../../../../src/backtest/report/oddsReport.ts'

const page = (notes: readonly string[]) =>
  renderOdds({ ...{ title: 'odds', facts: [], variedName: '', cases: [] }, notes })

test('every note is there, as text', () => {
  const text = page(['the first', 'a < b'])
  expect(text).toContain('<li>the first</li><li>a &lt; b</li>')
  expect(text).toContain('aria-label="Notes"')
  expect(page([])).not.toContain('aria-label="Notes"')
})
