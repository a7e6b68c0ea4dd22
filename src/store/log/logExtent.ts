/** How far a log reaches: found when it is opened, from its last file, or, in a copy, from all of them. */
import { StoreDamaged } from '../store.ts'
import { archivedOn, type Before } from './archivedNote.ts'
import type { Disk } from './disk.ts'
import { type Fault, type Reading, type Run, SegmentReader } from './segment.ts'
import { FIRST_HEADER, segmentName, segmentSeq } from './segmentHeader.ts'

export interface Extent {
  /** First sequences of the files that count, ascending. */
  readonly segments: readonly number[]
  /** What was archived before them. */
  readonly before: Before
  readonly head: number
  /** Where the last group ends in the last file. */
  readonly end: number
  /** The chain after the head; null where it is not known. */
  readonly chain: Uint8Array | null
  /** What was passed over, for people; null mostly. */
  readonly repaired: string | null
  /** Files that do not count: to be renamed before the log is written to, or removed where they never held a commit. */
  readonly beside: readonly { readonly name: string; readonly aside: string | null }[]
}

/** First sequences of the files, ascending, and what was archived before them. */
interface Files {
  readonly segments: readonly number[]
  readonly before: Before
}

/** @throws StoreDamaged when a commit that had been durable is damaged or missing. */
export async function extentOf(disk: Disk): Promise<Extent> {
  return extentOfFiles(disk, await filesOn(disk))
}

/** @throws StoreDamaged when the first is missing. */
async function filesOn(disk: Disk): Promise<Files> {
  const before = await archivedOn(disk)
  const found = (await disk.list())
    .map(segmentSeq)
    .filter((seq) => seq !== null)
    .sort((a, b) => a - b)
  // What is there of the archived commits still had not been removed when the archive was interrupted.
  const segments = found.filter((seq) => seq > before.head)
  const isEmpty = found.length === 0 && before.head === 0
  if (!isEmpty && segments[0] !== before.head + 1)
    throw new StoreDamaged(before.head + 1, 'the first file of the log is missing')
  return { segments, before }
}

async function extentOfFiles(disk: Disk, files: Files): Promise<Extent> {
  const { segments, before } = files
  const firstSeq = segments.at(-1)
  if (firstSeq === undefined)
    return { ...files, head: before.head, end: 0, chain: before.chain, repaired: null, beside: [] }
  if (await isCopy(disk, segments)) return extentOfCopy(disk, files)
  const run = await lastRunOf(disk, firstSeq, {})
  if (run.fault?.tail.proof) throw new StoreDamaged(run.fault.seq, run.fault.reason)
  if (run.head < firstSeq) return withoutLast(disk, files, run.fault?.reason ?? 'its file ends early')
  return { ...files, beside: [], ...run, repaired: run.fault === null ? null : interrupted(run.fault) }
}

/** The last file that can tell decides. */
async function isCopy(disk: Disk, segments: readonly number[]): Promise<boolean> {
  for (const firstSeq of segments.toReversed()) {
    const { header, identity } = await headerOf(disk, firstSeq)
    if (typeof header !== 'string') return header.identity !== null && header.identity !== identity
  }
  return false
}

async function headerOf(disk: Disk, firstSeq: number) {
  const file = await disk.open(segmentName(firstSeq))
  try {
    const { identity, size } = file
    return { header: await new SegmentReader(disk, file, firstSeq).header(), identity, size }
  } finally {
    await file.close()
  }
}

/** Where reading a file ends: there itself, or at the first group that does not pass. */
async function lastRunOf(disk: Disk, firstSeq: number, reading: Reading): Promise<Run> {
  const file = await disk.open(segmentName(firstSeq))
  try {
    let last: Run | null = null
    const reader = new SegmentReader(disk, file, firstSeq, { ...reading, from: NONE, whole: true })
    for await (const run of reader.runs()) last = run
    return last as Run
  } finally {
    await file.close()
  }
}

/** No commit has this sequence: nothing is decoded. */
const NONE = Number.POSITIVE_INFINITY

/** Format 1 wrote the header of a file by itself; since then a file has a whole group from its beginning. */
async function isBegunByParts(disk: Disk, firstSeq: number): Promise<boolean> {
  const { header, size } = await headerOf(disk, firstSeq)
  return typeof header === 'string' ? size <= FIRST_HEADER : header.identity === null
}

function interrupted({ seq, reason, tail }: Fault): string {
  return `passed over ${tail.bytes} bytes of an interrupted append at commit ${seq}: ${reason}`
}

/**
 * A last file without a commit. Format 1 could leave one, when the file before it was complete; since then a file has a
 * whole group from its beginning.
 */
async function withoutLast(disk: Disk, { segments, before: older }: Files, reason: string): Promise<Extent> {
  const dropped = segments.at(-1) as number
  const before = segments.at(-2)
  if (
    !(await isBegunByParts(disk, dropped)) ||
    (before !== undefined && !(await isBegunByParts(disk, before)))
  )
    throw new StoreDamaged(dropped, reason)
  const extent = await extentOfFiles(disk, { segments: segments.slice(0, -1), before: older })
  if (extent.head !== dropped - 1 || extent.repaired !== null)
    throw new StoreDamaged(extent.head + 1, 'its file ends early')
  return {
    ...extent,
    repaired: `dropped the file of an interrupted append at commit ${dropped}`,
    beside: [{ name: segmentName(dropped), aside: null }],
  }
}

/**
 * A log that was copied while it was being written has its files, and parts of files, from different moments. It counts
 * up to the first place that had not been written when that was copied; damage is told apart from that, and refused.
 */
async function extentOfCopy(disk: Disk, { segments, before }: Files): Promise<Extent> {
  let chain: Uint8Array | null = before.chain
  for (const [index, firstSeq] of segments.entries()) {
    const last = (segments[index + 1] ?? NONE) - 1
    const run = await lastRunOf(disk, firstSeq, { last, chain })
    chain = run.chain
    if (run.head === last) continue
    const { fault } = run
    if (fault !== null && !fault.tail.hole && (fault.tail.proof || fault.position === 0))
      throw new StoreDamaged(fault.seq, fault.reason)
    const later = segments.slice(index + 1).map(segmentName)
    const whole = fault === null && later.length === 0
    return {
      segments: segments.slice(0, index + 1),
      before,
      head: run.head,
      end: run.end,
      chain,
      repaired: whole ? null : copied(run, later.length),
      beside: later.map((name) => ({ name, aside: `${name}.beyond` })),
    }
  }
  throw new StoreDamaged(1, 'the log has no end')
}

function copied({ head }: Run, files: number): string {
  const beyond = files === 0 ? '' : `, and ${files} files of later commits are set aside`
  return `this log was copied while it was written: it ends at commit ${head}${beyond}`
}
