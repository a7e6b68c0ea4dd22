/** How the groups of a file are laid out: the one that is written today, and those that are only read. */
import type { Commit } from '../../events/commit.ts'

export interface GroupHeader {
  readonly firstSeq: number
  /** 0: no group but a mark, which says that everything before `firstSeq` is durable. */
  readonly commits: number
  /** Bytes behind the header. */
  readonly length: number
  /** The chain after this group, as the header says it; null where the form does not. */
  readonly hash: Uint8Array | null
}

/** The first commit of a group that does not pass its check, and why. */
export interface BodyFault {
  readonly seq: number
  readonly reason: string
}

export interface Form {
  readonly headerBytes: number
  /** Where the first group of a file begins. */
  readonly start: number
  /** The header at a place in the bytes; null when there is none that passes its check. */
  header(bytes: Uint8Array, at: number): GroupHeader | null
  /** Where the next header may begin, from a place on; −1 when nowhere. */
  next(bytes: Uint8Array, from: number): number
  /** What the chain covers of the group at a place. */
  hashed(bytes: Uint8Array, at: number, header: GroupHeader): readonly Uint8Array[]
  /** Checks what is behind the header at a place, and adds the commits from sequence `from` on. */
  body(bytes: Uint8Array, at: number, header: GroupHeader, from: number, commits: Commit[]): BodyFault | null
}
