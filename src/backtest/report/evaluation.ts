/** The verdict of the evaluation with its moment and its reason, and how near the run came to each rule. */

import { change, moment, money, NO_VALUE, share } from '../output/presentation.ts'
import type { BacktestResult } from '../run/run.ts'

export interface EvaluationSection {
  readonly outcome: 'passed' | 'failed' | 'undecided'
  readonly title: string
  readonly reason: string
  readonly rules: readonly EvaluationRule[]
}

export interface EvaluationRule {
  readonly name: string
  readonly limit: string
  readonly reached: string
  readonly definition: string
  /** How much of the goal is reached or of the limit is used, 0 to 1; null where it is not known or off. */
  readonly progress: number | null
  readonly kind: 'goal' | 'limit'
}

export function evaluationSection(result: BacktestResult): EvaluationSection {
  return {
    outcome: result.verdict.outcome,
    title: TITLES[result.verdict.outcome],
    reason: reasonOf(result),
    rules: [profitTarget(result), profitableDays(result), dailyLoss(result), totalLoss(result)],
  }
}

const TITLES = { passed: 'Passed', failed: 'Failed', undecided: 'Undecided' }

function reasonOf({ verdict }: BacktestResult): string {
  switch (verdict.outcome) {
    case 'passed':
      return `Profit target, profitable days and a flat account came together on ${moment(verdict.at)} UTC.`
    case 'failed': {
      const { rule, equity, floor } = verdict.breach
      const name = rule === 'total_loss' ? 'Total loss limit' : 'Daily loss limit'
      return `${name} broken on ${moment(verdict.at)} UTC: equity ${money(equity)} fell below the floor of ${money(floor)}.`
    }
    case 'undecided':
      return 'The data ended before the profit target or a loss limit was reached.'
  }
}

function profitTarget({ account, verdict }: BacktestResult): EvaluationRule {
  const gained = account.accountBalance - account.initialAccountBalance
  const reached = Number(gained) / Number(account.initialAccountBalance)
  const target = Number(account.profitTarget) / 1e9
  const passed = verdict.outcome === 'passed'
  return {
    name: 'Profit target',
    limit: share(target),
    reached: `${passed ? 'reached; ' : ''}${change(gained)} (${share(reached)}) realized at the end`,
    definition: 'Balance to gain over the initial balance, with no position open.',
    progress: passed ? 1 : target > 0 ? within(reached / target) : null,
    kind: 'goal',
  }
}

function profitableDays({ account }: BacktestResult): EvaluationRule {
  const { profitableDays: days, minTradingDays: least } = account
  return {
    name: 'Profitable days',
    limit: String(least),
    reached: `${days} finished`,
    definition: 'Finished UTC days whose realized pnl, net of fees and funding, is large enough.',
    progress: least > 0 ? within(days / least) : null,
    kind: 'goal',
  }
}

function dailyLoss({ account, leastDailyHeadroom, initialBalance, freezes, verdict }: BacktestResult) {
  const broken = verdict.outcome === 'failed' && verdict.breach.rule === 'daily_loss'
  return lossRule(
    'Daily loss limit',
    `Equity must not fall further below its value at midnight UTC than this${freezes > 0 ? `; the account was frozen ${freezes} time(s)` : ''}.`,
    account.maxDailyDrawdown,
    broken ? 0n : leastDailyHeadroom,
    initialBalance,
    broken,
  )
}

function totalLoss({ account, leastTotalHeadroom, initialBalance, verdict }: BacktestResult) {
  const broken = verdict.outcome === 'failed' && verdict.breach.rule === 'total_loss'
  return lossRule(
    'Total loss limit',
    `Equity must not fall below this share of the initial balance (${account.riskStatus.drawdownMode.replace('_', ' ')}).`,
    account.maxTotalDrawdown,
    broken ? 0n : leastTotalHeadroom,
    initialBalance,
    broken,
  )
}

function lossRule(
  name: string,
  definition: string,
  limit: bigint,
  headroom: bigint | null,
  balance: bigint,
  broken: boolean,
): EvaluationRule {
  const rate = Number(limit) / 1e9
  if (rate >= 1) return { name, definition, limit: 'off', reached: NO_VALUE, progress: null, kind: 'limit' }
  const left = headroom === null ? null : Number(headroom) / (Number(balance) * rate)
  return {
    name,
    definition,
    limit: share(rate),
    reached: broken
      ? 'broken'
      : headroom === null
        ? 'never in play'
        : `least headroom ${money(headroom)} with a position open`,
    progress: left === null ? 0 : within(1 - left),
    kind: 'limit',
  }
}

function within(value: number): number {
  return Math.min(Math.max(value, 0), 1)
}
