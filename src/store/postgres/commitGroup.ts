/** The bytes of one append in a row: the stored form of each commit, one behind the other, with a CRC-32 over them. */
import { ByteReader } from '../../events/codec/byteReader.ts'
import { ByteWriter } from '../../events/codec/byteWriter.ts'
import { readCommit, writeCommit } from '../../events/codec/commitCodec.ts'
import type { Commit } from '../../events/commit.ts'
import { crc32 } from '../../hashes/crc32.ts'
import { StoreDamaged } from '../store.ts'

export interface CommitGroup {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly crc: number
  readonly bytes: Uint8Array
}

const writer = new ByteWriter()

export function groupBytes(commits: readonly Commit[]): Pick<CommitGroup, 'crc' | 'bytes'> {
  writer.reset()
  for (const commit of commits) writeCommit(writer, commit)
  const bytes = writer.copy()
  return { crc: crc32(bytes, 0, bytes.length), bytes }
}

/** @throws StoreDamaged unless the group is what was written, and goes on at `next`. */
export function commitsOfGroup({ firstSeq, lastSeq, crc, bytes }: CommitGroup, next: number): Commit[] {
  if (firstSeq !== next) throw new StoreDamaged(next, `commit ${firstSeq} follows commit ${next - 1}`)
  if (crc !== crc32(bytes, 0, bytes.length)) throw new StoreDamaged(next, 'its group fails its check')
  const reader = new ByteReader(bytes)
  const commits: Commit[] = []
  try {
    for (let seq = firstSeq; seq <= lastSeq; seq++) commits.push(readCommit(reader))
  } catch (error) {
    throw new StoreDamaged(next, `its group does not decode: ${String(error)}`)
  }
  if (reader.at !== bytes.length || commits.some(({ seq }, index) => seq !== firstSeq + index))
    throw new StoreDamaged(next, 'its group holds other commits than it says')
  return commits
}
