/**
 * An append-only log of commits in files of bounded size. A file is written by one opening of the log alone, and never
 * changed by a later one: a writer that lost its place without knowing can spoil nothing. What was durable and cannot be
 * read any more is refused by name; what an interrupted append left is passed over (K7).
 */
import { ByteWriter } from '../../events/codec/byteWriter.ts'
import type { Commit } from '../../events/commit.ts'
import { CommitsArchived, StoreDamaged } from '../store.ts'
import type { Before } from './archivedNote.ts'
import { find } from './bytes.ts'
import type { Disk, DiskFile } from './disk.ts'
import { GROUP_HEADER, hashedParts, MARKER, sealGroup, writeBody, writeHeader } from './group.ts'
import { type Extent, extentOf } from './logExtent.ts'
import { type Reading, SegmentReader } from './segment.ts'
import { SEGMENT_HEADER, segmentName, writeSegmentHeader } from './segmentHeader.ts'

const SEGMENT_BYTES = 64 << 20
/** A mark is in another sector than what it speaks of. */
const SECTOR = 4_096
/** The name of a file before it is whole. */
const INCOMING = 'incoming'

export interface CommitLogOptions {
  /** A new file begins where one has reached this size; default 64 MiB. */
  readonly segmentBytes?: number
  /** Commits known from elsewhere to have been durable: they must be there. */
  readonly durable?: number
  /**
   * Zeros that are written behind a group when a file has none left, bytes; default none. What is written over zeros
   * leaves the length of the file as it is, and a flush that has no length to record takes half the time.
   */
  readonly ahead?: number
  readonly guard?: Guard
}

/** Throws once the log is somebody else's to write (K13). */
export interface Guard {
  /** Asked before a write. */
  before(): void
  /** Asked after an append, before anybody is told. */
  after(): void
}

/** What an append lost its place to. */
export class WriterLost extends Error {
  override readonly name = 'WriterLost'
}

/** A file that this opening writes. */
interface Writing {
  readonly name: string
  readonly file: DiskFile
  readonly marker: Uint8Array
}

export class CommitLog {
  readonly #disk: Disk
  readonly #options: CommitLogOptions
  /** First sequences of the files, ascending. */
  readonly #segments: number[]
  readonly #before: Before
  readonly #writer = new ByteWriter(1 << 16)
  #writing: Writing | null = null
  /** Where the last group ends. */
  #end = 0
  /** After the last commit; null where it is not known, before the first append to a log of format 1. */
  #chain: Uint8Array | null
  /** The head that the newest mark speaks of. */
  #marked = 0
  /** Appends and marks, one at a time. */
  #turn: Promise<void> = Promise.resolve()
  #failure: { readonly cause: unknown } | null = null
  head: number
  /** What opening passed over; null mostly. */
  readonly repaired: string | null

  private constructor(disk: Disk, extent: Extent, options: CommitLogOptions) {
    this.#disk = disk
    this.#options = options
    this.#segments = [...extent.segments]
    this.#before = extent.before
    this.#end = extent.end
    this.#chain = extent.chain
    this.#marked = extent.head
    this.head = extent.head
    this.repaired = extent.repaired
  }

  /**
   * For reading alone: nothing is changed, and what a writer is adding now is left out. `durable` as in
   * {@link CommitLogOptions}.
   *
   * @throws StoreDamaged when a commit that had been durable is damaged or missing.
   */
  static async openForReading(disk: Disk, durable = 0): Promise<CommitLog> {
    return new CommitLog(disk, await reaching(disk, durable), {})
  }

  /** @throws StoreDamaged when a commit that had been durable is damaged or missing. */
  static async open(disk: Disk, options: CommitLogOptions = {}): Promise<CommitLog> {
    const extent = await reaching(disk, options.durable ?? 0)
    for (const { name, aside } of extent.beside)
      await (aside === null ? disk.remove(name) : disk.rename(name, aside))
    if (extent.beside.length > 0) await disk.flush()
    return new CommitLog(disk, extent, options)
  }

