/** The stored form of what the history lists show. Derived data: where the form changes, the lists are built again. */
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionRecord } from '../domain/state/position.ts'
import { ByteReader } from '../events/codec/byteReader.ts'
import { ByteWriter } from '../events/codec/byteWriter.ts'
import { type Codec, compile, count, type Fields, nullable, object } from '../events/codec/fields.ts'
import { crc32 } from '../hashes/crc32.ts'
import { orderFields, positionFields } from '../projections/recordFields.ts'

const order = object<OrderRecord>(orderFields)
const position = object<PositionRecord>(positionFields)

/** An order that has ended, and the phase it belongs to (H3). */
export interface EndedOrder {
  readonly phaseOrdinal: number
  /** Where it is told the aggregate itself, which has more than these fields. */
  readonly record: OrderRecord
}

/**
 * A position right after an event, the phase it belongs to (H3), and the order behind it by its sequence: that one has ended and is kept
 * besides. After its last event it is the position as it ended, of which nothing else is kept.
 */
export interface KeptEvent {
  readonly phaseOrdinal: number
  /** As of {@link EndedOrder}, after the event that ended it. */
  readonly record: PositionRecord
  readonly orderSequence: number | null
}

/** Writes and reads one kind of record. */
export class RecordCodec<T extends object> {
  readonly #codec: Codec<T>
  readonly form: string

  constructor(fields: Fields<T>) {
    this.#codec = compile<T>(fields as Fields<object>)
    this.form = this.#codec.form
  }

  /** Each stands on its own: its ids refer to none before it. */
  write(writer: ByteWriter, value: T): void {
    writer.forgetIds()
    this.#codec.write(writer, value)
  }

  decode(bytes: Uint8Array): T {
    return this.#codec.read(new ByteReader(bytes))
  }
}

export const endedOrders = new RecordCodec<EndedOrder>({ phaseOrdinal: count, record: order })
export const keptEvents = new RecordCodec<KeptEvent>({
  phaseOrdinal: count,
  record: position,
  orderSequence: nullable(count),
})

/** Whether it is the last of its position. */
export function isLast({ record }: KeptEvent): boolean {
  return record.status !== 'opened'
}

/**
 * Changes whenever a stored form does, or what can be relied on of records that pass their checks: those of another form are
 * made again once. Earlier builds wrote on after a write that had failed, so theirs may say that they have commits which it
 * lost; and they had records by id, and of ended positions beside their last events.
 */
export const HISTORY_FORM = formOf(['sealed', 'none by id', endedOrders.form, keptEvents.form].join('\n'))

function formOf(text: string): number {
  const writer = new ByteWriter()
  writer.text(text)
  return crc32(writer.bytes, 0, writer.at)
}
