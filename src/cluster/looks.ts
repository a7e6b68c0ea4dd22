/**
 * Looks at the database, and what they may be older than. A node looks while it gives shards away, over another connection: a look that had
 * begun by then may still call a shard its own, and opening it would fail and keep requests waiting that another answers.
 */
export class Looks {
  #begun = 0
  /** What is known is of that one. */
  #seen = 0
  /** Of each shard that was another's, the looks that had begun by then. */
  readonly #goneBy = new Map<number, number>()

  /** @throws what the look throws; what was seen stays. */
  async look<View>(look: () => Promise<View>): Promise<View> {
    const begun = ++this.#begun
    const view = await look()
    this.#seen = begun
    return view
  }

  /** It is another's as of now. */
  isGone(shard: number): void {
    this.#goneBy.set(shard, this.#begun)
  }

  /** It is this node's as of now. */
  isTaken(shard: number): void {
    this.#goneBy.delete(shard)
  }

  /** Whether what was seen last had begun after the shard was another's. */
  tellOf(shard: number): boolean {
    return this.#seen > (this.#goneBy.get(shard) ?? 0)
  }
}
