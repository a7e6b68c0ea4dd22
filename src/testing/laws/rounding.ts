/** Rounding is always the house's: over a life nobody gets more than exact fractions would give (A2). */
import type { ClosePosition, ForceClose, IncreasePosition } from '../../events/positionEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { EventObservation, Law } from '../law.ts'
import type { ModelMarket } from '../modelState.ts'

export const fillsRoundForTheHouse: Law = {
  name: 'fills round for the house',
  statement:
    'The fee is at least the exact one, the notional at most margin·leverage, a long gets at most and a short owes at least the notional at the spread price (A2, C1, C2).',
  watch: () => ({
    beforeEvent({ model, event }) {
      if (event.type !== 'increasePosition') return null
      const { placed } = model.order(event.orderId)
      const { spread } = model.market(event.marketId).parameters
      return fillFault(event, placed.sizeMode, spread)
    },
  }),
}

function fillFault(event: IncreasePosition, sizeMode: 'quote' | 'base', spread: bigint): string | null {
  const { margin, fee, feeRate, leverage, notional, size, indexPrice, direction } = event
  const exposure = sizeMode === 'quote' ? (margin + fee) * leverage : notional * ONE
  if (fee * ONE * ONE < exposure * feeRate) return `a fee of ${fee} is below the exact one`
  if (notional * ONE > margin * leverage) return `${margin} at ${leverage} does not carry ${notional}`
  const worth = size * indexPrice * (direction === 'long' ? ONE + spread : ONE - spread)
  const held = notional * ONE * ONE
  return (direction === 'long' ? held >= worth : held <= worth) ? null : "the size is in the trader's favour"
}

/** What closing a life pays in exact fractions, next to what it paid. */
interface ExactPayout {
  notional: Fraction
  margin: Fraction
  exact: Fraction
  paid: bigint
  /** Some amount met a bound (cap, margin, fee, shortfall), where exact and rounded lives part for other reasons. */
  bounded: boolean
}

export const roundingNeverPaysTheTrader: Law = {
  name: 'rounding never pays the trader',
  statement:
    'Over the life of a position that met no bound, the exact-rational payout of its closes is at least the payout in integers (A2).',
  watch: () => {
    const lives = new Map<string, ExactPayout>()
    return {
      beforeEvent(observation) {
        const { event, model } = observation
        switch (event.type) {
          case 'increasePosition': {
            const life = event.opens ? nothingPaid() : lives.get(event.positionId)
            if (life === undefined) return null
            life.notional = life.notional.plus(whole(event.notional))
            life.margin = life.margin.plus(whole(event.margin))
            lives.set(event.positionId, life)
            return null
          }
          case 'addMargin':
          case 'removeMargin': {
            const life = lives.get(event.positionId)
            if (life)
              life.margin = life.margin.plus(whole(event.type === 'addMargin' ? event.amount : -event.amount))
            return null
          }
          case 'payFunding': {
            const life = lives.get(event.positionId)
            if (life === undefined) return null
            const { size, margin } = model.position(event.positionId)
            life.margin = life.margin.minus(
              new Fraction(size * event.indexPrice * event.fundingRate, ONE * ONE),
            )
            life.bounded ||= event.amount === -margin
            return null
          }
          case 'liquidate':
            lives.delete(event.positionId)
            return null
          case 'closePosition':
          case 'forceClose':
            return settle(lives, observation, event)
          default:
            return null
        }
      },
    }
  },
}

function settle(
  lives: Map<string, ExactPayout>,
  { model }: EventObservation,
  event: ClosePosition | ForceClose,
): string | null {
  const life = lives.get(event.positionId)
  if (life === undefined) return null
  const position = model.position(event.positionId)
  const proceeds = exactProceeds(event, model.market(event.marketId))
  const part = new Fraction(event.size, position.size)
  const [cost, share] = [life.notional.times(part), life.margin.times(part)]
  const pnl = event.direction === 'long' ? proceeds.minus(cost) : cost.minus(proceeds)
  const settled = share.plus(pnl).minus(proceeds.times(new Fraction(event.feeRate, ONE)))
  life.notional = life.notional.minus(cost)
  life.margin = life.margin.minus(share)
  life.exact = life.exact.plus(settled)
  life.paid += event.credit
  life.bounded ||= event.pnl !== event.rawPnl || event.credit === 0n || event.rawPnl === -position.margin
  life.bounded ||= event.fee === position.margin + event.pnl || settled.isNegative()
  if (event.type === 'closePosition' && !event.closes) return null
  lives.delete(event.positionId)
  return life.bounded || !life.exact.minus(whole(life.paid)).isNegative()
    ? null
    : `a life paid ${life.paid}, more than the exact fractions give`
}

/** The closed size at the exact spread price (B1, B2). */
function exactProceeds(event: ClosePosition | ForceClose, { parameters }: ModelMarket): Fraction {
  const coefficient = event.type === 'closePosition' ? event.scalpingCoefficient : ONE
  const spread = parameters.spread * coefficient
  const side = event.direction === 'long' ? ONE * ONE - spread : ONE * ONE + spread
  return new Fraction(event.size * event.indexPrice * side, ONE * ONE * ONE)
}

function nothingPaid(): ExactPayout {
  return { notional: whole(0n), margin: whole(0n), exact: whole(0n), paid: 0n, bounded: false }
}

function whole(units: bigint): Fraction {
  return new Fraction(units, 1n)
}

class Fraction {
  readonly #above: bigint
  readonly #below: bigint

  /** `below > 0`. */
  constructor(above: bigint, below: bigint) {
    const divisor = gcd(above < 0n ? -above : above, below)
    this.#above = above / divisor
    this.#below = below / divisor
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.#above * other.#below + other.#above * this.#below, this.#below * other.#below)
  }

  minus(other: Fraction): Fraction {
    return new Fraction(this.#above * other.#below - other.#above * this.#below, this.#below * other.#below)
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.#above * other.#above, this.#below * other.#below)
  }

  isNegative(): boolean {
    return this.#above < 0n
  }
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}
