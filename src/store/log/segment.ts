/** One file of a log: a header with the sequence it begins at, then groups. Read front to back through a window. */
import { ByteWriter } from '../../events/codec/byteWriter.ts'
import type { Commit } from '../../events/commit.ts'
import { crc32 } from './crc32.ts'
import type { DiskFile } from './disk.ts'
import { findMagic, GROUP_HEADER, readFrames, readGroupHeader, uint32 } from './group.ts'

const TWO_32 = 4_294_967_296
const MAGIC = 0x474f4c4d
const FORMAT = 1
export const SEGMENT_HEADER = 20
const WINDOW = 1 << 20
/** Bytes of commits that are handed out in one run: few enough that they die young. */
const RUN = 1 << 16

export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(16, '0')}.log`
}

/** The first sequence a file name stands for; null for other files. */
export function segmentSeq(name: string): number | null {
  return /^[0-9]{16}\.log$/.test(name) ? Number(name.slice(0, 16)) : null
}

export function segmentHeader(firstSeq: number): Uint8Array {
  const writer = new ByteWriter(SEGMENT_HEADER)
  writer.uint32(MAGIC)
  writer.uint32(FORMAT)
  writer.uint32(firstSeq >>> 0)
  writer.uint32(Math.floor(firstSeq / TWO_32))
  writer.uint32(crc32(writer.bytes, 0, 16))
  return writer.copy()
}

/** Something in a segment does not pass its check. */
export interface Fault {
  /** The first commit that cannot be read. */
  readonly seq: number
  readonly reason: string
  /** Where the group with the fault begins; 0 when it is the file's own header. */
  readonly position: number
  /** Whether a later group follows: then this one had been durable. */
  readonly followed: boolean
}

/** What was read in one go. */
export interface Run {
  readonly commits: readonly Commit[]
  /** Sequence of the last commit of the whole groups passed so far. */
  readonly head: number
  /** Where the last of these groups ends. */
  readonly end: number
  readonly fault: Fault | null
}

/** Which checksums to check: of the commits that are read, or of those passed over as well. */
export type Checking = 'read' | 'all'

/** Reads a segment front to back. */
export class SegmentReader {
  readonly #file: DiskFile
  readonly #size: number
  readonly #firstSeq: number
  #window = new Uint8Array(0)
  /** Position in the file of the window's first byte. */
  #base = 0
  #at = 0

  constructor(file: DiskFile, firstSeq: number, size = file.size) {
    this.#file = file
    this.#size = size
    this.#firstSeq = firstSeq
  }

  /** The commits from a sequence on; those before it are passed over. Ends at the first fault. */
  async *runs(from: number, checking: Checking = 'read'): AsyncGenerator<Run> {
    let next = this.#firstSeq
    const broken = await this.#header()
    if (broken !== null) return yield { commits: [], head: next - 1, end: 0, fault: broken }
    let commits: Commit[] = []
    let runStart = this.#position
    while (this.#position < this.#size && !(await this.#isBlank())) {
      const fault = await this.#group(next, from, checking, commits)
      const end = this.#position
      if (fault !== null) return yield { commits, head: next - 1, end, fault }
      next = this.#next
      if (commits.length > 0 && end - runStart >= RUN) {
        yield { commits, head: next - 1, end, fault: null }
        commits = []
        runStart = end
      }
    }
    yield { commits, head: next - 1, end: this.#position, fault: null }
  }

  /** First sequence after the group read last. */
  #next = 0

  get #position(): number {
    return this.#base + this.#at
  }

  async #header(): Promise<Fault | null> {
    await this.#load(SEGMENT_HEADER)
    const bytes = this.#window
    const seq = this.#firstSeq
    const fault = (reason: string, followed: boolean) => ({ seq, reason, position: 0, followed })
    if (bytes.length < SEGMENT_HEADER) return fault('its file ends within the header', false)
    if (uint32(bytes, 0) !== MAGIC || uint32(bytes, 16) !== crc32(bytes, 0, 16))
      return fault('the header of its file is damaged', await this.#followed(seq - 1, 0))
    if (uint32(bytes, 4) !== FORMAT) return fault(`its file has format ${uint32(bytes, 4)}`, true)
    const firstSeq = uint32(bytes, 12) * TWO_32 + uint32(bytes, 8) // number
    if (firstSeq !== seq) return fault(`its file begins at commit ${firstSeq}`, true)
    this.#at = SEGMENT_HEADER
    return null
  }

  /** Whether nothing but zeros is left: room for groups to come. */
  async #isBlank(): Promise<boolean> {
    await this.#load(GROUP_HEADER)
    if (this.#window[this.#at] !== 0) return false
    const rest = await this.#rest(this.#position)
    return rest.every((byte) => byte === 0)
  }

  /** Reads the group that begins here, and adds its commits from `from` on; moves past it when it has no fault. */
  async #group(next: number, from: number, checking: Checking, commits: Commit[]): Promise<Fault | null> {
    await this.#load(GROUP_HEADER)
    const header = readGroupHeader(this.#window, this.#at)
    if (header === null) return this.#fault(next, next, 'the header of its group is damaged')
    if (header.firstSeq !== next) return this.#fault(next, next, `commit ${header.firstSeq} follows`)
    this.#next = next + header.commits
    const length = GROUP_HEADER + header.length
    if (this.#next > from || checking === 'all') {
      await this.#load(length)
      if (this.#at + length > this.#window.length) return this.#fault(next, next, 'its group ends early')
      const fault = readFrames(this.#window, this.#at + GROUP_HEADER, header, from, commits)
      if (fault !== null) return this.#fault(next, fault.seq, fault.reason)
    } else if (this.#position + length > this.#size) return this.#fault(next, next, 'its group ends early')
    this.#at += length
    return null
  }

  async #fault(groupSeq: number, seq: number, reason: string): Promise<Fault> {
    const position = this.#position
    return { seq, reason, position, followed: await this.#followed(groupSeq, position + 1) }
  }

  /** Makes `count` bytes from the current place on available in the window, or as many as there are. */
  async #load(count: number): Promise<void> {
    if (this.#at + count <= this.#window.length) return
    const position = this.#position
    const wanted = Math.max(Math.min(Math.max(count, WINDOW), this.#size - position), 0)
    const window = new Uint8Array(wanted)
    const length = await this.#file.read(window, position)
    this.#window = length === wanted ? window : window.subarray(0, length)
    this.#base = position
    this.#at = 0
  }

  /** Whether, from a position on, there is the header of a group that begins after commit `seq`. */
  async #followed(seq: number, position: number): Promise<boolean> {
    const bytes = await this.#rest(position)
    for (let at = findMagic(bytes, 0); at !== -1; at = findMagic(bytes, at + 1)) {
      const header = readGroupHeader(bytes, at)
      if (header !== null && header.firstSeq > seq) return true
    }
    return false
  }

  /** The bytes from a position on. */
  async #rest(position: number): Promise<Uint8Array> {
    const rest = new Uint8Array(Math.max(this.#size - position, 0))
    const length = await this.#file.read(rest, position)
    return rest.subarray(0, length)
  }
}
