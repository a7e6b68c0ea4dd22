// Every law refuses what breaks it: a log that was tampered with, or an engine that answers wrongly.

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Commit,
  createEngine,
  type Engine,
  type Event,
  type EventType,
  type OrderRecord,
  type PositionRecord,
  type Reader,
} from '../../src/index.ts'
import {
  aProgram,
  type Bus,
  drive,
  LAWS,
  LawBroken,
  lawful,
  type Program,
  venue,
} from '../../src/testing/index.ts'
import { logOf, run } from './runs.ts'

/** A few runs with everything in them; what is tampered with is looked for in one after the other. */
const programs: Program[] = fc.sample(aProgram(300, 300), { seed: 5, numRuns: 12 })
const logs: Commit[][] = []

beforeAll(async () => {
  for (const program of programs) logs.push((await run(program)).watched.commits)
})

type Tamper = (events: readonly Event[], all: readonly Commit[]) => readonly Event[] | null

/** Changes the first event of a type for which there is a change. */
function change<T extends EventType>(
  type: T,
  to: (event: Extract<Event, { type: T }>) => Partial<Extract<Event, { type: T }>> | null,
): Tamper {
  return (events) => {
    for (const [at, event] of events.entries()) {
      const changed = event.type === type ? to(event as Extract<Event, { type: T }>) : null
      if (changed !== null) return events.with(at, { ...event, ...changed } as Event)
    }
    return null
  }
}

/** Leaves out some events. */
const without =
  (left: (event: Event, events: readonly Event[]) => boolean): Tamper =>
  (events) => {
    const kept = events.filter((event) => !left(event, events))
    return kept.length < events.length ? kept : null
  }

const isTick = (events: readonly Event[]) => events[0]?.type === 'priceUpdated'

