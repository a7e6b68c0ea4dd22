/**
 * An append-only log of commits in files of bounded size. What was interrupted is cut off when the log is opened; what
 * was durable and cannot be read any more is refused by name.
 */
import { ByteWriter } from '../../events/codec/byteWriter.ts'
import type { Commit } from '../../events/commit.ts'
import { StoreDamaged } from '../store.ts'
import type { Disk, DiskFile } from './disk.ts'
import { writeGroup } from './group.ts'
import {
  type Fault,
  SEGMENT_HEADER,
  SegmentReader,
  segmentHeader,
  segmentName,
  segmentSeq,
} from './segment.ts'

const SEGMENT_BYTES = 64 << 20
/** No commit has this sequence: nothing is decoded. */
const NONE = Number.POSITIVE_INFINITY

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
}

export class CommitLog {
  readonly #disk: Disk
  readonly #segmentBytes: number
  readonly #ahead: number
  /** First sequences of the files, ascending. */
  readonly #segments: number[]
  readonly #writer = new ByteWriter(1 << 16)
  #file: DiskFile | null = null
  #end = 0
  /** While an append is under way, and for good after one that failed. */
  #failed = false
  head = 0
  /** What opening cut off; null mostly. */
  repaired: string | null = null

  private constructor(disk: Disk, segments: number[], segmentBytes: number, ahead: number) {
    this.#disk = disk
    this.#segments = segments
    this.#segmentBytes = segmentBytes
    this.#ahead = ahead
  }

  /** For reading alone: nothing is repaired, and what a writer is adding now is left out. */
  static async openForReading(disk: Disk): Promise<CommitLog> {
    const log = await CommitLog.#find(disk, {})
    await log.#findHead(false)
    return log
  }

  /**
   * For writing: cuts off what an interrupted append left.
   *
   * @throws StoreDamaged when a commit that had been durable is damaged or missing.
   */
  static async open(disk: Disk, options: CommitLogOptions = {}): Promise<CommitLog> {
    const log = await CommitLog.#find(disk, options)
    await log.#findHead(true)
    const { durable = 0 } = options
    if (log.head < durable)
      throw new StoreDamaged(log.head + 1, `it was durable, as were all up to ${durable}`)
    return log
  }

  static async #find(
    disk: Disk,
    { segmentBytes = SEGMENT_BYTES, ahead = 0 }: CommitLogOptions,
  ): Promise<CommitLog> {
    const segments = (await disk.list())
      .map(segmentSeq)
      .filter((seq) => seq !== null)
      .sort((a, b) => a - b)
    if (segments.length > 0 && segments[0] !== 1)
      throw new StoreDamaged(1, 'the first file of the log is missing')
    return new CommitLog(disk, segments, segmentBytes, ahead)
  }

  /**
   * Reads the last file to its end. An append counts in whole or not at all, so the head is where the last whole group
   * ends. `durable`: a later file was begun, which happens only when this one is on the medium.
   */
  async #findHead(repairing: boolean, durable = false): Promise<void> {
    const firstSeq = this.#segments.at(-1)
    if (firstSeq === undefined) return
    const file = await this.#disk.open(segmentName(firstSeq))
    this.#file = file
    for await (const { head, end, fault } of new SegmentReader(file, firstSeq).runs(NONE, 'all')) {
      this.head = head
      this.#end = end
      if (fault === null) continue
      if (fault.followed || durable) throw new StoreDamaged(fault.seq, fault.reason)
      if (fault.position > 0) await this.#cut(fault, file, repairing)
      else return this.#drop(fault, file, repairing)
    }
  }

  async #cut({ seq, reason, position }: Fault, file: DiskFile, repairing: boolean): Promise<void> {
    this.repaired = `cut ${file.size - position} bytes of an interrupted append at commit ${seq}: ${reason}`
    if (!repairing) return
    await file.truncate(position)
    await file.flush()
  }

  /** A last file without a header never held a commit: the one before it counts. */
  async #drop({ seq, reason }: Fault, file: DiskFile, repairing: boolean): Promise<void> {
    this.repaired = `dropped the file of an interrupted append at commit ${seq}: ${reason}`
    await file.close()
    this.#file = null
    this.#end = 0
    const dropped = this.#segments.pop() as number
    await this.#findHead(repairing, true)
    if (this.head !== dropped - 1) throw new StoreDamaged(this.head + 1, 'its file ends early')
    if (!repairing) return
    await this.#disk.remove(segmentName(dropped))
    await this.#disk.flush()
  }

  /** Appends commits as one group; resolves once it is on the medium. */
  async append(commits: readonly Commit[]): Promise<void> {
    if (this.#failed) throw new Error('an earlier append failed: the log has to be opened again')
    this.#failed = true
    await this.#append(commits)
    this.#failed = false
  }

  async #append(commits: readonly Commit[]): Promise<void> {
    if (commits.length === 0) return
    const writer = this.#writer
    writer.reset()
    writeGroup(writer, commits)
    if (this.#file === null || this.#end >= this.#segmentBytes) await this.#begin(this.head + 1)
    const file = this.#file as DiskFile
    const length = writer.at
    if (this.#end + length > file.size) writer.zeros(this.#ahead)
    await file.write(writer.bytes.subarray(0, writer.at), this.#end)
    await file.flush()
    this.#end += length
    this.head += commits.length
  }

  async #begin(firstSeq: number): Promise<void> {
    await this.#file?.close()
    this.#file = await this.#disk.create(segmentName(firstSeq))
    await this.#file.write(segmentHeader(firstSeq), 0)
    await this.#file.flush()
    await this.#disk.flush()
    this.#segments.push(firstSeq)
    this.#end = SEGMENT_HEADER
  }

  /** Commits from a sequence on, in runs, up to the head at the time of the call. */
  async *read(from: number): AsyncGenerator<readonly Commit[]> {
    const { head } = this
    const end = this.#end
    let next = Math.max(from, 1)
    const segments = this.#segments.slice()
    for (const [index, firstSeq] of segments.entries()) {
      const following = segments[index + 1] ?? head + 1
      if (next >= following) continue
      yield* this.#readSegment(firstSeq, next, index === segments.length - 1 ? end : undefined)
      next = following
    }
  }

  async *#readSegment(firstSeq: number, from: number, size?: number): AsyncGenerator<readonly Commit[]> {
    const file = await this.#disk.open(segmentName(firstSeq))
    const following = this.#segments[this.#segments.indexOf(firstSeq) + 1]
    try {
      let reached = firstSeq - 1
      for await (const { commits, head, fault } of new SegmentReader(file, firstSeq, size).runs(from)) {
        if (commits.length > 0) yield commits
        if (fault !== null) throw new StoreDamaged(fault.seq, fault.reason)
        reached = head
      }
      if (size === undefined && following !== undefined && reached !== following - 1)
        throw new StoreDamaged(reached + 1, 'its file ends early')
    } finally {
      await file.close()
    }
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = null
  }
}
