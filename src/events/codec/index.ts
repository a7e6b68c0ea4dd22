/**
 * margin-core/codec: commits as bytes, for whoever writes a store of their own.
 *
 * ```ts
 * import { decodeCommit, encodeCommit } from 'margin-core/codec'
 *
 * rows.set(commit.seq, encodeCommit(commit)) // in Store.append
 * const commit = decodeCommit(rows.get(seq)) // in Store.read
 * ```
 *
 * The bytes of a commit stand alone and say nothing of whether they are whole: a store adds its own checksum, or has one.
 * What any release has written every later one reads, back to 0.1.0; what it reads may be a form that was written since.
 */
import type { Commit } from '../commit.ts'
import { ByteReader, MalformedBytes } from './byteReader.ts'
import { ByteWriter } from './byteWriter.ts'
import { readCommit, writeCommit } from './commitCodec.ts'

export { MalformedBytes }

const writer = new ByteWriter()

/**
 * The stored form of a commit: a few dozen bytes for a tick, a hundred or two for an order. The same commit gives the same
 * bytes in every process.
 *
 * ```ts
 * const [commit] = (await log().next()).value
 * decodeCommit(encodeCommit(commit)).seq // → 1
 * ```
 *
 * @throws TypeError for a commit with a command or an event of no known type; RangeError for a field with a value that its type
 * does not allow: a time or count that is no whole number from 0 up, a status that there is not.
 */
export function encodeCommit(commit: Commit): Uint8Array {
  writer.reset()
  writeCommit(writer, commit)
  return writer.copy()
}

/**
 * The commit that {@link encodeCommit} was given. Fields that were left out are left out again.
 *
 * ```ts
 * const [commit] = (await log().next()).value
 * JSON.stringify(toJson(decodeCommit(encodeCommit(commit)))) === JSON.stringify(toJson(commit)) // → true
 * ```
 *
 * @throws MalformedBytes where the bytes hold no commit, or more than one.
 */
export function decodeCommit(bytes: Uint8Array): Commit {
  const reader = new ByteReader(bytes)
  const commit = commitIn(reader)
  if (reader.at !== bytes.length)
    throw new MalformedBytes(`a commit of ${reader.at} bytes in ${bytes.length}`)
  return commit
}

/** What ends too early is found out by reading beyond the end. */
function commitIn(reader: ByteReader): Commit {
  try {
    return readCommit(reader)
  } catch (error) {
    if (error instanceof RangeError) throw new MalformedBytes(error.message, { cause: error })
    throw error
  }
}
