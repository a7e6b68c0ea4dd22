/**
 * What a live strategy does. Where the venue has a stream, an action is over once the stream has told it too: so nothing that was done is
 * unknown afterwards. Without one the venue is read after every action.
 */
import type { ApiOrder, ApiPlacement, MarginTradingClient } from '../../client/index.ts'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { Quote } from '../../quantity/units.ts'
import type { ErrorCode } from '../../terms/errors.ts'
import type { ActionResult, OrderChanges } from '../strategy/strategy.ts'
import type { ActionWatch, Asked } from './actionWatch.ts'
import { isRefusal, liveErrorOf } from './askedOf.ts'
import type { LiveReadings } from './liveReadings.ts'
import { placedInTime } from './placedInTime.ts'
import type { ToldByStream } from './toldByStream.ts'
import { fromWire, toWire } from './wireRecords.ts'

const NOT_TAKEN = 'not_taken_in_time'

export class LiveActions {
  readonly #client: MarginTradingClient
  readonly #readings: LiveReadings
  readonly #marketWithinMs: number
  #watch: ActionWatch = { asked: () => {}, asker: () => undefined, caused: () => [], late: () => {} }

  /** `marketWithinMs`: a market order is not sent again later than this after it was decided, ms. */
  constructor(client: MarginTradingClient, readings: LiveReadings, marketWithinMs: number) {
    this.#client = client
    this.#readings = readings
    this.#marketWithinMs = marketWithinMs
  }

  /** Tells of every action from now on, once it is answered. */
  watch(watch: ActionWatch): void {
    this.#watch = watch
  }

  place(what: Asked, fields: object): Promise<ActionResult<OrderRecord>> {
    const order = toWire<ApiPlacement>({ accountId: this.#readings.account.accountId, ...fields })
    const at = this.#readings.now
    const onFate = (placed: ApiOrder | null) =>
      this.#watch.late({ ...what, orderId: placed?.id ?? null, ms: this.#readings.now - at })
    const withinMs = this.#marketWithinMs
    return this.#actOnOrder(what, placedInTime(this.#client, order, { withinMs, onFate }))
  }

  edit(what: Asked, orderId: string, changes: OrderChanges): Promise<ActionResult<OrderRecord>> {
    return this.#actOnOrder(what, this.#client.editOrder(orderId, toWire(changes)))
  }

  cancel(what: Asked, orderId: string): Promise<ActionResult<OrderRecord>> {
    return this.#actOnOrder(what, this.#client.cancelOrder(orderId))
  }

  changeMargin(what: Asked, positionId: string, change: Quote): Promise<ActionResult<PositionRecord>> {
    return this.#act<PositionRecord>(
      what,
      this.#client.changeMargin(positionId, change.toString()),
      (told, { id, version }) => told.position(id, version),
    )
  }

  async closeAll(): Promise<ActionResult<readonly OrderRecord[]>> {
    const answer = await this.#act<{ readonly orders: readonly OrderRecord[] }>(
      { action: 'closeAll', asset: null, side: null },
      this.#client.closeAll(this.#readings.account.accountId),
      async (told, { orders }) => {
        for (const { id, status } of orders) if (!(await told.order(id, status))) return false
        return true
      },
    )
    return answer.ok ? { ok: true, value: answer.value.orders } : answer
  }

  #actOnOrder(what: Asked, asked: Promise<unknown>): Promise<ActionResult<OrderRecord>> {
    return this.#act<OrderRecord>(what, asked, (told, { id, status }) => told.order(id, status))
  }

  /**
   * A null is an order that was not taken in time. `isTold` waits until the stream has told what was answered; where it does not, or there
   * is none, the venue is read.
   */
  async #act<T>(
    what: Asked,
    asked: Promise<unknown>,
    isTold: (told: ToldByStream, value: T) => Promise<boolean>,
  ): Promise<ActionResult<T>> {
    const readings = this.#readings
    const at = readings.now
    const part = this.#watch.asker()
    const answered = (answer: string, orderId: string | null) =>
      this.#watch.asked({
        ...{ type: 'asked', at, ...what, orderId, answer, tookMs: readings.now - at },
        ...(part === undefined ? {} : { part }),
      })
    let answer: unknown
    try {
      answer = await asked
    } catch (error) {
      if (!isRefusal(error)) {
        answered('unknown', null)
        throw liveErrorOf(this.#client, error)
      }
      const { details } = error.body
      answered(error.code, null)
      return {
        ok: false,
        error: { code: error.code as ErrorCode, ...(details !== undefined && { details }) },
      }
    }
    if (answer === null) {
      answered(NOT_TAKEN, null)
      return { ok: false, error: { code: NOT_TAKEN } }
    }
    const value = fromWire<T>(answer)
    const orderId = orderIdOf(value)
    answered('accepted', orderId)
    const told = readings.toldByStream
    if (told === null || !(await isTold(told, value))) await readings.refresh()
    // The messages of one commit come one after the other, and this may be the first of them.
    else await new Promise((resolve) => setImmediate(resolve))
    return { ok: true, value, events: orderId === null ? [] : this.#watch.caused(orderId) }
  }
}

/** Null where what came of an action is no order. */
function orderIdOf(value: unknown): string | null {
  const isOrder = typeof value === 'object' && value !== null && 'id' in value && 'orderType' in value
  return isOrder ? String(value.id) : null
}
