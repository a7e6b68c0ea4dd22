/**
 * Sends commits to one reader of the log. What is stored already comes in stretches, at the reader's own pace: first what there was
 * when they came, then what was appended meanwhile, until that is so little that it may wait for them. From then on commits are
 * sent as they come, and whoever lets more than a MiB of them wait is too slow (K4). Nothing of a stretch waits in memory.
 */
import type { Engine } from '../../engine/engine.ts'
import { Allowance, MOST_UNSENT, patienceFor } from './allowance.ts'
import type { Outlet } from './listener.ts'
import type { Message } from './message.ts'

export class CommitSender {
  readonly #outlet: Outlet
  readonly #engine: Pick<Engine, 'durableHead'>
  readonly #allowance = new Allowance()
  /** Whether the reader has come to the end of what was stored. */
  #isThere: boolean
  /** The last commit of the stretch. */
  #end: number
  /** Sent of it, and of the one before. */
  #bytes = 0
  #bytesBefore = Number.POSITIVE_INFINITY

  /** For somebody who has heard up to commit `after`. */
  constructor(outlet: Outlet, engine: Pick<Engine, 'durableHead'>, after: number) {
    this.#outlet = outlet
    this.#engine = engine
    this.#end = engine.durableHead
    this.#isThere = after >= this.#end
  }

  /** Sends the next commit, or leaves it out. Resolves to false where its reader is too slow. */
  async send(seq: number, message: Message | null): Promise<boolean> {
    if (message !== null && !(await this.#sendOne(seq, message))) return false
    return this.#isThere || seq < this.#end || this.#endStretch()
  }

  async #sendOne(seq: number, message: Message): Promise<boolean> {
    const { unsent: before } = this.#outlet
    this.#outlet.send([message], seq)
    if (this.#isThere) return this.#allowance.covers(this.#outlet.unsent, before)
    const { length } = message.json
    this.#bytes += length
    return this.#outlet.taken(patienceFor(length))
  }

  /** False where the log grows as fast as it is read: of such stretches there is no end. */
  #endStretch(): boolean {
    const bytes = this.#bytes
    this.#isThere = bytes <= MOST_UNSENT
    const isShorter = bytes < this.#bytesBefore
    this.#end = this.#engine.durableHead
    this.#bytesBefore = bytes
    this.#bytes = 0
    return this.#isThere || isShorter
  }
}
