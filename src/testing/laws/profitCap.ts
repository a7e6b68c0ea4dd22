/** The 60-second profit adjustment: within a minute of an increase nothing above the reference is realized (D1–D8). */

import type { Event } from '../../events/event.ts'
import type { ClosePosition, ForceClose, Liquidate } from '../../events/positionEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Law } from '../law.ts'
import { rawUnrealized, unrealized } from '../modelLevel.ts'

export function isRealizing(event: Event): event is ClosePosition | Liquidate | ForceClose {
  return event.type === 'closePosition' || event.type === 'liquidate' || event.type === 'forceClose'
}

const WINDOW_MS = 60_000

export const profitIsCapped: Law = {
  name: 'profit is capped inside the minute',
  statement:
    'A close 59,999 ms after the last increase realizes at most its share of the reference, one after 60,000 ms all of its pnl; either way a loss is never touched, bounded by the margin alone (D1, D4–D6, J3).',
  watch: () => ({
    beforeEvent({ model, event, at }) {
      if (!isRealizing(event)) return null
      const { reference, size, margin, lastIncreaseAt } = model.position(event.positionId)
      if (event.holdingTimeMs !== at - lastIncreaseAt) return `held ${event.holdingTimeMs} ms`
      const share = event.size === size ? reference : floor(reference * event.size, size)
      if (event.profitReferenceUsed !== share) return `used ${event.profitReferenceUsed} of the reference`
      const inside = event.holdingTimeMs < WINDOW_MS
      const capped = inside && share < event.rawPnl ? share : event.rawPnl
      const pnl = capped < -margin ? -margin : capped
      return event.pnl === pnl ? null : `${event.type} realized ${event.pnl}, not ${pnl}`
    },
  }),
}

export const referenceIsAdjusted: Law = {
  name: 'the reference is the adjusted pnl',
  statement:
    'An open sets the reference to 0, an increase to the unrealized pnl just before it, capped while the last window is open (D2, D3).',
  watch: () => ({
    beforeEvent({ model, event, at }) {
      if (event.type !== 'increasePosition') return null
      const position = event.opens ? undefined : model.position(event.positionId)
      const expected = position === undefined ? 0n : unrealized(position, event.indexPrice, at)
      return event.profitReference === expected ? null : `reference ${event.profitReference}, not ${expected}`
    },
  }),
}

interface Chain {
  /** Reference at the first increase of the chain. */
  readonly reference: bigint
  realized: bigint
  /** A loss was cut off at the margin (J3): the sum may then exceed the reference by what was cut. */
  bounded: boolean
}

export const splittingGainsNothing: Law = {
  name: 'splitting and dust gain nothing',
  statement:
    'Over increases whose minutes overlap, everything realized plus what the reference still allows never exceeds the reference set by the first, however the closes are cut and whatever is added in between (D3, D4, invariants 8 and 15).',
  watch: () => {
    const chains = new Map<string, Chain>()
    return {
      beforeEvent({ model, event, at }) {
        if (event.type === 'increasePosition') {
          const position = event.opens ? undefined : model.position(event.positionId)
          const overlaps = position !== undefined && at < position.lastIncreaseAt + WINDOW_MS
          if (!overlaps)
            chains.set(event.positionId, { reference: event.profitReference, realized: 0n, bounded: false })
        }
        const chain = isRealizing(event) && event.holdingTimeMs < WINDOW_MS && chains.get(event.positionId)
        if (chain) {
          chain.realized += event.pnl
          chain.bounded ||= event.pnl === -model.position(event.positionId).margin
        }
        return null
      },
      afterEvent({ model, event, at }) {
        if (!isRealizing(event) && event.type !== 'increasePosition') return null
        const chain = chains.get(event.positionId)
        const { reference, lastIncreaseAt } = model.position(event.positionId)
        if (chain === undefined || chain.bounded || at >= lastIncreaseAt + WINDOW_MS) return null
        return chain.realized + reference <= chain.reference
          ? null
          : `${chain.realized} realized and ${reference} left of a reference of ${chain.reference}`
      },
    }
  },
}

