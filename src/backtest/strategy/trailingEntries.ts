/**
 * Trailing stops that were asked for together with an entry. The API has no such field, so the stop is placed when the entry fills:
 * at once where it fills at once, else when the fill is told.
 */
import { loweredPriceDown, raisedPriceUp } from '../../quantity/products.ts'
import type { Base, Price } from '../../quantity/units.ts'
import { decimal } from '../numbers/decimals.ts'
import type { EntryOrder, TrailingStop } from './strategy.ts'
import type { StrategyEvent } from './strategyEvent.ts'

/** A fill that is to be followed by a trailing stop. */
export interface TrailedFill {
  readonly positionId: string
  /** What the entry bought or sold: as much as the stop is to close. */
  readonly size: Base
  readonly trailingStop: TrailingStop
}

export class TrailingEntries {
  readonly #waiting = new Map<string, TrailingStop>()

  /** An entry that was accepted, whether or not it has filled. */
  add(orderId: string, { trailingStop }: EntryOrder): void {
    if (trailingStop !== undefined) this.#waiting.set(orderId, trailingStop)
  }

  /** Call with every event of the account, in their order. @returns the fill, where it was of such an entry. */
  heard(event: StrategyEvent): TrailedFill | null {
    if (this.#waiting.size === 0) return null
    switch (event.type) {
      case 'orderPlaced':
        // The limit that a stop-limit turns into is another order.
        if (event.parentOrderId !== null) this.replaced(event.parentOrderId, event.orderId)
        return null
      case 'orderReplaced':
        this.replaced(event.orderId, event.replacementId)
        return null
      case 'orderCanceled':
      case 'orderFailed':
        this.#waiting.delete(event.orderId)
        return null
      case 'increasePosition': {
        const trailingStop = this.#waiting.get(event.orderId)
        if (trailingStop === undefined) return null
        this.#waiting.delete(event.orderId)
        return { positionId: event.positionId, size: event.size, trailingStop }
      }
      default:
        return null
    }
  }

  /** Another order takes the place of one. */
  replaced(from: string, to: string): void {
    const trailingStop = this.#waiting.get(from)
    if (trailingStop === undefined) return
    this.#waiting.delete(from)
    this.#waiting.set(to, trailingStop)
  }
}

/**
 * That a trailing stop says one distance, above zero and below the whole price: it is placed only later, when nobody is left to hear why not.
 *
 * @throws RangeError
 */
export function mustTrail({ trailingStop }: EntryOrder): void {
  if (trailingStop === undefined) return
  const { offset, offsetPercent, activationPrice = 0n } = trailingStop
  if ((offset === undefined) === (offsetPercent === undefined))
    throw new RangeError('a trailing stop needs an offset or an offsetPercent, and not both')
  const distance = offset ?? decimal(offsetPercent ?? '')
  if (distance <= 0n || (offset === undefined && distance >= WHOLE))
    throw new RangeError('the distance of a trailing stop is above zero and, in percent, below 100%')
  if (activationPrice < 0n) throw new RangeError('a trailing stop cannot be activated at a price below zero')
}

const WHOLE = decimal('100%')

/** Where a trailing stop stands that begins at a price; null where it waits for another price first, or is as far away as zero. */
export function firstTrailingLevel({ trailingStop, direction }: EntryOrder, index: Price): Price | null {
  if (trailingStop === undefined || (trailingStop.activationPrice ?? 0n) > 0n) return null
  const { offset, offsetPercent = '' } = trailingStop
  if (direction === 'short')
    return offset === undefined ? raisedPriceUp(index, decimal(offsetPercent)) : index + offset
  const level = offset === undefined ? loweredPriceDown(index, decimal(offsetPercent)) : index - offset
  return level > 0n ? level : null
}