const TAMPERED: readonly (readonly [law: string, tamper: Tamper])[] = [
  ['money is conserved', change('closePosition', ({ credit }) => ({ credit: credit + 1n }))],
  ['nothing is overdrawn', change('addMargin', () => ({ amount: 10n ** 18n }))],
  ['accounts are sums', change('orderCanceled', ({ released }) => ({ released: released + 1n }))],
  [
    'one position per direction',
    change('increasePosition', ({ opens }) => (opens ? null : { opens: true, positionId: 'another' })),
  ],
  ['positions move along their table', change('closePosition', ({ closes }) => ({ closes: !closes }))],
  ['increases are born healthy', change('increasePosition', () => ({ margin: 1_000_000n }))],
  [
    'profit is capped inside the minute',
    change('closePosition', ({ pnl, rawPnl }) => (pnl === rawPnl ? null : { pnl: rawPnl })),
  ],
  [
    'the reference is the adjusted pnl',
    change('increasePosition', ({ profitReference }) => ({ profitReference: profitReference + 1n })),
  ],
  [
    'splitting and dust gain nothing',
    change('increasePosition', ({ opens }) => (opens ? null : { profitReference: 10n ** 15n })),
  ],
  [
    'the adjustment flag means that the cap has bound',
    change('closePosition', ({ rawPnl }) => ({ pnl: rawPnl + 1n })),
  ],
  ['a loss is bounded by the margin', change('forceClose', ({ fee }) => ({ fee: fee + 1n }))],
  [
    'closes pay the spread',
    change('closePosition', ({ exchangedQuote }) => ({ exchangedQuote: exchangedQuote + 1n })),
  ],
  ['funding falls on its instants', without(({ type }) => type === 'payFunding')],
  [
    'only the liquidatable are liquidated',
    change('liquidate', ({ liquidationPrice }) => ({ liquidationPrice: liquidationPrice + 1n })),
  ],
  [
    'no liquidatable position survives a tick',
    without((event, events) => isTick(events) && 'direction' in event && event.type === 'liquidate'),
  ],
  [
    'partial closes are safe',
    change('closePosition', ({ closes, credit, marginReleased }) =>
      closes || credit < 10n ? null : { marginReleased: marginReleased + 10n ** 9n },
    ),
  ],
  ['withdrawals leave a margin', change('removeMargin', () => ({ amount: 10n ** 15n }))],
  [
    'nobody trades below a floor',
    without(
      (event) =>
        event.type === 'accountStopped' ||
        event.type === 'forceClose' ||
        (event.type === 'orderCanceled' && event.reason === 'stop_accounts_fail'),
    ),
  ],
  [
    'a tick walks the path',
    (events) => {
      const fired = isTick(events) && events.find(({ type }) => type === 'orderExecuted')
      const id = fired && 'orderId' in fired && fired.orderId
      return id
        ? events.filter(
            (event) => !('orderId' in event && event.orderId === id) && !('parentOrderId' in event),
          )
        : null
    },
  ],
  [
    'limit or better',
    change('orderPlaced', ({ orderType, direction, triggerPrice, parentOrderId }) =>
      orderType === 'limit' && parentOrderId === null
        ? { triggerPrice: direction === 'long' ? triggerPrice / 2n : triggerPrice * 2n }
        : null,
    ),
  ],
  ['fills fit the market', change('increasePosition', () => ({ notional: 1n }))],
  [
    'stops keep their distance',
    change('orderPlaced', ({ orderType, requestedTriggerPrice, triggerPrice }) =>
      orderType === 'stop' && requestedTriggerPrice !== null ? { triggerPrice: triggerPrice + 1n } : null,
    ),
  ],
  [
    'resting orders are bounded',
    change('accountOpened', ({ parameters }) => ({ parameters: { ...parameters, maxActiveOrders: 1 } })),
  ],
  ['phases start flat', change('accountPromoted', ({ adjustment }) => ({ adjustment: adjustment + 1n }))],
  [
    'orders move along their table',
    (events) => {
      const canceled = events.find(({ type }) => type === 'orderCanceled')
      return canceled === undefined ? null : [...events, canceled]
    },
  ],
  [
    'cancellations say why',
    change('orderCanceled', ({ released }) => (released === 0n ? null : { released: 0n })),
  ],
  [
    'session closes stay on their market',
    (events) => {
      const canceled = events.findIndex(
        (event) => event.type === 'orderCanceled' && event.reason === 'weekly_session_risk_close',
      )
      return canceled < 0 || events.length === 1 ? null : events.toSpliced(canceled, 1)
    },
  ],
  ['events are what their table says', change('orderPlaced', () => ({ reserve: -1n }))],
  ['ids are unique', change('orderPlaced', ({ orderId }) => ({ orderId: orderId.toUpperCase() }))],
  [
    'fills round for the house',
    change('increasePosition', ({ fee }) => (fee === 0n ? null : { fee: fee - 1n })),
  ],
  [
    'rounding never pays the trader',
    change('closePosition', ({ closes, credit }) => (closes && credit > 0n ? { credit: credit + 3n } : null)),
  ],
]

/** Whether the laws of one name find a tampered log broken; what the fold itself cannot stomach counts as nothing. */
function refuses(name: string, log: readonly Commit[], seq: number, events: readonly Event[]): boolean {
  const laws = LAWS.filter((law) => law.name === name)
  const tampered = log
    .slice(0, seq)
    .concat(log.slice(seq))
    .map((c) => (c.seq === seq ? { ...c, events } : c))
  try {
    lawful(createEngine({ seed: 'unused' }), tampered, { laws })
  } catch (error) {
    return error instanceof LawBroken
  }
  return false
}

