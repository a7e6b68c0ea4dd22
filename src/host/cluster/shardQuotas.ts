/** The quotas of a shard as its engine has them, and what of them orders wait for. */
import type { ClusterClock } from '../../cluster/clock.ts'
import type { LineStanding, QuotaBook } from '../../cluster/lineShare.ts'
import { type Given, QuotaKeeper } from '../../cluster/quotaKeeper.ts'
import type { QuotaLedger } from '../../cluster/quotaLedger.ts'
import type { Market } from '../../domain/state/market.ts'
import type { Engine } from '../../engine/engine.ts'
import { marketsOf, seeCommits, wantedNotionalOf } from '../../engine/internals.ts'
import { nearNotional } from '../../engine/nearNotional.ts'
import type { Caller, Command, MarketConfiguration, PlatformCommand } from '../../events/command.ts'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import type { Direction } from '../../terms/direction.ts'
import type { BeforeCarryingOut } from '../beforeCarryingOut.ts'

/** Another shard's answer; null = nobody knows what came of it. */
type AskForQuota = (shard: number, line: string, amount: bigint) => Promise<Given | null>

export interface ShardQuotaOptions {
  readonly shard: number
  readonly shards: number
  readonly epoch: number
  readonly ledger: QuotaLedger
  readonly ask: AskForQuota
  readonly clock: ClusterClock
}

export class ShardQuotas {
  readonly keeper: QuotaKeeper
  readonly #engine: Engine

  private constructor(engine: Engine, options: ShardQuotaOptions) {
    this.#engine = engine
    this.keeper = new QuotaKeeper({ ...options, book: new EngineBook(engine) })
  }

  /** Nothing may be opened before the shard has taken its part. */
  static async begin(engine: Engine, options: ShardQuotaOptions): Promise<ShardQuotas> {
    withoutQuota(engine)
    await engine.whenDurable()
    const quotas = new ShardQuotas(engine, options)
    void quotas.keeper.run()
    seeCommits(engine, ({ events }) => {
      // Not within the commit: the keeper gives commands of its own.
      if (events.some(({ type }) => type === 'marketConfigured' || type === 'marketListed'))
        setImmediate(() => void quotas.keeper.hurry().catch(() => {}))
    })
    return quotas
  }

  /** What an order waits for; null = it can be decided now. */
  before(command: Command, caller: Caller): Promise<void> | null {
    const wanted = wantedNotionalOf(this.#engine, command, caller)
    if (wanted === null) return null
    return this.keeper.awaited(lineOf(wanted.marketId, wanted.direction), wanted.notional)
  }

  /** Null where no maximum becomes smaller; otherwise what carries the command out and keeps the quotas that fit it. */
  beforeMaximum(command: PlatformCommand): ReturnType<BeforeCarryingOut> {
    if (command.type !== 'configureMarket') return null
    const { market: wanted } = command
    const market = marketIn(this.#engine, wanted.id)
    if (market === undefined) return null
    const smaller = CLOSED_SETS.direction.filter((direction) => {
      const [was, maximum] = [maximumOf(market, direction), wanted[MAXIMUM[direction]]]
      return was !== null && maximum != null && maximum < was
    })
    return smaller.length === 0 ? null : this.#fitted(wanted, smaller)
  }

  async #fitted(
    wanted: MarketConfiguration,
    smaller: readonly Direction[],
  ): Promise<<Result>(carryOut: () => Result) => Result> {
    const fit = async (direction: Direction) => {
      const maximum = wanted[MAXIMUM[direction]] as bigint
      return (await this.keeper.fit(lineOf(wanted.id, direction), maximum).catch(() => false))
        ? [direction]
        : []
    }
    const kept = (await Promise.all(smaller.map(fit))).flat()
    return (carryOut) => {
      const before = marketIn(this.#engine, wanted.id)?.quota ?? NOTHING
      const { long, short } = before
      const result = carryOut()
      this.#keep(wanted.id, kept, { long, short })
      return result
    }
  }

  /** What the smaller maximum has just taken back, in the turn in which nothing fires between. */
  #keep(marketId: string, directions: readonly Direction[], before: { long: bigint; short: bigint }): void {
    const now = marketIn(this.#engine, marketId)?.quota
    if (now == null || this.#engine.failure !== null) return
    const quota = (direction: Direction) =>
      directions.includes(direction) ? before[direction] : now[direction]
    this.#engine.dispatch({
      type: 'setNotionalQuota',
      marketId,
      quotaLong: quota('long'),
      quotaShort: quota('short'),
    })
  }
}

/** The field of a market's configuration that bounds a direction. */
const MAXIMUM = { long: 'maxOpenNotionalLong', short: 'maxOpenNotionalShort' } as const

/** A market that has no quota yet has nothing. */
function withoutQuota(engine: Engine): void {
  const missing = Array.from(marketsOf(engine)).filter(({ quota }) => quota === null)
  for (const { id: marketId } of missing)
    engine.dispatch({ type: 'setNotionalQuota', marketId, quotaLong: 0n, quotaShort: 0n })
}

const NOTHING = { long: 0n, short: 0n }

class EngineBook implements QuotaBook {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  *lines(): Iterable<string> {
    if (this.#engine.failure !== null) return
    withoutQuota(this.#engine)
    for (const market of marketsOf(this.#engine))
      for (const direction of CLOSED_SETS.direction)
        if (maximumOf(market, direction) !== null) yield lineOf(market.id, direction)
  }

  standing(line: string): LineStanding | null {
    const { market, direction } = this.#find(line)
    if (market === undefined) return null
    const maximum = maximumOf(market, direction)
    if (maximum === null) return null
    return {
      quota: market.quota?.[direction] ?? 0n,
      open: direction === 'long' ? market.openNotionalLong : market.openNotionalShort,
      maximum,
    }
  }

  ahead(line: string): bigint {
    const { market, direction } = this.#find(line)
    return market === undefined ? 0n : nearNotional(market, direction)
  }

  async set(line: string, amount: bigint): Promise<void> {
    const { market, direction } = this.#find(line)
    if (market === undefined) return
    const other = market.quota ?? NOTHING
    await this.#engine.send({
      type: 'setNotionalQuota',
      marketId: market.id,
      quotaLong: direction === 'long' ? amount : other.long,
      quotaShort: direction === 'short' ? amount : other.short,
    })
  }

  #find(line: string): { market: Readonly<Market> | undefined; direction: Direction } {
    const [direction, marketId] = line.split(/ (.*)/s) as [Direction, string]
    return { market: marketIn(this.#engine, marketId), direction }
  }
}

function marketIn(engine: Engine, id: string): Readonly<Market> | undefined {
  for (const market of marketsOf(engine)) if (market.id === id) return market
  return undefined
}

/** As the ledger names it. */
function lineOf(marketId: string, direction: Direction): string {
  return `${direction} ${marketId}`
}

function maximumOf({ parameters }: Readonly<Market>, direction: Direction): bigint | null {
  return direction === 'long' ? parameters.maxOpenNotionalLong : parameters.maxOpenNotionalShort
}
