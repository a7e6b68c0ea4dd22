import { expect, test } from 'vitest'
import { costCard, evaluationCard } from '../../../../src/backtest/report/sections.ts'

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
