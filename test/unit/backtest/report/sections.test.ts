import { expect, test } from 'vitest'
import {
  ambiguityCard,
  ambiguousBarsCard,
  costCard,
  evaluationCard,
} from '../../../../src/backtest/report/sections.ts'

const meters = (kind: 'limit' | 'goal', ...progress: number[]) => {
  const rules = progress.map((share) => ({
    name: 'r',
    limit: '',
    reached: '',
    definition: '',
    progress: share,
    kind,
  }))
  const page = evaluationCard({ outcome: 'passed', title: '', reason: '', rules } as never).text
  return Array.from(
    page.matchAll(/class="meter (\w+)" role="img" aria-label="([^"]+)"/g),
    ([, state, label]) => [state, label],
  )
}

test('a limit is near from three quarters on and broken at the whole of it; a goal is neither', () => {
  expect(meters('limit', 0.744, 0.746, 0.994, 0.996, 1.2)).toEqual([
    ['fine', '74% used'],
    ['near', '75% used'],
    ['near', '99% used'],
    ['broken', '100% used'],
    ['broken', '120% used'],
  ])
  expect(meters('goal', 0.5, 1)).toEqual([
    ['goal', '50% reached'],
    ['goal', '100% reached'],
  ])
})

test('a bar is as long as the cost weighs, and a sum has none', () => {
  const cost = { name: 'c', value: '', definition: '', ofBalance: '' }
  const page = costCard([0, 0.254, 1, null].map((weight) => ({ ...cost, weight })) as never, 'in all').text
  expect(Array.from(page.matchAll(/width:(\d+)%/g), ([, width]) => width)).toEqual(['0', '25', '100', '0'])
  expect(page.match(/class="total"/g)).toHaveLength(1)
})

test('what was ambiguous: a table where there are rows, none where there are none, and how many are not shown', () => {
  const bar = { time: 't', asset: 'BTC', stop: '1', take: '2', outcome: 'stop' }
  const divergence = { time: 't', asset: 'BTC', side: 'long', adverse: '1', optimistic: '2', difference: '1' }
  const few = [0, 1]
  for (const bars of few)
    for (const divergences of few)
      for (const deciding of few) {
        const bounds = {
          rows: [['worst', '1', 'failed', '2']] as const,
          sentence: '',
          deciding: Array.from({ length: deciding }, () => ['t', 'BTC', '1'] as const),
          total: 4 * deciding,
        }
        const section = {
          total: 2 * bars,
          bars: Array.from({ length: bars }, () => bar),
          comparison: {
            rows: [['Net profit', '1', '2']] as const,
            divergences: Array.from({ length: divergences }, () => divergence),
            total: 3 * divergences,
            sentence: '',
            bounds,
          },
        }
        const lists = ambiguousBarsCard(section)?.text ?? ''
        const page = ambiguityCard(section).text + lists
        expect(lists === '').toBe(bars + divergences + deciding === 0)
        expect(page.match(/<tbody>\s*<\/tbody>/)).toBeNull()
        expect(page.match(/<table>/g)).toHaveLength(2 + bars + divergences + deciding)
        expect(Array.from(page.matchAll(/<h3>([^<]*)<\/h3>/g), ([, heading]) => heading)).toEqual([
          'Mixed orders',
          ...(divergences ? ['Bars that decided a trade (the first 1 of 3)'] : []),
          ...(deciding ? ['Bars whose order decides (the first 1 of 4)'] : []),
          ...(bars ? ['Bars with a stop and a take-profit in range (the first 1 of 2)'] : []),
        ])
        // However many there are, a list is no taller than its place, and what stands beside the costs is none.
        expect(lists.match(/class="scroll long"/g) ?? []).toHaveLength(bars + divergences + deciding)
        expect(page).not.toContain('Run with both paths')
      }
  const alone = ambiguityCard({ total: 0, bars: [], comparison: null }).text
  expect(ambiguousBarsCard({ total: 0, bars: [], comparison: null })).toBeNull()
  expect(alone).toContain('Run with both paths')
  expect(alone).not.toContain('<table>')
})
