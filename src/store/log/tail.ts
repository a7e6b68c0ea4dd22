/**
 * What is behind the last group of a file that can be read, and what it proves. A group is begun only when the one before
 * it is on the medium, and a mark is written only of what is: either of them, found further on, says that what is missing
 * here had been durable.
 */
import type { DiskFile } from './disk.ts'
import type { Form } from './form.ts'

export interface Tail {
  /** Nothing but zeros, and marks of what has been read: room for groups to come. */
  readonly blank: boolean
  /** There is a group that begins after commit `next`, or a mark that covers it. */
  readonly proof: boolean
  /** Zeros where a group is due: in a copy, what had not been written when this part of it was copied. */
  readonly hole: boolean
  /** How many bytes there are up to the last that is not zero. */
  readonly bytes: number
}

/** So many zeros in a row are in no group; so many are not at the beginning or the end of one. */
const HOLE = 64
const HOLE_AT_AN_END = 16
/** Files are copied in multiples of this. */
const PAGE = 4_096

/** The tail of a file from a position on, where the group of commit `next` is due. */
export async function tailOf(
  file: DiskFile,
  form: Form,
  position: number,
  size: number,
  next: number,
): Promise<Tail> {
  const rest = new Uint8Array(Math.max(size - position, 0))
  const bytes = rest.subarray(0, await file.read(rest, position))
  const hole = startsBlank(bytes, position) || hasHole(bytes, extentOf(form, bytes))
  let proof = false
  for (let at = form.next(bytes, 0); at !== -1; at = form.next(bytes, at + 1)) {
    const header = form.header(bytes, at)
    if (header === null) continue
    if (header.firstSeq > next) proof = true
    else if (header.commits === 0) bytes.fill(0, at, at + form.headerBytes)
  }
  const used = lastNonZero(bytes)
  return { blank: used === 0, proof, hole, bytes: used }
}

function lastNonZero(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return end
}

/** How far the group that is due reaches: to the end that its header names, or else the header alone. */
function extentOf(form: Form, bytes: Uint8Array): number {
  return form.headerBytes + (form.header(bytes, 0)?.length ?? 0)
}

/** Whether the header that is due had not been begun when this page, or this part of it, was copied. */
function startsBlank(bytes: Uint8Array, position: number): boolean {
  const upTo = Math.min(HOLE_AT_AN_END, PAGE - (position % PAGE), bytes.length)
  return zerosAt(bytes, 0) >= upTo
}

function hasHole(bytes: Uint8Array, extent: number): boolean {
  const end = Math.min(extent, bytes.length)
  for (let at = 0; at < end; at++) {
    const zeros = Math.min(zerosAt(bytes, at), end - at)
    if (zeros >= HOLE || (zeros >= HOLE_AT_AN_END && at + zeros === end)) return true
  }
  return false
}

function zerosAt(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && at - from < HOLE && bytes[at] === 0) at += 1
  return at - from
}
