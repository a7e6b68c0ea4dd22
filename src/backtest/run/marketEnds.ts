/** Markets of a run whose data ends before the others': looked for in every block, and ended in their turn. */
import type { Engine } from '../../engine/engine.ts'
import type { MergedBlock } from '../feed/merge.ts'
import { type AtDataEnd, DataEnds } from './dataEnds.ts'
import { type EndedMarket, endMarket } from './endMarket.ts'
import type { PlayedMarket } from './playbackParts.ts'
import type { PriceQueue } from './priceQueue.ts'

/** How long a market of ticks may say nothing, at the end of its data, before it counts as ended. */
const SILENCE_MS = 60_000

export class MarketEnds {
  readonly data: DataEnds
  /** In the order in which their data ended. */
  readonly ended: EndedMarket[] = []
  readonly #engine: Engine
  readonly #queue: PriceQueue
  readonly #markets: readonly PlayedMarket[]
  readonly #accountIds: readonly string[]
  readonly #atDataEnd: AtDataEnd

  constructor(
    {
      engine,
      markets,
      atDataEnd,
    }: { engine: Engine; markets: readonly PlayedMarket[]; atDataEnd: AtDataEnd },
    queue: PriceQueue,
    accountIds: readonly string[],
  ) {
    this.data = new DataEnds(markets.map(({ intervalMs }) => intervalMs ?? SILENCE_MS))
    this.#engine = engine
    this.#queue = queue
    this.#markets = markets
    this.#accountIds = accountIds
    this.#atDataEnd = atDataEnd
  }

  /** A market that has nothing in a block has nothing after it. */
  lookIn({ columns }: MergedBlock): void {
    for (const [market, chunk] of columns.entries()) if (chunk === null) this.data.exhausted(market)
  }

  /** Ends the markets whose data has ended before a time. */
  endBefore(time: number): void {
    for (const market of this.data.endedBefore(time)) {
      const { id } = this.#markets[market] as PlayedMarket
      const closed =
        this.#atDataEnd === 'close' ? endMarket(this.#engine, this.#queue, id, this.#accountIds) : null
      this.ended.push({ market, closed })
    }
  }
}
