// A state as plain records, and an engine that goes on from it: what makes a step cheap is that nothing before it is
// played again.

import { hold } from '../../src/domain/evolve/applyPositionEvent.ts'
import { rest } from '../../src/domain/evolve/resting.ts'
import { lossFloor } from '../../src/domain/formulas/drawdown.ts'
import type { Account } from '../../src/domain/state/account.ts'
import type { IdSpace } from '../../src/domain/state/ids.ts'
import { emptyMarket, type Market, type MarketState, marketState } from '../../src/domain/state/market.ts'
import { PositionList } from '../../src/domain/state/openPositions/positionList.ts'
import { NO_ROW, type OrderState, orderState } from '../../src/domain/state/order.ts'
import type { Position } from '../../src/domain/state/position.ts'
import { OrderList } from '../../src/domain/state/restingOrders/orderList.ts'
import type { World } from '../../src/domain/state/world.ts'
import { Audience } from '../../src/engine/audience.ts'
import { Engine } from '../../src/engine/engine.ts'
import { Folded, type TriggersFactory } from '../../src/engine/fold.ts'
import type { StoredOutcome } from '../../src/engine/idempotency.ts'
import { NoJournal } from '../../src/engine/journal.ts'
import { Projections } from '../../src/engine/projections.ts'
import type { Commit } from '../../src/events/commit.ts'
import type { DayBoundary } from '../../src/events/engineEvents.ts'
import { RecordFold } from '../../src/history/recordFold.ts'
import { NoStore } from '../../src/store/noStore.ts'
import { StepHistory } from './stepHistory.ts'

export interface State {
  /** What of the world is a number, a text or null. */
  readonly scalars: Pick<World, 'seed' | 'seq' | 'now' | 'nextDueAt' | 'created' | 'house'>
  readonly ids: IdSpace
  /** Markets and accounts without what is listed in them, which follows from the orders and positions. */
  readonly markets: readonly MarketState[]
  readonly accounts: readonly Account[]
  readonly orders: readonly OrderState[]
  readonly positions: readonly Position[]
  readonly idempotency: readonly StoredOutcome[]
  readonly dayBoundary: DayBoundary
}

/** A state as it is being left by one step. */
export interface Live {
  readonly folded: Folded
  readonly engine: Engine
  /** What the engine has committed since it was restored. */
  readonly commits: Commit[]
}

/** The parts of the world that are kept as records, built again, or the same in every state of a search. */
const PARTS = [
  'ids',
  'markets',
  'accounts',
  'orders',
  'positions',
  'executing',
  'apiKeys',
  'rules',
  'days',
  'beforeChange',
]
const BUILT = ['triggers', 'archive']
/** Empty between commits. */
const PASSING = ['ended', 'changed']

const NO_POSITIONS = PositionList.ofAccount()
const NO_ORDERS = OrderList.ofAccount('')

/** @throws TypeError where the world has a part that this file does not know of. */
export function save({ world, idempotency }: Folded): State {
  for (const [name, part] of Object.entries(world))
    if (typeof part === 'object' && ![...PARTS, ...BUILT, ...PASSING].includes(name))
      throw new TypeError(`a part of the world that is not saved: ${name}`)
  if (!world.ended.isEmpty || !world.changed.isEmpty)
    throw new TypeError('what has happened is told to nobody')
  const { seed, seq, now, nextDueAt, created, house } = world
  return {
    scalars: { seed, seq, now, nextDueAt, created, house },
    ids: world.ids,
    markets: Array.from(world.markets.values(), marketState),
    accounts: Array.from(world.accounts.values(), (account) => ({
      ...account,
      profitableDaysSeen: world.days.profitableDaysOf(account),
      daysSeen: 0,
      watched: false,
      orders: NO_ORDERS,
      positions: NO_POSITIONS,
    })),
    orders: Array.from(world.orders.values(), orderState),
    positions: Array.from(world.positions.values(), (position) => ({ ...position })),
    idempotency: idempotency.live(now),
    dayBoundary: world.days.boundary,
  }
}

/** An engine in a state. */
export function restore(state: State, triggers: TriggersFactory): Live {
  const folded = new Folded(
    triggers,
    new Projections([new RecordFold(new StepHistory(state.accounts[0]?.id ?? ''))]),
  )
  const { world, projections, idempotency } = folded
  projections.restore(null, state.scalars.seq, state.scalars.created)
  Object.assign(world, state.scalars)
  world.ids = state.ids
  world.days.boundary = state.dayBoundary
  for (const market of state.markets) world.markets.set(market.id, emptyMarket(market))
  for (const saved of state.accounts) {
    const account = restoredAccount(saved)
    world.accounts.set(saved.id, account)
    projections.restorePlaces(account, null)
  }
  for (const outcome of state.idempotency) idempotency.keep(outcome)
  for (const saved of state.orders) {
    const order = { ...saved, peak: null, row: NO_ROW }
    projections.restorePlace(order, null)
    rest(world, order, saved.peak)
  }
  for (const saved of state.positions) {
    const account = world.accounts.get(saved.accountId) as Account
    const market = world.markets.get(saved.marketId) as Market
    const position = { ...saved }
    world.triggers.setPosition(hold(world, account, market, position), account, market.id)
    projections.restorePlace(saved, null)
  }
  for (const account of world.accounts.values()) {
    world.triggers.accountChanged(account)
    world.days.consider(account)
  }
  return live(folded, triggers)
}

function restoredAccount(saved: Account): Account {
  const account = {
    ...saved,
    orders: OrderList.ofAccount(saved.id),
    positions: PositionList.ofAccount(),
  }
  account.lossFloor = lossFloor(account)
  return account
}

const unheard = () => {}

/** An engine that keeps no log over a fold, and what it commits. */
export function live(folded: Folded, triggers: TriggersFactory): Live {
  const journal = new NoJournal()
  journal.durableHead = folded.world.seq
  const store = new NoStore()
  const engine = new Engine({
    store,
    log: null,
    journal,
    folded,
    triggers,
    audience: new Audience({ durableHead: 0, read: () => store.read() }, folded.projections, unheard),
    snapshots: null,
    recovery: null,
    unwritable: null,
    notify: unheard,
  })
  const commits: Commit[] = []
  engine.subscribe((commit) => commits.push(commit))
  return { folded, engine, commits }
}

/** Everything that a state holds, as text. */
export function exact({ world, idempotency }: Folded): string {
  const { seq, now, nextDueAt, created, house } = world
  let text = `${seq} ${now} ${nextDueAt} ${created} ${house}`
  for (const market of world.markets.values()) text += fieldsOf(market) + fieldsOf(market.parameters)
  for (const account of world.accounts.values())
    text += `${fieldsOf({ ...account, daysSeen: 0, watched: false })} ${world.days.profitableDaysOf(account)}`
  for (const order of world.orders.values()) text += fieldsOf(orderState(order))
  for (const position of world.positions.values()) text += fieldsOf(position)
  return `${text}|${idempotency.liveThen(now).size}`
}

function fieldsOf(record: object): string {
  let text = '|'
  for (const field of Object.values(record)) {
    if (typeof field !== 'object') text += `${field},`
    else if (field instanceof PositionList || field instanceof OrderList) text += `${field.size},`
  }
  return text
}
