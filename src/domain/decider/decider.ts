/**
 * The textbook pair, pure and public: `decide(state, command)` gives events or a rejection, `evolve(state, event)` the next
 * state. They run the same rules and recipes as the engine, which applies them in place; a law holds the two equal over
 * random commands (`test/properties/decider.test.ts`).
 */
import { produce } from 'immer'
import type { Caller, Command } from '../../events/command.ts'
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import type { Rejection } from '../../terms/errors.ts'
import { decide as decideInPlace } from '../commands/decide.ts'
import { apply } from '../evolve/apply.ts'
import { moveClock } from '../evolve/clock.ts'
import { endsOrder } from '../evolve/orderReducers.ts'
import { Decision } from '../flows/decision.ts'
import type { Position } from '../state/position.ts'
import { type EndedState, recordsOf, type VenueState, worldOf } from './venueState.ts'

/** What became of a command. An accepted command without events changed nothing but the time. */
export type Decided =
  | { readonly rejection: null; readonly events: readonly Event[] }
  | { readonly rejection: Rejection; readonly events: readonly [] }

/** When and by whom a command is given. */
export interface DecisionTerms {
  /** Epoch ms, not before `state.now`; default: `state.now`, of an `advanceTime` what it advances to. */
  readonly at?: number
  /** The trader who asks; default: nobody in particular, who may do anything. */
  readonly caller?: Caller | null
}

/**
 * Decides a command. What falls due at `state.nextDueAt` belongs before any command of that time or later: decide an
 * `advanceTime` there first, as the engine does (E4, H5).
 *
 * ```ts
 * let state = initialState
 * for await (const commit of engine.commits({ from: 1 })) state = evolveCommit(state, commit)
 * const { events } = decide(state, { type: 'closeAll', accountId: ALICE })
 * events.map(({ type }) => type).join() // → orderPlaced,orderExecuted,closePosition
 * ```
 *
 * @throws RangeError for a time before the state's, or beyond what is due.
 */
export function decide(state: VenueState, command: Command, terms: DecisionTerms = {}): Decided {
  const isTime = command.type === 'advanceTime'
  const { at = isTime ? state.now + command.ms : state.now, caller = null } = terms
  if (at < state.now) throw new RangeError(`the state is of ${state.now}, later than ${at}`)
  if (at > state.nextDueAt || (at === state.nextDueAt && !isTime))
    throw new RangeError(`an advanceTime to ${state.nextDueAt} belongs before ${at}`)
  const decision = new Decision(worldOf(state))
  decision.begin(at)
  const { rejected: rejection } = decideInPlace(decision, command, caller)
  return rejection === null ? { rejection, events: decision.events() } : { rejection, events: [] }
}

/**
 * The state after an event that happened at `at`, epoch ms; the state given stays as it is.
 *
 * ```ts
 * let state = initialState
 * for await (const { at, events } of engine.commits({ from: 1 }))
 *   for (const event of events) state = evolve(state, event, at)
 * state.positions.length // → 1
 * ```
 */
export function evolve(state: VenueState, event: Event, at: number = state.now): VenueState {
  return evolved(state, { seq: state.seq, at, events: [event] })
}

/**
 * The state after a commit: its events one by one, its time and its sequence.
 *
 * ```ts
 * let state = initialState
 * for await (const commit of engine.commits({ from: 1 })) state = evolveCommit(state, commit)
 * state.seq === engine.head // → true
 * ```
 */
export function evolveCommit(state: VenueState, commit: Pick<Commit, 'seq' | 'at' | 'events'>): VenueState {
  return evolved(state, commit)
}

function evolved(state: VenueState, { seq, at, events }: Pick<Commit, 'seq' | 'at' | 'events'>): VenueState {
  const world = worldOf(state)
  const endedOrders: EndedState[] = []
  const endedPositions: EndedState[] = []
  moveClock(world, at)
  for (const event of events) {
    const position = apply(world, event, at)
    if (position !== null && position.status !== 'opened') endedPositions.push(endedState(position))
    // Whatever an account has ends before its phase does, so it belongs to the phase that the account is in.
    if (endsOrder(event)) {
      const { orderId: id, accountId } = event
      const { phaseOrdinal } = world.accounts.known(accountId)
      endedOrders.push({ id, accountId, phaseOrdinal })
    }
  }
  world.seq = seq
  const { markets, accounts, orders, positions, apiKeys, ...rest } = recordsOf(world)
  return produce(state, (draft: Mutable<VenueState>) => {
    Object.assign(draft, rest)
    draft.markets = shared(state.markets, markets)
    draft.accounts = shared(state.accounts, accounts)
    draft.orders = shared(state.orders, orders)
    draft.positions = shared(state.positions, positions)
    draft.apiKeys = shared(state.apiKeys, apiKeys)
    if (endedOrders.length > 0) draft.endedOrders = [...state.endedOrders, ...endedOrders]
    if (endedPositions.length > 0) draft.endedPositions = [...state.endedPositions, ...endedPositions]
  })
}

function endedState({ id, accountId, phaseOrdinal }: Position): EndedState {
  return { id, accountId, phaseOrdinal }
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/** The records of now, but those of before where nothing about them has changed. */
function shared<T extends { readonly id: string }>(before: readonly T[], now: readonly T[]): readonly T[] {
  const known = new Map(before.map((record) => [record.id, record]))
  const records = now.map((record) => {
    const earlier = known.get(record.id)
    return earlier !== undefined && isSame(earlier, record) ? earlier : record
  })
  return records.length === before.length && records.every((record, place) => record === before[place])
    ? before
    : records
}

function isSame<T extends object>(a: T, b: T): boolean {
  for (const field in b) if (!Object.is(a[field], b[field])) return false
  return true
}
