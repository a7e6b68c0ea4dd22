// The page of odds: every figure in the row of its name and the column of its kind, and no card of what there is not.

import { describe, expect, test } from 'vitest'
import type { Mean, Proportion, Quantile } from '../../../../src/backtest/evaluate/proportion.ts'
import { type OddsCase, renderOdds } from '../../../../src/backtest/report/oddsReport.ts'
import { distinctOdds } from '../odds/distinctOdds.ts'

const own = (change: object = {}): OddsCase => ({ ...distinctOdds(), rules: 'ours', varied: '', ...change })

const page = (cases: readonly OddsCase[], variedName = '', notes: readonly string[] = []) =>
  renderOdds({ title: 'x <b>', facts: [['Paths', '7']], variedName, cases, notes })

/** The cells of each row of a card, by the card's name. */
function rowsOf(text: string, card: string): string[][] {
  const section = text.split('<section').find((part) => part.includes(`aria-label="${card}"`)) ?? ''
  return Array.from(section.matchAll(/<tr>(.*?)<\/tr>/gs), ([, row = '']) =>
    Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell = '']) => cell),
  )
}

const cardsOf = (text: string) =>
  Array.from(text.matchAll(/<section class="card"[^>]* aria-label="([^"]*)"/g), ([, name]) => name)

const percent = (value: number, digits = 1) => `${(100 * value).toFixed(digits)}%`
const shareRow = (name: string, { count, share, low, high }: Proportion) => [
  ...[name, String(count), percent(share), `${percent(low)} to ${percent(high)}`],
]
const days = (name: string, quantiles: readonly Quantile[]) => [
  name,
  ...quantiles.map(({ value }) => value.toFixed(1)),
]
const whole = (value = 0) => value.toLocaleString('en-US')
const meanRow = (name: string, mean: Mean | null) => [
  ...[name, whole(mean?.value), `${whole(mean?.low)} to ${whole(mean?.high)}`],
]

describe('one case', () => {
  const text = page([own()], '', ['a note <i>'])
  const { passed, failed, failedBy, undecided, phases, funded, result, ...spreads } = distinctOdds()
  if (funded === null) throw new Error('it is funded')

  test('has the share of each outcome, of its phases and of the funded', () => {
    expect(rowsOf(text, 'Odds').slice(1)).toEqual([
      shareRow('Passed', passed),
      ...phases.flatMap((phase, index) => [
        shareRow(`Phase ${index + 1}, of those that began it: passed`, phase.passed),
        shareRow(`Phase ${index + 1}: failed by total loss`, phase.failedBy.totalLoss),
        shareRow(`Phase ${index + 1}: failed by daily loss`, phase.failedBy.dailyLoss),
      ]),
      shareRow('Failed', failed),
      shareRow('Failed by total loss', failedBy.totalLoss),
      shareRow('Failed by daily loss', failedBy.dailyLoss),
      shareRow('Undecided', undecided),
      shareRow('First payout', funded.paid),
      shareRow('Funded, failed before it', funded.failedUnpaid),
      shareRow('Of the funded, failed by total loss', funded.failedBy.totalLoss),
      shareRow('Of the funded, failed by daily loss', funded.failedBy.dailyLoss),
    ])
  })

  test('has its times and returns', () => {
    expect(rowsOf(text, 'Times and returns')).toEqual([
      ['What', '25%', '50%'],
      days('Days to pass', spreads.daysToPass),
      ...phases.map(({ daysToPass }, index) => days(`Days of phase ${index + 1}`, daysToPass)),
      days('Days to fail', spreads.daysToFail),
      days('Days to the first payout', funded.daysToFirstPayout),
      ['Return', ...spreads.totalReturn.map(({ value }) => percent(value))],
    ])
  })

  test('has its money, and its notes with nothing in them that is markup', () => {
    expect(rowsOf(text, 'Money')).toEqual([
      meanRow('First payout, where there is one', funded.firstPayout),
      meanRow('First payout, of every account', funded.expectedFirstPayout),
      meanRow('All payouts, of every account', funded.expectedPayouts),
      meanRow('Result of an account, after its fee', result),
    ])
    expect(text).toContain('<li>a note &lt;i&gt;</li>')
    expect(cardsOf(text)).toEqual(['Odds', 'Times and returns', 'Money', 'Notes'])
  })

  test('of one phase and without payouts has less', () => {
    const bare = page([own({ phases: phases.slice(0, 1), funded: null, result: null })])
    expect(cardsOf(bare)).toEqual(['Odds', 'Times and returns'])
    expect(rowsOf(bare, 'Odds').map(([name]) => name)).toEqual([
      ...['What', 'Passed', 'Failed', 'Failed by total loss', 'Failed by daily loss', 'Undecided'],
    ])
    const unpaid = page([own({ funded: { ...funded, firstPayout: null }, daysToPass: [] })])
    expect(rowsOf(unpaid, 'Money')[0]).toEqual(['First payout, where there is one', '–', ''])
    expect(rowsOf(unpaid, 'Times and returns')[1]).toEqual(['Days to pass', '–', '–'])
    expect(unpaid).not.toContain('Returns at the verdict or the end')
  })

  test('draws its returns, where there are any', () => {
    const returns = { from: [-0.1, 0], width: 0.1, count: [2, 4] }
    const drawn = page([own({ returns })])
    expect(drawn).toContain('Returns at the verdict or the end')
    expect(drawn.match(/<rect class="(?:loss|gain)"/g)).toEqual(['<rect class="loss"', '<rect class="gain"'])
    expect(drawn).toContain('<title>−10.0% to 0.0%: 2</title>')
    expect(drawn).toContain('<title>0.0% to 10.0%: 4</title>')
  })
})

