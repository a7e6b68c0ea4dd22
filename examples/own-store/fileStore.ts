/**
 * Commits in one file, a line for each batch: a checksum and the commits, as text. A last line without its end is what an
 * interrupted append left, and is cut off. Only one process may have the file open; this store leaves that to its user.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import {
  type Commit,
  MemoryStore,
  type Snapshot,
  type SnapshotInPieces,
  type Store,
  StoreConflict,
  StoreDamaged,
  type StoreSession,
} from 'margin-core'
import { decodeCommit, encodeCommit } from 'margin-core/codec'

export class FileStore implements Store {
  readonly #path: string
  /** Snapshots only save time at the next start: this store keeps them for as long as it lives. */
  readonly #shelf = new MemoryStore()
  #file: FileHandle | null = null
  #commits: Commit[] = []
  #epoch = 0
  /** Appends go one after another. */
  #last: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  async open(): Promise<StoreSession> {
    await this.#last
    this.#file ??= await open(this.#path, 'a')
    const text = await readFile(this.#path, 'latin1')
    const whole = text.lastIndexOf('\n') + 1
    if (whole < text.length) await this.#file.truncate(whole)
    this.#commits = []
    for (const line of text.slice(0, whole).split('\n').slice(0, -1))
      this.#commits.push(...this.#batchIn(line))
    this.#epoch += 1
    const repaired = whole < text.length ? 'an interrupted append was cut off' : null
    return { head: this.#commits.length, epoch: this.#epoch, repaired, unwritable: null }
  }

  append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    const appended = this.#last.then(() => this.#append(commits, expectedHead, epoch))
    this.#last = appended.catch(() => {})
    return appended
  }

  async #append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    if (this.#file === null || epoch !== this.#epoch)
      throw new StoreConflict('somebody else is the writer now')
    const isNext = commits.every(({ seq }, index) => seq === expectedHead + 1 + index)
    if (expectedHead !== this.#commits.length || !isNext)
      throw new StoreConflict(`an append after ${expectedHead} where the head is ${this.#commits.length}`)
    const batch = commits.map((commit) => Buffer.from(encodeCommit(commit)).toString('base64')).join(' ')
    await this.#file.appendFile(`${checksum(batch)} ${batch}\n`)
    await this.#file.datasync() // only now is it durable
    this.#commits.push(...commits)
  }

  #batchIn(line: string): Commit[] {
    const [sum, ...encoded] = line.split(' ')
    if (sum !== checksum(encoded.join(' ')))
      throw new StoreDamaged(this.#commits.length + 1, 'wrong checksum')
    return encoded.map((commit) => decodeCommit(Buffer.from(commit, 'base64')))
  }

  async *read(from: number): AsyncIterable<readonly Commit[]> {
    const run = this.#commits.slice(Math.max(from, 1) - 1)
    if (run.length > 0) yield run
  }

  saveSnapshot(snapshot: SnapshotInPieces): Promise<void> {
    return this.#shelf.saveSnapshot(snapshot)
  }

  snapshots(): AsyncIterable<Snapshot> {
    return this.#shelf.snapshots()
  }

  async close(): Promise<void> {
    await this.#last
    await this.#file?.close()
    this.#file = null
  }
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