export const adjustmentMeansBound: Law = {
  name: 'the adjustment flag means that the cap has bound',
  statement:
    'pnlInEvent is at most rawPnlInEvent except where a loss is bounded by the margin, profitAdjustmentApplied says whether they differ, and only inside the minute do they (D8, invariant 7).',
  watch: () => ({
    beforeEvent({ model, event }) {
      if (!isRealizing(event)) return null
      const { margin } = model.position(event.positionId)
      if (event.pnl > event.rawPnl && event.pnl !== -margin) return 'more than the raw pnl was realized'
      return event.pnl === event.rawPnl || event.holdingTimeMs < WINDOW_MS
        ? null
        : 'adjusted after the minute'
    },
    afterCommand({ bus, commits }) {
      for (const { events } of commits)
        for (const event of events) {
          if (!isRealizing(event) || !('orderId' in event)) continue
          const order = bus.read.order(event.orderId)
          if (order === undefined) continue
          if (order.realizedPnl !== event.pnl || order.rawRealizedPnl !== event.rawPnl)
            return 'order and position disagree about the pnl'
          if (order.profitAdjustmentApplied !== (event.pnl !== event.rawPnl)) return 'the flag is wrong'
        }
      return null
    },
  }),
}

export const lossIsBoundedByMargin: Law = {
  name: 'a loss is bounded by the margin',
  statement:
    'What a close settles is cost against exchanged quote, at most the margin is lost, the fee is the rounded-up rate on the exchanged quote or what is left (all of it in a liquidation), and released margin + pnl − fee is the credit (C7–C10, E2, J3).',
  watch: () => ({
    beforeEvent({ model, event }) {
      if (!isRealizing(event)) return null
      const { margin, size, notional, direction } = model.position(event.positionId)
      const { rawPnl, exchangedQuote, cost, fee, marginReleased, credit } = event
      if (rawPnl < -margin) return `${rawPnl} lost on a margin of ${margin}`
      const gain = direction === 'long' ? exchangedQuote - cost : cost - exchangedQuote
      if (gain !== rawPnl) return `raw pnl ${rawPnl} is not cost against exchanged quote`
      if (fee < 0n || marginReleased < 0n || marginReleased > margin || credit < 0n)
        return `fee ${fee}, released ${marginReleased}, credit ${credit}`
      const left = margin + event.pnl
      const due = event.type === 'liquidate' ? left : (exchangedQuote * event.feeRate + ONE - 1n) / ONE
      if (fee !== (due < left ? due : left)) return `a fee of ${fee}, not ${due}`
      if (event.size > size || event.size <= 0n || cost > notional) return 'more was closed than there is'
      if (event.size === size && (cost !== notional || marginReleased !== margin))
        return 'a full close leaves something'
      return marginReleased + event.pnl - fee === credit ? null : 'the settlement does not add up'
    },
  }),
}

/** Shown as a law so that the equity of the model and of the engine are the same number. */
export const equityIsCapped: Law = {
  name: 'equity counts capped pnl',
  statement:
    'currentEquity is the balance plus, per position, the unrealized pnl at the index rounded down, at most the reference inside the minute (C11, D7).',
  watch: () => ({
    afterCommand({ bus, model, commits }) {
      const touched = new Set<string>()
      for (const { events } of commits)
        for (const event of events) if ('accountId' in event) touched.add(event.accountId)
      for (const id of touched) {
        const account = model.account(id)
        let equity = account.free + account.reserve + account.margin
        for (const position of model.open.values()) {
          if (position.accountId !== id) continue
          const { indexPrice } = model.market(position.marketId)
          const raw = rawUnrealized(position, indexPrice)
          const capped = bus.now < position.lastIncreaseAt + WINDOW_MS && raw > position.reference
          equity += capped ? position.reference : raw
        }
        const read = bus.read.riskStatus(id)?.currentEquity
        if (read !== equity) return `equity ${read}, not ${equity}`
      }
      return null
    },
  }),
}

function floor(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -((b - 1n - a) / b)
}
