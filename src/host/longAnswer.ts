/**
 * Answers that are longer than one turn of the event loop should make them: written piece by piece, each in a turn of
 * its own and only when the one before it has been taken, so that they hold nobody up and wait in memory for no one (K4,
 * K15). What they tell is fixed before the first piece: the source gives records that no later commit changes.
 */
import { Readable } from 'node:stream'
import type { Commit } from '../events/commit.ts'
import { Turns } from './turns.ts'

/** Text of one piece, in UTF-16 units, about: what is gathered until at least this much is there. */
export const PIECE = 32_768

/** All long answers of the process share its one loop: of all of them one piece is made in a turn. */
const TURNS = new Turns<string>(1)

/** A piece of something that is not text gives way after so long, ms. */
const PATIENCE_MS = 2

/** Resolves when a piece of something long may be made. */
export function turnFor(client: string): Promise<void> {
  return TURNS.next(client)
}

/** Runs to its end what gives way now and then, each piece in a turn of the loop of its own. */
export async function inPieces<Result>(pieces: Iterator<undefined, Result>, client: string): Promise<Result> {
  for (;;) {
    await TURNS.next(client)
    const next = pieces.next()
    if (next.done === true) return next.value
  }
}

/** Gives undefined wherever the loop may have its turn. */
export function* eachInPieces<Item>(
  items: Iterable<Item>,
  see: (item: Item) => void,
): Generator<undefined, void> {
  let began = performance.now()
  for (const item of items) {
    see(item)
    if (performance.now() - began < PATIENCE_MS) continue
    yield
    began = performance.now()
  }
}

/** What is done for a client step by step, in turns with everything else that is long. */
export class Strides {
  readonly #client: string
  #began = performance.now()

  constructor(client: string) {
    this.#client = client
  }

  /** To be awaited after a step: resolves at once within a piece, else when the next may begin. */
  async step(): Promise<void> {
    if (performance.now() - this.#began < PATIENCE_MS) return
    await TURNS.next(this.#client)
    this.#began = performance.now()
  }
}

/** A log as it is read, giving way to others: whoever folds it holds nobody up. */
export async function* commitsInPieces(
  commits: AsyncIterable<Commit>,
  client: string,
): AsyncGenerator<readonly Commit[], void> {
  const strides = new Strides(client)
  for await (const commit of commits) {
    yield [commit]
    await strides.step()
  }
}

/** Bytes that wait at most on their way out of one such answer: a piece being made, one in the stream, one in the socket. */
const ON_THE_WAY = 4 * PIECE

export class LongAnswer extends Readable {
  /** Bytes this answer keeps in memory until it is read or given up. */
  readonly holds: number
  /** Is told whenever a piece has been taken. */
  onTaken: () => void = () => {}
  readonly #client: string
  readonly #pieces: AsyncIterator<string, void>
  /** Gives up the turn that it waits for: whoever is gone keeps nothing until then. */
  #giveUp = () => {}

  /**
   * `texts` in order make the answer, for this client; `sourceHolds` is what its source keeps in memory for it, bytes.
   */
  constructor(texts: Iterable<string> | AsyncIterable<string>, client: string, sourceHolds = 0) {
    super({ encoding: 'utf8', highWaterMark: PIECE })
    this.holds = ON_THE_WAY + sourceHolds
    this.#client = client
    this.#pieces = gathered(texts, () => this.#turn())
  }

  override async _read(): Promise<void> {
    this.onTaken()
    try {
      const { done, value } = await this.#pieces.next()
      if (!this.destroyed) this.push(done ? null : value)
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const ended = this.#pieces.return?.()
    this.#giveUp()
    if (ended === undefined) return callback(error)
    ended.then(
      () => callback(error),
      () => callback(error),
    )
  }

  /** Resolves when a piece may be made, to true; to false once the answer is given up. */
  #turn(): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.destroyed) return resolve(false)
      const withdraw = TURNS.wait(this.#client, () => resolve(true))
      this.#giveUp = () => {
        withdraw()
        resolve(false)
      }
    })
  }
}

/** Texts put together into pieces, with a turn of the loop before each; an empty text ends a turn without a piece. */
async function* gathered(
  texts: Iterable<string> | AsyncIterable<string>,
  turn: () => Promise<boolean>,
): AsyncGenerator<string, void> {
  let piece = ''
  if (!(await turn())) return
  for await (const text of texts) {
    piece += text
    if (text !== '' && piece.length < PIECE) continue
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
    if (!(await turn())) return
  }
  if (piece !== '') yield piece
}