describe('several cases', () => {
  const cases = [own({ varied: '2%' }), own({ varied: '1%', funded: null, result: null, daysToPass: [] })]

  test('stand side by side, on the same paths', () => {
    const text = page(cases, 'risk')
    const { passed, failedBy, undecided, funded, daysToPass, result } = distinctOdds()
    const common = [
      ...[percent(passed.share), `${percent(passed.low)} to ${percent(passed.high)}`],
      ...[percent(failedBy.dailyLoss.share), percent(failedBy.totalLoss.share), percent(undecided.share)],
    ]
    expect(rowsOf(text, 'Side by side')).toEqual([
      ['Rules', 'risk', 'Passed', '95%', 'Daily loss', 'Total loss', 'Undecided', 'Median days'].concat([
        ...['First payout', 'Expected', 'Result'],
      ]),
      [
        ...['ours', '2%', ...common, daysToPass[1]?.value.toFixed(1)],
        ...[percent(funded?.paid.share ?? 0), whole(funded?.expectedFirstPayout.value), whole(result?.value)],
      ],
      ['ours', '1%', ...common, '–', '–', '–', '–'],
    ])
    expect(cardsOf(text)).toEqual([
      ...['Odds by risk', 'Side by side', 'Odds: ours, risk 2%', 'Times and returns: ours, risk 2%'],
      ...['Money: ours, risk 2%', 'Odds: ours, risk 1%', 'Times and returns: ours, risk 1%'],
    ])
  })

  test('have a curve where numbers vary, a line of each outcome for each set of rules', () => {
    expect(cardsOf(page([own({ varied: 'low' }), own({ varied: 'high' })], 'risk'))).not.toContain(
      'Odds by risk',
    )
    expect(
      cardsOf(page([own({ varied: '1%' }), own({ rules: 'theirs', varied: '1%' })], 'risk')),
    ).not.toContain('Odds by risk')
    expect(cardsOf(page([own(), own({ rules: 'theirs' })]))[0]).toBe('Side by side')
    const both = [...cases, ...cases.map((one) => ({ ...one, rules: 'theirs' }))]
    for (const name of ['ours: passed', 'ours: failed', 'theirs: passed', 'theirs: failed'])
      expect(page(both, 'risk')).toContain(name)
    expect(page(cases, 'risk')).not.toContain('ours: passed')
  })

  test('say on the axis of the curve in which unit it varies, and draw none of several', () => {
    const axisOf = (...values: readonly string[]) =>
      Array.from(
        (
          page(
            values.map((varied) => own({ varied })),
            'risk',
          ).match(/<div class="moments">.*?<\/div>/s)?.[0] ?? ''
        ).matchAll(/<span>(.*?)<\/span>/g),
        ([, text]) => text,
      )
    expect(axisOf('0.5%', '1%', '1.5%')).toEqual(['0.5%', '0.75%', '1%', '1.25%', '1.5%'])
    expect(axisOf('0.5×', '2.5×')).toEqual(['0.5×', '1×', '1.5×', '2×', '2.5×'])
    expect(axisOf('10', '50')).toEqual(['10', '20', '30', '40', '50'])
    expect(axisOf('0.5%', '0.01')).toEqual([])
  })
})
