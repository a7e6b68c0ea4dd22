/** The logs of shards that this node may be given soon, as far as they were read beforehand. */
import type { ClusterClock } from '../../cluster/clock.ts'
import type { LogAhead } from '../../store/postgres/logAhead.ts'

interface Reading {
  /** Null while it is read. */
  found: LogAhead | null
}

export class LogsAhead {
  readonly #read: (shard: number) => Promise<LogAhead | null>
  readonly #clock: ClusterClock
  readonly #keptMs: number
  readonly #readings = new Map<number, Reading>()

  /**
   * `read` gives null where it cannot read. What nobody has taken after `keptMs` is let go of: it takes as much memory as the end of
   * a log.
   */
  constructor(read: (shard: number) => Promise<LogAhead | null>, clock: ClusterClock, keptMs: number) {
    this.#read = read
    this.#clock = clock
    this.#keptMs = keptMs
  }

  /** Resolves once it has been read, or cannot be. */
  async read(shard: number): Promise<void> {
    const reading: Reading = { found: null }
    this.#readings.set(shard, reading)
    reading.found = await this.#read(shard)
    void this.#clock.sleep(this.#keptMs).then(() => {
      if (this.#readings.get(shard) === reading) this.#readings.delete(shard)
    })
  }

  /** Null where nothing was read, or not all of it yet: whoever opens the shard reads it anew. */
  take(shard: number): LogAhead | null {
    const reading = this.#readings.get(shard)
    this.#readings.delete(shard)
    return reading?.found ?? null
  }
}
