/** What the database knows of a cluster, and what a node may ask it to change: each change is one statement, and goes through whole or not at all. */

/** A process that owns shards. */
export interface NodeRow {
  readonly name: string
  /** Another one at every start, and after it was expelled: what an earlier life of the node sends late changes nothing. */
  readonly life: string
  /** Where other nodes reach it. */
  readonly address: string
  /** A count: it stands still while the node does not renew its lease. */
  readonly renewals: number
  readonly leaseMs: number
  /** It takes no shard, and gives those it has. */
  readonly draining: boolean
}

export interface ShardRow {
  readonly shard: number
  /** The life of the node that owns it; null = nobody. */
  readonly owner: string | null
  /** Name of the node that it was moved to by hand; null = wherever there is room. */
  readonly wanted: string | null
  readonly epoch: number
  readonly head: number
  /** Why its owner cannot open it, as it said; absent: nobody has failed to. */
  readonly trouble?: ShardTrouble
}

interface ShardTrouble {
  readonly reason: string
  /** When that began, epoch ms by the clock of the database. */
  readonly since: number
}

/** A cluster as the database had it at one instant. */
export interface ClusterView {
  readonly nodes: readonly NodeRow[]
  readonly shards: readonly ShardRow[]
}

/** A call that fails leaves open whether it was carried out. */
export interface Membership {
  look(): Promise<ClusterView>
  /** False while a node of that name is there. */
  join(node: Pick<NodeRow, 'name' | 'life' | 'address' | 'leaseMs'>): Promise<boolean>
  /**
   * Its count is that or more from here on; false when that life has been expelled. Whoever renews has counted all its tries,
   * so that no count stands for two of them, though a failover undid what others had seen.
   */
  renew(life: string, renewals: number): Promise<boolean>
  /** Nobody is to give anything to that life from here on. False where it is not there. */
  drain(life: string): Promise<boolean>
  /** Ends a life unless it has renewed since; its shards are nobody's then. Whether it has ended. */
  expel(life: string, renewals: number): Promise<boolean>
  /** False unless the shard is nobody's and the node is there. */
  take(shard: number, life: string): Promise<boolean>
  /** Says why an owner cannot open a shard, for whoever asks the database; null: it is open. False where it owns it no more. */
  troubled(shard: number, life: string, reason: string | null): Promise<boolean>
  /**
   * From an owner to another, or to nobody. False unless it was the owner, under that epoch, and the other is there: an
   * owner that has opened the shard anew, because it heard nothing, is not robbed by what it had sent before.
   */
  give(
    shard: number,
    owner: { readonly life: string; readonly epoch: number },
    to: string | null,
  ): Promise<boolean>
}
