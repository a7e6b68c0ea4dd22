/** One file of a log, read front to back through a window: a header, then groups, then room for those to come. */
import type { Commit } from '../../events/commit.ts'
import { hex, sameBytes } from './bytes.ts'
import type { Disk, DiskFile } from './disk.ts'
import type { Form, GroupHeader } from './form.ts'
import { readSegmentHeader, SEGMENT_HEADER, type SegmentHeader } from './segmentHeader.ts'
import { type Tail, tailOf } from './tail.ts'

const WINDOW = 1 << 20
/** Bytes of a file, and commits, that are handed out in one run: few enough that the commits die young. */
const RUN = 1 << 16
const RUN_COMMITS = 1 << 10

/** Something in a segment does not pass its check. */
export interface Fault {
  /** The first commit that cannot be read. */
  readonly seq: number
  readonly reason: string
  /** Where the group with the fault begins; 0 when it is the file's own header. */
  readonly position: number
  /** What follows, which tells whether this had been durable. */
  readonly tail: Tail
}

/** What was read in one go. */
export interface Run {
  readonly commits: readonly Commit[]
  /** Sequence of the last commit of the whole groups passed so far. */
  readonly head: number
  /** Where the last of these groups ends. */
  readonly end: number
  /** The chain after it; null where it is not known. */
  readonly chain: Uint8Array | null
  readonly fault: Fault | null
}

export interface Reading {
  /** The commits before this one are passed over; default none of them. */
  readonly from?: number
  /** Whether what is passed over is checked as well; default false. */
  readonly whole?: boolean
  /** The last commit that counts: a file is followed by another one that begins after it. Default: as many as there are. */
  readonly last?: number
  /** Where to stop, bytes; default the end of the file. */
  readonly size?: number
  /** The chain before the file, where it is known. */
  readonly chain?: Uint8Array | null
  /** Is told every group, with the chain after it. */
  readonly onGroup?: ((head: number, chain: Uint8Array) => void) | undefined
}

const NOTHING_FOLLOWS: Tail = { blank: false, proof: false, hole: false, bytes: 0 }

export class SegmentReader {
  readonly #disk: Disk
  readonly #file: DiskFile
  readonly #firstSeq: number
  readonly #size: number
  readonly #reading: Reading
  #form: Form | null = null
  #chain: Uint8Array | null
  #window = new Uint8Array(0)
  /** Position in the file of the window's first byte. */
  #base = 0
  #at = 0

  constructor(disk: Disk, file: DiskFile, firstSeq: number, reading: Reading = {}) {
    this.#disk = disk
    this.#file = file
    this.#firstSeq = firstSeq
    this.#size = reading.size ?? file.size
    this.#reading = reading
    this.#chain = reading.chain ?? null
  }

  /** What the file says of itself, or what is wrong with that. */
  async header(): Promise<SegmentHeader | string> {
    await this.#load(SEGMENT_HEADER)
    const header = readSegmentHeader(this.#window)
    if (typeof header === 'string') return header
    if (header.firstSeq !== this.#firstSeq) return `its file begins at commit ${header.firstSeq}`
    return header
  }

  /** The groups front to back, up to the first fault. */
  async *runs(): AsyncGenerator<Run> {
    let next = this.#firstSeq
    const broken = await this.#begin()
    if (broken !== null)
      return yield { commits: [], head: next - 1, end: 0, chain: this.#chain, fault: broken }
    const { last = Number.POSITIVE_INFINITY } = this.#reading
    const isDone = () => next > last || this.#position >= this.#size
    let commits: Commit[] = []
    let runStart = this.#position
    while (!isDone()) {
      const found = await this.#group(next, commits)
      const end = this.#position
      if (found === 'end') break
      if (typeof found === 'object')
        return yield { commits, head: next - 1, end, chain: this.#chain, fault: found }
      next = found
      if (commits.length >= RUN_COMMITS || (commits.length > 0 && end - runStart >= RUN)) {
        yield { commits, head: next - 1, end, chain: this.#chain, fault: null }
        commits = []
        runStart = end
      }
    }
    yield { commits, head: next - 1, end: this.#position, chain: this.#chain, fault: null }
  }

  get #position(): number {
    return this.#base + this.#at
  }

  async #begin(): Promise<Fault | null> {
    const header = await this.header()
    if (typeof header === 'string') return this.#headerFault(header)
    if (this.#chain !== null && header.chain !== null && !sameBytes(this.#chain, header.chain))
      return this.#headerFault(`its file follows another log, of chain ${hex(header.chain)}`)
    this.#chain = header.chain ?? this.#chain
    this.#form = header.form
    this.#at = header.form.start
    return null
  }

  #headerFault(reason: string): Fault {
    return { seq: this.#firstSeq, reason, position: 0, tail: NOTHING_FOLLOWS }
  }

  /**
   * Reads the group that begins here, and adds its commits; moves past it when it has no fault. What does not pass is
   * read a second time if something follows it, because another process may be writing, and had not finished it before.
   *
   * @returns the sequence after the group; `end` where nothing but room is left.
   */
  async #group(next: number, commits: Commit[]): Promise<number | 'end' | Fault> {
    const known = commits.length
    const first = await this.#check(next, commits)
    if (typeof first === 'number') return first
    commits.length = known
    const tail = await tailOf(this.#file, this.#form as Form, this.#position, this.#size, next)
    if (tail.blank) return 'end'
    const position = this.#position
    this.#window = new Uint8Array(0)
    this.#base = position
    this.#at = 0
    const again = await this.#check(next, commits)
    if (typeof again === 'number') return again
    commits.length = known
    return { ...again, position, tail }
  }

  async #check(next: number, commits: Commit[]): Promise<number | { seq: number; reason: string }> {
    const form = this.#form as Form
    await this.#load(form.headerBytes)
    const header = form.header(this.#window, this.#at)
    if (header === null) return { seq: next, reason: 'the header of its group is damaged' }
    if (header.firstSeq !== next || header.commits === 0)
      return { seq: next, reason: `commit ${header.firstSeq} follows` }
    const { last = Number.POSITIVE_INFINITY } = this.#reading
    const after = next + header.commits
    if (after - 1 > last) return { seq: last + 1, reason: 'the next file begins within its group' }
    const fault = await this.#body(form, header, commits)
    if (fault !== null) return fault
    this.#at += form.headerBytes + header.length
    if (this.#chain !== null) this.#reading.onGroup?.(after - 1, this.#chain)
    return after
  }

  async #body(form: Form, header: GroupHeader, commits: Commit[]) {
    const { from = 1, whole = false } = this.#reading
    const { firstSeq: seq } = header
    const length = form.headerBytes + header.length
    if (this.#position + length > this.#size) return { seq, reason: 'its group ends early' }
    if (seq + header.commits <= from && !whole) {
      this.#chain = header.hash
      return null
    }
    await this.#load(length)
    if (this.#at + length > this.#window.length) return { seq, reason: 'its group ends early' }
    const chain = this.#chainAfter(form, header)
    if (chain !== null && header.hash !== null && !sameBytes(chain, header.hash))
      return { seq, reason: 'its hash does not match' }
    const fault = form.body(this.#window, this.#at, header, from, commits)
    if (fault === null) this.#chain = chain
    return fault
  }

  /** The chain after the group that begins here. */
  #chainAfter(form: Form, header: GroupHeader): Uint8Array | null {
    if (this.#chain === null) return null
    return this.#disk.sha256(this.#chain, ...form.hashed(this.#window, this.#at, header))
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
}
