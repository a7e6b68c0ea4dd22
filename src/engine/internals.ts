/** What the host and the backtest ask of an engine and nobody else has to: `margin-core/internal` exports some of it. */
import type { Market } from '../domain/state/market.ts'
import { NO_ROW, type Order, orderState } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { QuietRange } from '../domain/state/triggers.ts'
import type { Caller, Command, PlatformCommand } from '../events/command.ts'
import type { Commit } from '../events/commit.ts'
import type { PlaceOrder } from '../events/placeOrder.ts'
import { AccountsImage } from '../projections/accountsImage.ts'
import { type EquityColumns, equityColumnsOf } from '../projections/equityColumns.ts'
import type { AskedHistory } from '../projections/history.ts'
import { type Engine, partsOf } from './engine.ts'
import type { Outcome } from './outcome.ts'
import { answerPast, foreknow, type PastAnswerOf, type PastQuery } from './pastQueries.ts'
import type { QueryOutcome } from './queries.ts'
import type { Listener, Subscription } from './subscriptions.ts'
import { type NotTried, type TrialLimits, type Tried, tried } from './trial.ts'
import { type WantedNotional, wantedNotional } from './wantedNotional.ts'

/**
 * What an earlier `placeOrder` under this key of this user answers for a new one at time `at`, epoch ms: its stored
 * outcome once that is durable, `idempotency_key_in_flight` until then, or null when the key is free (I4, K6).
 *
 * @throws EngineStopped when the engine has stopped.
 */
export function earlierOutcome(
  engine: Engine,
  userId: string,
  key: string,
  at: number,
): Outcome<PlaceOrder> | null {
  const { bus, standing } = partsOf(engine)
  standing.mustRead()
  return bus.earlier(userId, key, at)
}

/** Closes an engine and keeps no snapshot: for whoever kept one just before, and has somebody waiting for the store. */
export function closeAsItIs(engine: Engine): Promise<void> {
  return partsOf(engine).closeAsItIs()
}

/** Whether a command repeats one under the same `commandId`, whose outcome would be its answer at time `at`, epoch ms. */
export function isGivenAgain(engine: Engine, command: Command, at: number): boolean {
  return partsOf(engine).bus.givenBefore(command, at) !== undefined
}

/** The index prices at which a tick of the market would change nothing but the price; null where the next tick has to be decided. */
export function quietRangeOf(engine: Engine, marketId: string): QuietRange | null {
  const { markets, triggers } = partsOf(engine).folded.world
  const market = markets.get(marketId)
  const range = market === undefined ? null : triggers.quietRange(market)
  return range === null ? null : { above: range.above, below: range.below }
}

/**
 * Calls `see` with every commit while the state is as that commit left it, before it is durable; not with ticks that do
 * nothing but move a price. It must not throw, and must not dispatch. Returns what ends it.
 */
export function seeCommits(engine: Engine, see: (commit: Commit) => void): () => void {
  return partsOf(engine).bus.seeCommits(see)
}

/** {@link Engine.subscribe} for whoever of the host changes nothing of a commit and keeps none: it comes as it is, not frozen. */
export function readCommits(engine: Engine, listener: Listener, name: string): Subscription {
  return partsOf(engine).audience.subscriptions.addReader(listener, name)
}

/** Which version an open position has; null where it is not open, or another user's. */
export function versionOf(engine: Engine, userId: string, positionId: string): number | null {
  const { positions, accounts } = partsOf(engine).folded.world
  const position = positions.read(positionId)
  if (position === undefined || accounts.known(position.accountId).userId !== userId) return null
  return position.version
}

/** Copies of the resting orders and open positions of an account, oldest first; trailing stops without their peaks. */
export function openOf(engine: Engine, accountId: string): { orders: Order[]; positions: Position[] } {
  const account = partsOf(engine).folded.world.accounts.get(accountId)
  if (account === undefined) return { orders: [], positions: [] }
  return {
    orders: Array.from(account.orders, (order) => ({ ...orderState(order), peak: null, row: NO_ROW })),
    positions: Array.from(account.positions, (position) => ({ ...position })),
  }
}

/** The markets of an engine, as it has them: to be read at once and not to be changed. */
export function marketsOf(engine: Engine): Iterable<Readonly<Market>> {
  return partsOf(engine).folded.world.markets.values()
}

/** What a trader may read of what has ended, wherever its history lists are. As {@link Engine.query}. */
export function queryPast<Q extends PastQuery>(
  engine: Engine,
  query: Q,
  caller: Caller | null,
): Promise<QueryOutcome<PastAnswerOf<Q>>> {
  const { folded, standing } = partsOf(engine)
  standing.mustRead()
  return answerPast(folded.world, engine.read, folded.history.asked, query, caller)
}

/** The history lists where they are in a database; undefined: `engine.read` has them. */
export function askedHistoryOf(engine: Engine): AskedHistory | undefined {
  return partsOf(engine).folded.history.asked
}

/**
 * Loads from the history tables what the decision about a command depends on; null, mostly, where nothing has to be loaded. The
 * command is to be given right after this resolves: what was loaded is kept for a while only.
 */
export function foreknown(engine: Engine, command: Command): Promise<void> | null {
  const { world, history } = partsOf(engine).folded
  if (history.asked === undefined) return null
  const orderId = 'orderId' in command ? command.orderId : null
  const positionId = 'positionId' in command ? command.positionId : null
  return foreknow(world, history.asked, { orderId, positionId })
}

/** What a command would open at most; null where it opens nothing, or cannot be paid for. */
export function wantedNotionalOf(
  engine: Engine,
  command: Command,
  caller: Caller | null,
): WantedNotional | null {
  return wantedNotional(partsOf(engine).folded.world, command, caller)
}

/**
 * What a platform command would do now, without doing it: decided in pieces on a copy of what it concerns. Its events are
 * those that the command would make; nothing of the engine changes. `at`: epoch ms, with nothing due before it.
 */
export function tryCommand(
  engine: Engine,
  command: PlatformCommand,
  at: number,
  limits: TrialLimits,
): Generator<undefined, Tried | NotTried> {
  const { folded, standing } = partsOf(engine)
  standing.mustRead()
  return tried(folded.world, command, at, limits)
}

/** The accounts of an engine as they are now, to be walked while commands go on; to be released afterwards. */
export function accountsImageOf(engine: Engine): AccountsImage {
  return new AccountsImage(partsOf(engine).folded.world)
}

/** What the accounts of an engine are sorted by; null where there are fewer than `fewest` of them. */
export function columnsOf(engine: Engine, fewest: number): EquityColumns | null {
  const { world } = partsOf(engine).folded
  return world.accounts.size < fewest ? null : equityColumnsOf(world)
}
