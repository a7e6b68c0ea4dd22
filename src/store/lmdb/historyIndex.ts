/**
 * The history lists in LMDB. Everything here can be built again from the log: losing it costs time only. A batch is one
 * transaction together with the cursor, so that what is kept is always the lists as of one commit.
 *
 * Records are keyed by the creation sequence of their order or position, so that a batch touches few pages; ids, which
 * are spread evenly over all keys, lead to sequences only.
 */
import { open, type RootDatabase } from 'lmdb'
import { ABOUT_KEY, type About, aboutBytes, aboutOf } from './historyAbout.ts'
import { faultOf, removeHistory } from './historyCheck.ts'
import {
  type EndedOrder,
  type EndedPosition,
  endedOrders,
  endedPositions,
  type KeptEvent,
  keptEvents,
} from './historyRecords.ts'
import { EMPTY_TALLY, sealed, sealOf, type Tally, tallied, unsealed } from './sealedRecord.ts'

const KIND = { order: 1, position: 2, event: 3, entry: 4, holes: 5, id: 6 } as const

/** What a list entry is keyed by. */
export interface EntryKey {
  readonly list: number
  readonly rank: number
}

/** What is written together. */
export interface HistoryChanges {
  readonly orders: readonly EndedOrderAt[]
  readonly positions: readonly EndedPositionAt[]
  readonly events: readonly KeptEventAt[]
  readonly entries: readonly { readonly key: EntryKey; readonly sequence: number }[]
  readonly holes: readonly { readonly list: number; readonly chunk: number; readonly bits: Uint8Array }[]
}

interface EndedOrderAt {
  readonly sequence: number
  readonly order: EndedOrder
}

interface EndedPositionAt {
  readonly sequence: number
  readonly position: EndedPosition
}

interface KeptEventAt {
  /** Of the position. */
  readonly sequence: number
  readonly event: KeptEvent
}

/** Of a directory without history lists. */
const NOTHING: About = { cursor: 0, opening: 0, tally: EMPTY_TALLY }

export class HistoryIndex {
  readonly #root: RootDatabase<Buffer, Buffer>
  cursor: number
  #tally: Tally
  /** How often this index has been opened. */
  readonly opening: number
  /** Why what was there had to be removed when the index was opened; null mostly. */
  readonly removed: string | null

  private constructor(
    root: RootDatabase<Buffer, Buffer>,
    { cursor, opening, tally }: About,
    removed: string | null,
  ) {
    this.#root = root
    this.cursor = cursor
    this.#tally = tally
    this.opening = opening + 1
    this.removed = removed
  }

