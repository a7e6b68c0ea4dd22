/** Positions: one per account, market and direction; versions without gaps; the reducers agree. */

import type { PositionRecord } from '../../domain/state/position.ts'
import type { Event } from '../../events/event.ts'
import { isEventOn } from '../../events/eventTable.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Law } from '../law.ts'
import { liquidatable } from '../modelLevel.ts'
import type { ModelPosition } from '../modelState.ts'
import { POSITION_TRANSITIONS, type PositionState } from '../transitions.ts'

export const onePositionPerDirection: Law = {
  name: 'one position per direction',
  statement: 'An account has at most one open position on a market in a direction (States).',
  watch: () => ({
    afterEvent({ model, event }) {
      if (event.type !== 'increasePosition') return null
      let open = 0
      for (const { accountId, marketId, direction } of model.open.values())
        if (accountId === event.accountId && marketId === event.marketId && direction === event.direction)
          open += 1
      return open === 1 ? null : `${open} open positions on one market and side`
    },
  }),
}

export const positionsMoveAlongTheirTable: Law = {
  name: 'positions move along their table',
  statement:
    'A position takes only the transitions of the table, closes exactly when a close takes all of it, and never changes once it has ended (States).',
  watch: () => {
    let from: PositionState = 'none'
    return {
      beforeEvent({ model, event }) {
        if (isEventOn(event, 'position')) from = model.positions.get(event.positionId)?.status ?? 'none'
        return null
      },
      afterEvent({ model, event }) {
        if (!isEventOn(event, 'position')) return null
        const { status, size } = model.position(event.positionId)
        const allowed = POSITION_TRANSITIONS.some(
          (transition) =>
            transition.from === from && transition.event === event.type && transition.to === status,
        )
        if (!allowed) return `${event.type} took a position from ${from} to ${status}`
        if (event.type === 'increasePosition' && event.opens !== (from === 'none'))
          return 'an increase is wrong about whether it opens'
        return (size === 0n) === (status !== 'opened') ? null : `${status} with size ${size}`
      },
    }
  },
}

/** Also the proof that both ways of running the recipes agree. */
export const reducersAgree: Law = {
  name: 'pure and in-place reducers agree',
  statement:
    'The engine, which runs the recipes in place, and the pure reducers, run on the same events, give the same record.',
  watch: () => ({
    afterCommand({ bus, model, commits }) {
      for (const id of positionsIn(commits.flatMap(({ events }) => events))) {
        const read = bus.read.position(id)
        const found = read && difference(read, model.position(id).reduced)
        if (found != null) return `position ${id}: ${found}`
      }
      return null
    },
  }),
}

export const versionsHaveNoGaps: Law = {
  name: 'versions have no gaps',
  statement:
    'Every event on a position adds 1 to its version, which starts at 1, and its lastUpdatedAt is the time of its last event and never goes back (C13).',
  watch: () => ({
    afterCommand: ({ bus, model, commits }) =>
      eachRead(commits, model.positions, bus.read.position.bind(bus.read), (record, position) => {
        if (record.version !== position.version) return `version ${record.version}, not ${position.version}`
        if (record.lastUpdatedAt !== position.updatedAt) return 'lastUpdatedAt is not that of its last event'
        const closedAt = position.status === 'opened' ? null : position.updatedAt
        return record.closedAt === closedAt ? null : `closedAt ${record.closedAt}`
      }),
  }),
}

export const eventSumsAreTotals: Law = {
  name: 'event sums are totals',
  statement:
    'fee, pnl and funding of a position are the sums over its events, roe is its pnl over the margin put up, rounded down (C12, invariant 6).',
  watch: () => ({
    afterCommand: ({ bus, model, commits }) =>
      eachRead(commits, model.positions, bus.read.position.bind(bus.read), (record, position) => {
        for (const field of ['size', 'notional', 'margin', 'pnl', 'fee', 'funding', 'status'] as const)
          if (record[field] !== position[field]) return `${field} ${record[field]}, not ${position[field]}`
        return isFloor(record.roe, position.pnl * ONE, position.putUp) ? null : `roe ${record.roe}`
      }),
    atEnd({ bus, model, commits }) {
      const paid = new Map<string, number>()
      for (const { events } of commits)
        for (const event of events)
          if (event.type === 'payFunding') paid.set(event.positionId, (paid.get(event.positionId) ?? 0) + 1)
      for (const { id, fee, pnl, version } of model.positions.values()) {
        const events = bus.read.positionEvents(id)
        if (events === undefined) continue
        const sum = (field: 'feeInEvent' | 'pnlInEvent') =>
          events.reduce((total, event) => total + event[field], 0n)
        if (sum('feeInEvent') !== fee) return `feeInEvent of ${id} does not add up to fee`
        if (sum('pnlInEvent') !== pnl) return `pnlInEvent of ${id} does not add up to pnl`
        if (events.some(({ eventName }) => eventName === 'payFunding')) return 'funding in the event history'
        if (events.length !== version - (paid.get(id) ?? 0)) return `events of ${id} are missing`
      }
      return null
    },
  }),
}

export const increasesAreBornHealthy: Law = {
  name: 'increases are born healthy',
  statement:
    'Right after an increase the index is on the safe side of the liquidation price, where a unit of rounding is small beside the margin (E1).',
  watch: () => ({
    afterEvent({ model, event }) {
      if (event.type !== 'increasePosition' || !event.opens || event.margin < 1_000_000n) return null
      const { indexPrice, parameters } = model.market(event.marketId)
      return liquidatable(model.position(event.positionId), parameters.maintenanceMarginRate, indexPrice)
        ? `a fresh ${event.direction} at ${indexPrice} is already liquidatable`
        : null
    },
  }),
}

function positionsIn(events: readonly Event[]): Set<string> {
  return new Set(events.flatMap((event) => (isEventOn(event, 'position') ? [event.positionId] : [])))
}

function eachRead(
  commits: readonly { readonly events: readonly Event[] }[],
  positions: ReadonlyMap<string, ModelPosition>,
  read: (id: string) => PositionRecord | undefined,
  check: (record: PositionRecord, position: ModelPosition) => string | null,
): string | null {
  for (const id of positionsIn(commits.flatMap(({ events }) => events))) {
    const record = read(id)
    const position = positions.get(id)
    const found = record && position && check(record, position)
    if (found != null) return `position ${id}: ${found}`
  }
  return null
}

/** Whether `quotient` is ⌊a / b⌋. */
function isFloor(quotient: bigint, a: bigint, b: bigint): boolean {
  return quotient * b <= a && a < (quotient + 1n) * b
}

/** The first field in which a record differs from a fuller object. */
function difference(record: object, fuller: object): string | null {
  for (const [field, value] of Object.entries(record)) {
    const other = (fuller as Record<string, unknown>)[field]
    if (value !== other) return `${field} is ${value}, not ${other}`
  }
  return null
}
