/**
 * The history lists in LMDB. Everything here can be built again from the log: losing it costs time only. A batch is one
 * transaction together with the cursor, so that what is kept is always the lists as of one commit.
 */
import { open, type RootDatabase } from 'lmdb'
import {
  type EndedOrder,
  type EndedPosition,
  endedOrders,
  endedPositions,
  HISTORY_FORM,
  type KeptEvent,
  keptEvents,
} from './historyRecords.ts'

const KIND = { about: 0, order: 1, position: 2, event: 3, entry: 4, holes: 5 } as const

/** What a list entry is keyed by. */
export interface EntryKey {
  readonly list: number
  readonly rank: number
}

/** One batch of writes. */
export interface HistoryBatch {
  readonly orders: ReadonlyMap<string, EndedOrder>
  readonly positions: ReadonlyMap<string, EndedPosition>
  readonly events: readonly KeptEvent[]
  readonly entries: readonly { readonly key: EntryKey; readonly id: string }[]
  readonly holes: readonly { readonly list: number; readonly chunk: number; readonly bits: Uint8Array }[]
  /** The last commit in the batch. */
  readonly cursor: number
}

export class HistoryIndex {
  readonly #root: RootDatabase<Buffer, Buffer>
  cursor: number
  /** How often this index has been opened. */
  readonly opening: number

  private constructor(root: RootDatabase<Buffer, Buffer>, cursor: number, opening: number) {
    this.#root = root
    this.cursor = cursor
    this.opening = opening
  }

  /** Opens the index in a directory; one of another form is emptied. */
  static async open(path: string): Promise<HistoryIndex> {
    const root = open<Buffer, Buffer>({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
    })
    const about = root.get(ABOUT)
    const known = about !== undefined && about.length === 16 && about.readUInt32LE(0) === HISTORY_FORM
    if (about !== undefined && !known) await root.clearAsync()
    const cursor = known ? about.readUIntLE(4, 6) : 0
    const opening = about !== undefined && about.length === 16 ? about.readUIntLE(10, 6) + 1 : 1
    const index = new HistoryIndex(root, cursor, opening)
    await root.put(ABOUT, index.#about(cursor))
    await root.flushed
    return index
  }

  order(id: string): EndedOrder | undefined {
    const bytes = this.#root.get(idKey(KIND.order, id))
    return bytes && endedOrders.decode(bytes)
  }

  position(id: string): EndedPosition | undefined {
    const bytes = this.#root.get(idKey(KIND.position, id))
    return bytes && endedPositions.decode(bytes)
  }

  entry(key: EntryKey): string | undefined {
    const bytes = this.#root.get(entryKey(key))
    return bytes && spell(bytes)
  }

  holes(list: number, chunk: number): Uint8Array | undefined {
    return this.#root.get(holesKey(list, chunk))
  }

  /** Events of a position, oldest first. */
  events(positionId: string): KeptEvent[] {
    const events: KeptEvent[] = []
    const range = { start: eventKey(positionId, 0), end: eventKey(positionId, 0xffffffff) }
    for (const { value } of this.#root.getRange(range)) events.push(keptEvents.decode(value))
    return events
  }

  /** Resolves once the batch is on the medium. */
  async write(batch: HistoryBatch): Promise<void> {
    const database = this.#root
    const written = database.batch(() => {
      for (const [id, order] of batch.orders)
        database.put(idKey(KIND.order, id), buffer(endedOrders.encode(order)))
      for (const [id, position] of batch.positions)
        database.put(idKey(KIND.position, id), buffer(endedPositions.encode(position)))
      for (const event of batch.events)
        database.put(eventKey(event.record.idx, event.record.version), buffer(keptEvents.encode(event)))
      for (const { key, id } of batch.entries) database.put(entryKey(key), uuidBytes(id))
      for (const { list, chunk, bits } of batch.holes) database.put(holesKey(list, chunk), buffer(bits))
      database.put(ABOUT, this.#about(batch.cursor))
    })
    if (!(await written)) throw new Error('the history could not be written')
    await this.#root.flushed
    // Reads of this turn may still be on a view from before the transaction.
    this.#root.resetReadTxn()
    this.cursor = batch.cursor
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  #about(cursor: number): Buffer {
    const about = Buffer.alloc(16)
    about.writeUInt32LE(HISTORY_FORM, 0)
    about.writeUIntLE(cursor, 4, 6)
    about.writeUIntLE(this.opening, 10, 6)
    return about
  }
}

const ABOUT = Buffer.of(KIND.about)

function idKey(kind: number, id: string): Buffer {
  const key = Buffer.allocUnsafe(17)
  key[0] = kind
  uuidBytes(id).copy(key, 1)
  return key
}

function eventKey(positionId: string, version: number): Buffer {
  const key = Buffer.allocUnsafe(21)
  key[0] = KIND.event
  uuidBytes(positionId).copy(key, 1)
  key.writeUInt32BE(version, 17)
  return key
}

function entryKey({ list, rank }: EntryKey): Buffer {
  const key = Buffer.allocUnsafe(11)
  key[0] = KIND.entry
  key.writeUInt32BE(list, 1)
  key.writeUIntBE(rank, 5, 6)
  return key
}

function holesKey(list: number, chunk: number): Buffer {
  const key = Buffer.allocUnsafe(9)
  key[0] = KIND.holes
  key.writeUInt32BE(list, 1)
  key.writeUInt32BE(chunk, 5)
  return key
}

/** The ids of orders and positions are the engine's own, and always uuids (A4). */
function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function spell(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