  /** Appends commits as one group; resolves once it is on the medium. */
  append(commits: readonly Commit[]): Promise<void> {
    return this.#inTurn(() => (commits.length === 0 ? Promise.resolve() : this.#append(commits)))
  }

  /** Says in the log that everything in it is durable; nothing where that was said, or another file says it. */
  mark(): Promise<void> {
    return this.#inTurn(() => this.#mark())
  }

  /** After a failure the log has to be opened again: what is on the medium is not known. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(async () => {
      if (this.#failure?.cause instanceof WriterLost) throw this.#failure.cause
      if (this.#failure !== null)
        throw new Error('an earlier append failed: the log has to be opened again', this.#failure)
      await work().catch((cause: unknown) => {
        this.#failure = { cause }
        throw cause
      })
    })
    this.#turn = done.catch(() => {})
    return done
  }

  async #append(commits: readonly Commit[]): Promise<void> {
    const group = this.#encode(commits)
    const chain = this.#disk.sha256(this.#chain ?? (await this.#chainAtHead()), ...hashedParts(group))
    const writing = this.#writing
    const fits = this.#end < (this.#options.segmentBytes ?? SEGMENT_BYTES)
    if (writing === null || !fits || find(group, writing.marker, MARKER) !== -1)
      await this.#begin(group, chain)
    else {
      this.#options.guard?.before()
      const written = this.#write(writing, group, chain)
      // Seen while the medium is waited for, which takes no longer for it. What is not acknowledged may stand in a lost file.
      try {
        this.#mustBeNamed(writing)
      } finally {
        await written
      }
    }
    this.#options.guard?.after()
    this.#end += group.length
    this.#chain = chain
    this.head += commits.length
  }

  /** A group without its marker, its chain and its checksum. */
  #encode(commits: readonly Commit[]): Uint8Array {
    const writer = this.#writer
    writer.reset()
    writer.at = GROUP_HEADER
    writeBody(writer, commits)
    writeHeader(writer.bytes, this.head + 1, commits.length, writer.at - GROUP_HEADER)
    return writer.bytes.subarray(0, writer.at)
  }

  async #write({ file, marker }: Writing, group: Uint8Array, chain: Uint8Array): Promise<void> {
    sealGroup(group, marker, chain)
    let bytes = group
    if (this.#end + group.length > file.size && this.#options.ahead !== undefined) {
      this.#writer.zeros(this.#options.ahead)
      bytes = this.#writer.bytes.subarray(0, this.#writer.at)
    }
    await file.write(bytes, this.#end)
    await file.flush()
  }

  /** A file comes into being whole, with its first group: under its name there is never less. */
  async #begin(group: Uint8Array, chain: Uint8Array): Promise<void> {
    if (this.#writing !== null) this.#guard(this.#writing)
    this.#options.guard?.before()
    await this.#writing?.file.close()
    this.#writing = null
    const firstSeq = this.head + 1
    const name = segmentName(firstSeq)
    const file = await this.#disk.create(INCOMING)
    const marker = this.#markerFor(group)
    this.#writing = { name, file, marker }
    await file.write(writeSegmentHeader(firstSeq, file.identity, marker, await this.#chainAtHead()), 0)
    this.#end = SEGMENT_HEADER
    await this.#write(this.#writing, group, chain)
    if (!(await this.#disk.publish(INCOMING, name))) throw new WriterLost(`somebody else has begun ${name}`)
    await this.#disk.flush()
    this.#guard(this.#writing)
    this.#segments.push(firstSeq)
  }

  #markerFor(group: Uint8Array): Uint8Array {
    for (;;) {
      const marker = this.#disk.random(MARKER)
      // No flipped bit may make a zero of its first byte: zeros are room.
      marker[0] = (marker[0] as number) | 3
      if (find(group, marker, MARKER) === -1) return marker
    }
  }

  #guard(writing: Writing): void {
    this.#options.guard?.before()
    this.#mustBeNamed(writing)
  }

  /** @throws WriterLost when the file is no longer what its name leads to. */
  #mustBeNamed({ name, file }: Writing): void {
    if (!this.#disk.names(name, file)) throw new WriterLost(`${name} was moved, removed or replaced`)
  }

  async #mark(): Promise<void> {
    const writing = this.#writing
    if (writing === null || this.#marked === this.head) return
    this.#guard(writing)
    const mark = new Uint8Array(GROUP_HEADER)
    writeHeader(mark, this.head + 1, 0, 0)
    sealGroup(mark, writing.marker, await this.#chainAtHead())
    // Groups go on where they ended, and over the mark: it is not needed any more once they reach it.
    await writing.file.write(mark, Math.ceil(this.#end / SECTOR) * SECTOR)
    await writing.file.flush()
    this.#marked = this.head
  }

  /** First sequences of the files, ascending. */
  get segments(): readonly number[] {
    return this.#segments
  }

  /** The first commit that is here, or would be: those before it were archived. */
  get first(): number {
    return this.#before.head + 1
  }

  /** Where the last group ends in the last file, bytes. */
  get end(): number {
    return this.#end
  }

  /** The SHA-256 over everything up to the last commit (K9). */
  async chain(): Promise<Uint8Array> {
    return this.#chainAtHead()
  }

  async #chainAtHead(): Promise<Uint8Array> {
    if (this.#chain === null)
      for await (const _ of this.read(this.first, (_head, chain) => (this.#chain = chain)));
    return this.#chain as Uint8Array
  }

  /**
   * Commits from a sequence on, in runs, up to the head at the time of the call. `onGroup` is told every group with the
   * chain after it, which is known from the first on.
   *
   * @throws CommitsArchived when they begin later.
   * @throws StoreDamaged at the first commit that cannot be read, after every one before it.
   */
  async *read(from: number, onGroup?: Reading['onGroup']): AsyncGenerator<readonly Commit[]> {
    if (Math.max(from, 1) < this.first) throw new CommitsArchived(this.first)
    const { head } = this
    const end = this.#end
    const segments = this.#segments.slice()
    let chain: Uint8Array | null = this.#before.chain
    for (const [index, firstSeq] of segments.entries()) {
      const following = segments[index + 1]
      const last = following === undefined ? head : following - 1
      if (last < from) chain = null
      if (last < Math.max(from, 1)) continue
      const size = following === undefined ? { size: end } : {}
      chain = yield* this.#readSegment(firstSeq, { from, last, chain, onGroup, ...size })
    }
  }

  /** @returns the chain after the file. */
  async *#readSegment(
    firstSeq: number,
    reading: Reading & { readonly last: number },
  ): AsyncGenerator<readonly Commit[], Uint8Array | null> {
    const file = await this.#disk.open(segmentName(firstSeq))
    try {
      let reached = firstSeq - 1
      let after: Uint8Array | null = null
      for await (const run of new SegmentReader(this.#disk, file, firstSeq, reading).runs()) {
        if (run.commits.length > 0) yield run.commits
        if (run.fault !== null) throw new StoreDamaged(run.fault.seq, run.fault.reason)
        reached = run.head
        after = run.chain
      }
      if (reached !== reading.last) throw new StoreDamaged(reached + 1, 'its file ends early')
      return after
    } finally {
      await file.close()
    }
  }

  /** Ends with a mark, unless an append has failed. */
  async close(): Promise<void> {
    try {
      if (this.#failure === null) await this.mark()
    } finally {
      await this.#turn
      await this.#writing?.file.close()
      this.#writing = null
    }
  }
}

/** The extent of a log that has to reach a commit. */
async function reaching(disk: Disk, durable: number): Promise<Extent> {
  const extent = await extentOf(disk)
  if (extent.head >= durable) return extent
  throw new StoreDamaged(extent.head + 1, `it was durable, as were all up to ${durable}`)
}