/** Answers as the engine does, but for what is replaced. */
function wrong(engine: Engine, replaced: Partial<Bus> & { readonly reads?: Partial<Reader> }): Bus {
  const read = new Proxy(engine.read, {
    get(target, field) {
      const own = replaced.reads?.[field as keyof Reader]
      const value = own ?? target[field as keyof Reader]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    read,
    get now() {
      return engine.now
    },
    get head() {
      return engine.head
    },
    dispatch: (command, options) => engine.dispatch(command, options),
    subscribe: (listener) => engine.subscribe(listener),
    stateHash: () => engine.stateHash(),
    ...replaced,
  }
}

const position = (engine: Engine, to: (record: PositionRecord) => Partial<PositionRecord>): Bus =>
  wrong(engine, {
    reads: {
      position(id) {
        const record = engine.read.position(id)
        return record && { ...record, ...to(record) }
      },
    },
  })

const order = (engine: Engine, to: (record: OrderRecord) => Partial<OrderRecord>): Bus =>
  wrong(engine, {
    reads: {
      order(id) {
        const record = engine.read.order(id)
        return record && { ...record, ...to(record) }
      },
    },
  })

const DISTORTED: readonly (readonly [law: string, distort: (engine: Engine) => Bus])[] = [
  [
    'the engine holds what the events add up to',
    (engine) => wrong(engine, { reads: { ledger: () => ({ ...engine.read.ledger(), house: 1n }) } }),
  ],
  ['pure and in-place reducers agree', (engine) => position(engine, ({ roe }) => ({ roe: roe + 1n }))],
  ['versions have no gaps', (engine) => position(engine, ({ version }) => ({ version: version + 1 }))],
  ['event sums are totals', (engine) => position(engine, ({ fee }) => ({ fee: fee + 1n }))],
  [
    'equity counts capped pnl',
    (engine) =>
      wrong(engine, {
        reads: {
          riskStatus(id) {
            const status = engine.read.riskStatus(id)
            return status && { ...status, currentEquity: status.currentEquity + 1n }
          },
        },
      }),
  ],
  [
    'the end of an order is the end',
    (engine) => order(engine, ({ amount }) => ({ amount: amount + BigInt(engine.head) })),
  ],
  ['orders read as they stand', (engine) => order(engine, ({ amount }) => ({ amount: amount + 1n }))],
  ['records have their form', (engine) => order(engine, () => ({ id: 'nothing' }))],
  ['rejections leave no trace', (engine) => wrong(engine, { stateHash: () => 'another' })],
  ['the log is the truth', (engine) => wrong(engine, { stateHash: () => 'another' })],
  [
    'prices are fresh',
    (engine) =>
      wrong(engine, {
        dispatch(command, options) {
          const outcome = engine.dispatch(command, options)
          return outcome.ok ? outcome : { ok: false, error: { code: 'market_price_stale' } }
        },
      }),
  ],
  [
    'an acceptance is one commit',
    (engine) =>
      wrong(engine, {
        dispatch(command, options) {
          const outcome = engine.dispatch(command, options)
          return outcome.ok ? { ...outcome, seq: outcome.seq + 1 } : outcome
        },
      }),
  ],
  [
    'a key acts once an hour',
    (engine) =>
      wrong(engine, {
        dispatch(command, options) {
          const outcome = engine.dispatch(command, options)
          return outcome.ok && outcome.replayedFrom !== undefined
            ? { ...outcome, replayedFrom: outcome.replayedFrom + 1 }
            : outcome
        },
      }),
  ],
]

describe('every law refuses what breaks it', () => {
  test.each(TAMPERED)('%s', (name, tamper) => {
    const found = logs.some((log) =>
      log.some(({ seq, events }) => {
        const tampered = tamper(events, log)
        return tampered !== null && refuses(name, log, seq, tampered)
      }),
    )
    expect(found).toBe(true)
  })

  test.each(DISTORTED)('%s, of an engine that answers wrongly', async (name, distort) => {
    const laws = LAWS.filter((law) => law.name === name)
    for (const program of programs) {
      const engine = createEngine(venue())
      const history = await logOf(engine)
      try {
        drive(distort(engine), history, program, { laws })
      } catch (error) {
        if (error instanceof LawBroken) return
        throw error
      }
    }
    expect.fail('nothing was found')
  })

  test('and no law goes without', () => {
    const tried = new Set([...TAMPERED, ...DISTORTED].map(([name]) => name))
    expect(LAWS.filter(({ name }) => !tried.has(name))).toEqual([])
  })
})
