/**
 * Records from the moment they are told until they are written: bytes in blocks, which the collector neither copies nor marks. For
 * the half second of waiting an object would be moved to the old generation, and stay there until all of that is collected.
 */
import { unseenMemory } from '../collections/unseenMemory.ts'
import { ByteWriter } from '../events/codec/byteWriter.ts'
import type { RecordCodec } from './historyRecords.ts'

/** The first block is small, because most engines are; later ones are larger up to this. Bytes. */
const SMALLEST = 1 << 12
const LARGEST = 1 << 17
/** A block with less room than this is full. */
const ROOM = 1 << 9

/** A record: its bytes in a block, which lives as long as one of them is held. */
export interface Held {
  readonly block: Uint8Array
  readonly from: number
  readonly to: number
}

export class HeldRecords {
  readonly #writer = new ByteWriter(SMALLEST, unseenMemory)

  hold<T extends object>(codec: RecordCodec<T>, value: T): Held {
    const writer = this.#writer
    const { length } = writer.bytes
    if (length - writer.at < ROOM) writer.moveTo(new Uint8Array(unseenMemory(Math.min(2 * length, LARGEST))))
    const from = writer.at
    codec.write(writer, value)
    return { block: writer.bytes, from, to: writer.at }
  }
}

export function bytesOf({ block, from, to }: Held): Uint8Array {
  return block.subarray(from, to)
}
