/** The commits of a shard from a sequence on are of one epoch, until the next span begins. */
export interface EpochSpan {
  readonly first: number
  readonly epoch: number
}
