/** What another rule would have made of the same log: the past as it was, one rule changed, the tail decided anew. */

import { decide } from '../domain/commands/decide.ts'
import { Decision } from '../domain/flows/decision.ts'
import { equityOf } from '../domain/formulas/equity.ts'
import { balanceOf } from '../domain/state/account.ts'
import { LevelTriggers } from '../domain/triggers/levelTriggers.ts'
import type { Command, MarketConfiguration } from '../events/command.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import type { Leverage, Quote } from '../quantity/units.ts'
import type { Rejection } from '../terms/errors.ts'
import { Folded } from './fold.ts'
import { redecide, runDueBefore } from './redecide.ts'
import { firstDifference } from './verify.ts'

/** The one thing that is different. Commands of the tail that change the same thing still do. */
export type RuleChange =
  /** Parameters of a listed market. */
  | { readonly rule: 'market'; readonly market: MarketConfiguration }
  /** No market allows more than this leverage. */
  | { readonly rule: 'maxLeverage'; readonly leverage: Leverage }
  /** No 60-second profit adjustment (D1). */
  | { readonly rule: 'noProfitCap' }
  /** `stop` and `trailing_stop` orders rest and never fire. */
  | { readonly rule: 'noStops' }

/** An account at the end of the log, once as it was and once as it would have been. */
export interface AccountDifference {
  readonly accountId: string
  readonly was: AccountEnd
  readonly would: AccountEnd
}

/** Money and equity of an account at the end of a log. */
export interface AccountEnd {
  readonly free: Quote
  readonly reserve: Quote
  readonly margin: Quote
  readonly balance: Quote
  readonly equity: Quote
}

/** The first event that is not the same. */
export interface FirstDifference {
  /** Sequence of the commit. */
  readonly seq: number
  /** Engine time of the commit, epoch ms. */
  readonly at: number
  readonly command: Command
  readonly was: Event | null
  readonly would: Event | null
  readonly rejection: Rejection | null
}

/** What {@link forkLog} found: the log as it was and as it would have been. */
export interface Fork {
  /** Sequence of the last commit that is as it was. */
  readonly from: number
  /** Sequence of the last commit of the log. */
  readonly head: number
  /** Accounts that end otherwise. */
  readonly accounts: readonly AccountDifference[]
  readonly house: { readonly was: Quote; readonly would: Quote }
  /** The first event that is not the same; null where all are. */
  readonly first: FirstDifference | null
  /** How many commits of the tail have other events, those whose command would have been refused among them. */
  readonly differing: number
  /** How many commits of the tail have a command that would have been refused. */
  readonly refused: number
}

/**
 * Replays a log twice: as it was, and with one rule changed after commit `from`. `onProgress` is told now and then how many
 * `commits` have been replayed.
 *
 * ```ts
 * const fork = await forkLog(log(), engine.head - 1, { rule: 'maxLeverage', leverage: fp9('2') })
 * fork.refused // → 1
 * ```
 *
 * @throws RangeError where the change itself would be refused, or the log ends before `from`.
 */
export async function forkLog(
  log: AsyncIterable<readonly Commit[]>,
  from: number,
  change: RuleChange,
  onProgress?: (commits: number) => void,
): Promise<Fork> {
  const was = new Folded((world) => new LevelTriggers(world))
  const would = new Folded((world) => new LevelTriggers(world))
  let [first, differing, refused]: [FirstDifference | null, number, number] = [null, 0, 0]
  if (from === 0) throw new RangeError('the first commit is the beginning of the engine: fork after it')
  for await (const run of log) {
    for (const commit of run) {
      was.fold(commit)
      if (commit.seq <= from) would.fold(commit)
      else {
        const due = runDueBefore(would, commit)
        const decided = redecide(would, commit)
        const events = [...due, ...decided.events]
        const index = firstDifference(commit.events, events)
        if (decided.rejection !== null && index !== null) refused += 1
        if (index !== null) differing += 1
        if (index !== null && first === null)
          first = {
            seq: commit.seq,
            at: commit.at,
            command: commit.command,
            was: commit.events[index] ?? null,
            would: events[index] ?? null,
            rejection: decided.rejection,
          }
      }
      if (commit.seq === from) changeRule(would, change)
    }
    onProgress?.(was.world.seq)
  }
  if (was.world.seq < from) throw new RangeError(`the log ends at commit ${was.world.seq}`)
  return {
    from,
    head: was.world.seq,
    accounts: differences(was, would),
    house: { was: was.world.house, would: would.world.house },
    first,
    differing,
    refused,
  }
}

function changeRule(folded: Folded, change: RuleChange): void {
  const { world } = folded
  switch (change.rule) {
    case 'noProfitCap':
      world.rules = { ...world.rules, profitWindowMs: 0 }
      return
    case 'noStops':
      world.rules = { ...world.rules, stopsFire: false }
      return
    case 'maxLeverage':
      for (const { id, parameters } of [...world.markets.values()])
        if (parameters.maxLeverage > change.leverage) configure(folded, { id, maxLeverage: change.leverage })
      return
    case 'market':
      if (!world.markets.has(change.market.id)) throw new RangeError(`no market ${change.market.id}`)
      return configure(folded, change.market)
  }
}

/** Between two commits, and part of neither: it takes no sequence. */
function configure({ world }: Folded, market: MarketConfiguration): void {
  const decision = new Decision(world)
  decision.begin(world.now)
  const { rejected } = decide(decision, { type: 'configureMarket', market }, null)
  if (rejected !== null)
    throw new RangeError(`the change is refused: ${rejected.details?.join() ?? rejected.code}`)
}

function differences(was: Folded, would: Folded): AccountDifference[] {
  // Where the last commands are refused, the forked clock stays behind.
  const { now } = was.world
  return [...was.world.accounts.keys()]
    .map((accountId) => ({ accountId, was: endOf(was, accountId, now), would: endOf(would, accountId, now) }))
    .filter(({ was, would }) =>
      (Object.keys(was) as (keyof AccountEnd)[]).some((field) => was[field] !== would[field]),
    )
}

function endOf({ world }: Folded, accountId: string, now: number): AccountEnd {
  const account = world.accounts.get(accountId)
  if (account === undefined) return { free: 0n, reserve: 0n, margin: 0n, balance: 0n, equity: 0n }
  const { free, reserve, margin } = account
  return { free, reserve, margin, balance: balanceOf(account), equity: equityOf(world, account, now) }
}
