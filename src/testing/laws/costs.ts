/** What trading and holding cost: spread, scalping window and funding (B1, B2, E4, E5). */
import type { PayFunding } from '../../events/positionEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Law } from '../law.ts'
import type { Model } from '../model.ts'
import { execution, opening } from '../modelLevel.ts'
import type { ModelMarket, ModelPosition } from '../modelState.ts'
import { isRealizing } from './profitCap.ts'

export const closesPayTheSpread: Law = {
  name: 'closes pay the spread',
  statement:
    'A close exchanges its size at the spread price against the trader; a close by order inside the scalping window, which ends at its last millisecond, pays the multiplied spread, every other the plain one; only a loss bounded by the margin exchanges less (B1, B2, C10).',
  watch: () => ({
    beforeEvent({ model, event, at }) {
      if (!isRealizing(event)) return null
      const { parameters, indexPrice } = model.market(event.marketId)
      const { margin, lastIncreaseAt } = model.position(event.positionId)
      const scalped = event.type === 'closePosition' && at < lastIncreaseAt + parameters.scalpingWindowMs
      const coefficient = scalped ? parameters.scalpingCoefficient : ONE
      if (event.type === 'closePosition' && event.scalpingCoefficient !== coefficient)
        return `a coefficient of ${event.scalpingCoefficient} after ${event.holdingTimeMs} ms`
      const spread = (parameters.spread * coefficient + ONE - 1n) / ONE
      const long = event.direction === 'long'
      const worth = event.size * execution(indexPrice, spread, opening(long ? 'short' : 'long'))
      const exchanged = long ? worth / ONE : (worth + ONE - 1n) / ONE
      if (event.exchangedQuote === exchanged || event.rawPnl === -margin) return null
      return `${event.exchangedQuote} exchanged, not ${exchanged}`
    },
  }),
}

export const fundingFallsOnInstants: Law = {
  name: 'funding falls on its instants',
  statement:
    'At every multiple of the interval, and only then, every position opened before it on a market that is not paused pays or receives once, in full, rounded against it and never more than its margin (E4, E5, J2).',
  watch: () => {
    const paid = new Set<string>()
    return {
      beforeEvent({ model, event, at }) {
        if (event.type !== 'payFunding') return null
        const position = model.position(event.positionId)
        const market = model.market(event.marketId)
        if (!isDue(position, market, at)) return `funding at ${at}`
        if (paid.has(event.positionId)) return 'paid twice at one instant'
        paid.add(event.positionId)
        const amount = amountDue(position, market)
        return event.amount === amount ? null : `${event.amount}, not ${amount}`
      },
      afterCommit({ model, commit, at }) {
        const skipped = commit.command.type === 'advanceTime' ? unpaid(model, paid, at) : null
        paid.clear()
        return skipped
      },
    }
  },
}

/** A position that is still open and was due; what funding liquidates has paid before. */
function unpaid(model: Model, paid: ReadonlySet<string>, at: number): string | null {
  for (const position of model.open.values()) {
    const market = model.market(position.marketId)
    if (!paid.has(position.id) && isDue(position, market, at) && amountDue(position, market) !== 0n)
      return `${position.id} was not asked for its funding`
  }
  return null
}

function isDue(position: ModelPosition, { status, parameters }: ModelMarket, at: number): boolean {
  return status !== 'paused' && at % parameters.fundingIntervalMs === 0 && position.openedAt < at
}

/** ⌈⌈q·index⌉·rate⌉ of a payer, at most its margin; ⌊⌊q·index⌋·rate⌋ for a receiver. */
function amountDue(position: ModelPosition, { parameters, indexPrice }: ModelMarket): PayFunding['amount'] {
  const { fundingRate, fundingRateShort } = parameters
  const rate = position.direction === 'long' ? fundingRate : (fundingRateShort ?? -fundingRate)
  const worth = position.size * indexPrice
  if (rate <= 0n) return ((worth / ONE) * -rate) / ONE
  const due = (((worth + ONE - 1n) / ONE) * rate + ONE - 1n) / ONE
  return due > position.margin ? -position.margin : -due
}
