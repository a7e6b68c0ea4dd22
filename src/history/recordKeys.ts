/** The keys of the history records: a kind, and numbers whose most significant byte comes first, so that bytes compare as they do. */

export const KIND = { order: 1, event: 3, entry: 4, holes: 5, created: 6 } as const

/** What a list entry is keyed by. */
export interface EntryKey {
  readonly list: number
  readonly rank: number
}

export function sequenceKey(kind: number, sequence: number): Uint8Array {
  const key = new Uint8Array(7)
  key[0] = kind
  setSixBytes(key, 1, sequence)
  return key
}

export function eventKey(sequence: number, version: number): Uint8Array {
  const key = new Uint8Array(11)
  key[0] = KIND.event
  setSixBytes(key, 1, sequence)
  setFourBytes(key, 7, version)
  return key
}

export function entryKey({ list, rank }: EntryKey): Uint8Array {
  const key = new Uint8Array(11)
  key[0] = KIND.entry
  setFourBytes(key, 1, list)
  setSixBytes(key, 5, rank)
  return key
}

export function holesKey(list: number, chunk: number): Uint8Array {
  const key = new Uint8Array(9)
  key[0] = KIND.holes
  setFourBytes(key, 1, list)
  setFourBytes(key, 5, chunk)
  return key
}

/** Of the commits among which it is remembered how much had been created: by their sequence. */
export function createdKey(seq: number): Uint8Array {
  return sequenceKey(KIND.created, seq)
}

/** How much had been created before a commit and after it. */
export interface CreatedIn {
  readonly seq: number
  readonly before: number
  readonly after: number
}

export function createdBytes({ before, after }: CreatedIn): Uint8Array {
  const bytes = new Uint8Array(12)
  setSixBytes(bytes, 0, before)
  setSixBytes(bytes, 6, after)
  return bytes
}

/** What {@link createdKey} and {@link createdBytes} were made of. */
export function createdIn(key: Uint8Array, bytes: Uint8Array): CreatedIn {
  return { seq: sequenceIn(key.subarray(1)), before: sequenceIn(bytes), after: sequenceIn(bytes.subarray(6)) }
}

/** A creation sequence as a record has it. */
export function sequenceBytes(sequence: number): Uint8Array {
  const bytes = new Uint8Array(6)
  setSixBytes(bytes, 0, sequence)
  return bytes
}

/** What {@link sequenceBytes} was made of. */
export function sequenceIn(bytes: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = bytes
  return (a * 256 + b) * 2 ** 32 + (((c << 24) | (d << 16) | (e << 8) | f) >>> 0)
}

function setSixBytes(bytes: Uint8Array, at: number, value: number): void {
  const high = Math.floor(value / 2 ** 32)
  bytes[at] = high >>> 8
  bytes[at + 1] = high
  setFourBytes(bytes, at + 2, value)
}

/** Of a larger value its last four. */
function setFourBytes(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}
