/**
 * What commit of what log something was saved after: whatever was saved of a log that was cut off and has grown again names a
 * sequence of this one, and says nothing of it (K8).
 */
import { encodeCommit } from '../events/codec/index.ts'
import type { Commit } from '../events/commit.ts'
import { crc32 } from '../hashes/crc32.ts'
import { CommitsArchived, type Store, StoreDamaged } from '../store/store.ts'

/** Stamps of the commits of a log: each is read once, whoever asks, and the one that is at hand is not. */
export class CommitStamps {
  readonly #store: Store
  readonly #atHand: Commit | null
  readonly #known = new Map<number, Promise<string>>()

  constructor(store: Store, atHand: Commit | null) {
    this.#store = store
    this.#atHand = atHand
  }

  /** The checksum of a commit, and the form of its bytes. */
  of(seq: number): Promise<string> {
    const known = this.#known.get(seq) ?? this.#read(seq)
    this.#known.set(seq, known)
    return known
  }

  /** Whether a commit may have been stamped so. Where that cannot be told, it may: a stamp of other bytes, a commit that cannot be read. */
  async mayBe(seq: number, stamp: string): Promise<boolean> {
    if (stamp.slice(DIGITS) !== FORM) return true
    try {
      return (await this.of(seq)) === stamp
    } catch (error) {
      if (error instanceof CommitsArchived || error instanceof StoreDamaged) return true
      throw error
    }
  }

  async #read(seq: number): Promise<string> {
    if (this.#atHand?.seq === seq) return stampOf(this.#atHand)
    for await (const [commit] of this.#store.read(seq)) if (commit !== undefined) return stampOf(commit)
    throw new StoreDamaged(seq, 'it is missing')
  }
}

const DIGITS = 8
/** Changes with the stored form of any commit: what a later release writes of it may be other bytes. */
const FORM = ' in 1'

function stampOf(commit: Commit): string {
  const bytes = encodeCommit(commit)
  return `${crc32(bytes, 0, bytes.length).toString(16).padStart(DIGITS, '0')}${FORM}`
}
