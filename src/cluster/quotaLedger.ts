/**
 * How a limit of the venue is shared out among its shards, as the database knows it: what each shard may have at most. The
 * quota that a shard's log says is never more than its share here, so that the shares bound what all of them accept.
 */
export interface QuotaLedger {
  look(line: string): Promise<SharedOut>
  /**
   * One statement: the share of a shard is another from here on, and the maximum where that is given. False, and nothing
   * changes, unless the line stands as it was seen, in its turn and all that it says, and the shard at that epoch: a turn alone
   * may come twice, when a failover undid one that had been seen. A call that fails leaves open whether it was carried out, or
   * will be.
   */
  change(line: string, seen: SharedOut, share: ShareChange): Promise<boolean>
}

export interface ShareChange {
  readonly shard: number
  readonly epoch: number
  readonly amount: bigint
  /** Null = as it is. */
  readonly maximum: bigint | null
}

/** A line is what is limited: one direction of one market. */
export interface SharedOut {
  /** A count of its changes: whoever changes it has seen it as it is. */
  readonly turn: number
  /** What the shares may sum up to, as the first shard knows it; null = nobody has said so yet. */
  readonly maximum: bigint | null
  /** By shard; one that is not there has nothing. */
  readonly shares: ReadonlyMap<number, bigint>
}