  /** Opens the index in a directory. One that cannot be trusted, or is of another form, is removed first (K8). */
  static async open(path: string): Promise<HistoryIndex> {
    const removed = await faultOf(path)
    if (removed !== null) await removeHistory(path)
    const root = open<Buffer, Buffer>({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      // Either would make a promise of its own, given to nobody: when a commit fails, that of a batch by turns of the
      // event loop ends the process, and closing waits for that of an overlapping flush for ever.
      eventTurnBatching: false,
      overlappingSync: false,
    })
    const stored = root.get(ABOUT_KEY)
    const about = stored === undefined ? NOTHING : aboutOf(stored)
    if (about === null) throw new Error('the history lists changed while they were opened')
    const index = new HistoryIndex(root, about, removed)
    await committed([root.put(ABOUT_KEY, index.#about(index.cursor, index.#tally))])
    await root.flushed
    return index
  }

  /**
   * The creation sequence of an order that has ended, or of a position.
   *
   * @throws HistoryDamaged, as all reading does, when what is stored is not what was written.
   */
  sequenceOf(id: string): number | undefined {
    return this.#record(idKey(id))?.readUIntBE(0, 6)
  }

  order(sequence: number): EndedOrder | undefined {
    const bytes = this.#record(sequenceKey(KIND.order, sequence))
    return bytes && endedOrders.decode(bytes)
  }

  position(sequence: number): EndedPosition | undefined {
    const bytes = this.#record(sequenceKey(KIND.position, sequence))
    return bytes && endedPositions.decode(bytes)
  }

  /** The sequence of the order or position that a list entry stands for. */
  entry(key: EntryKey): number | undefined {
    return this.#record(entryKey(key))?.readUIntBE(0, 6)
  }

  holes(list: number, chunk: number): Uint8Array | undefined {
    return this.#record(holesKey(list, chunk))
  }

  /** The newest events of a position with a version below, newest first. */
  eventsBefore(sequence: number, before: number, limit: number): KeptEvent[] {
    const events: KeptEvent[] = []
    // LMDB walks backwards from a start that is in the range to an end that is not.
    const start = eventKey(sequence, Math.min(before - 1, LAST_VERSION))
    const range = { start, end: eventKey(sequence, 0), limit, reverse: true }
    for (const { key, value } of this.#root.getRange(range))
      events.push(keptEvents.decode(unsealed(key, value)))
    return events
  }

  #record(key: Buffer): Buffer | undefined {
    const stored = this.#root.get(key)
    return stored && unsealed(key, stored)
  }

  /**
   * Resolves once the changes, which are all up to commit `cursor`, are on the medium. Everything is told once, but for
   * the holes of a chunk, which become more.
   */
  async write(changes: readonly HistoryChanges[], cursor: number): Promise<void> {
    const root = this.#root
    const answers = new Set<Promise<boolean>>()
    let tally = this.#tally
    const put = (key: Buffer, bytes: Uint8Array, replaced?: Buffer) => {
      const stored = sealed(key, bytes)
      tally = tallied(tally, sealOf(stored), replaced && sealOf(replaced))
      answers.add(root.put(key, stored))
    }
    const batch = root.batch(() => {
      for (const { orders, positions, events, entries } of changes) {
        for (const { sequence, order } of orders) {
          put(sequenceKey(KIND.order, sequence), endedOrders.encode(order))
          put(idKey(order.record.id), sequenceBytes(sequence))
        }
        for (const { sequence, position } of positions) {
          put(sequenceKey(KIND.position, sequence), endedPositions.encode(position))
          put(idKey(position.record.idx), sequenceBytes(sequence))
        }
        for (const { sequence, event } of events)
          put(eventKey(sequence, event.record.version), keptEvents.encode(event))
        for (const { key, sequence } of entries) put(entryKey(key), sequenceBytes(sequence))
      }
      for (const { key, bits } of newestHoles(changes)) put(key, bits, root.get(key))
      answers.add(root.put(ABOUT_KEY, this.#about(cursor, tally)))
    })
    await committed(answers.add(batch))
    await root.flushed
    // Reads of this turn may still be on a view from before the transaction.
    root.resetReadTxn()
    this.cursor = cursor
    this.#tally = tally
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  #about(cursor: number, tally: Tally): Buffer {
    return aboutBytes({ cursor, opening: this.opening, tally })
  }
}

/** The holes of every chunk as they were told last. */
function newestHoles(
  changes: readonly HistoryChanges[],
): Iterable<{ readonly key: Buffer; readonly bits: Uint8Array }> {
  const newest = new Map<string, { key: Buffer; bits: Uint8Array }>()
  for (const { holes } of changes)
    for (const { list, chunk, bits } of holes)
      newest.set(`${list} ${chunk}`, { key: holesKey(list, chunk), bits })
  return newest.values()
}

/**
 * A commit that fails is told through every promise it gave out, which are few and shared, and through one more within
 * the error; one that nobody listened to would end the process.
 */
async function committed(answers: Iterable<Promise<boolean>>): Promise<void> {
  try {
    const written = await Promise.all(answers)
    if (written.includes(false)) throw new Error('the history could not be written')
  } catch (error) {
    ;(error as { commitError?: Promise<never> }).commitError?.catch(() => {})
    throw error
  }
}

function sequenceKey(kind: number, sequence: number): Buffer {
  const key = Buffer.allocUnsafe(7)
  key[0] = kind
  key.writeUIntBE(sequence, 1, 6)
  return key
}

/** Versions count from 1 and fit four bytes. */
const LAST_VERSION = 0xffffffff

function eventKey(sequence: number, version: number): Buffer {
  const key = Buffer.allocUnsafe(11)
  key[0] = KIND.event
  key.writeUIntBE(sequence, 1, 6)
  key.writeUInt32BE(version, 7)
  return key
}

function sequenceBytes(sequence: number): Buffer {
  const bytes = Buffer.allocUnsafe(6)
  bytes.writeUIntBE(sequence, 0, 6)
  return bytes
}

/** The ids of orders and positions are the engine's own, and always uuids (A4). */
function idKey(id: string): Buffer {
  return Buffer.from(`${ID_PREFIX}${id.replaceAll('-', '')}`, 'hex')
}

const ID_PREFIX = KIND.id.toString(16).padStart(2, '0')

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
