/** Prices from before a run, as strategies are told them: in the order of a run, and traded on by none. */
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { MergedBlock } from '../feed/merge.ts'
import { PATH_STEPS } from '../feed/path.ts'
import { barAt } from '../strategy/bar.ts'
import type { Bar, MaybePromise, Tick } from '../strategy/strategy.ts'
import type { BarPrices } from './barPrices.ts'
import type { MarketTickBars } from './tickBars.ts'
import type { WarmUp } from './warmUp.ts'

/** Who is told. */
export interface PastHearer {
  readonly hearsTicks: boolean
  readonly hearsBars: boolean
  /** Before everything else. */
  start(): Promise<void>
  tick(tick: Tick): Promise<void>
  bar(bar: Bar): MaybePromise<void> | undefined
}

interface PastParts {
  readonly warmUp: WarmUp
  readonly markets: readonly { readonly id: string; readonly asset: string }[]
  readonly barPrices: BarPrices
  readonly tickBars: MarketTickBars
  readonly hearer: PastHearer
}

export class PastTold {
  readonly #warmUp: WarmUp
  readonly #markets: PastParts['markets']
  readonly #barPrices: BarPrices
  readonly #tickBars: MarketTickBars
  readonly #hearer: PastHearer

  constructor({ warmUp, markets, barPrices, tickBars, hearer }: PastParts) {
    this.#warmUp = warmUp
    this.#markets = markets
    this.#barPrices = barPrices
    this.#tickBars = tickBars
    this.#hearer = hearer
  }

  async tell(block: MergedBlock): Promise<void> {
    for (let entry = 0; entry < block.length; entry++) await this.#tellEntry(block, entry)
  }

  /** The run begins at a time, epoch ms: bars of ticks that have ended by then are still of the past. */
  async end(from: number): Promise<void> {
    for (let bar = this.#tickBars.endedBy(from); bar !== null; bar = this.#tickBars.endedBy(from)) {
      this.#warmUp.now = bar.closeTime
      await this.#hearer.bar(bar)
    }
  }

  async #tellEntry(block: MergedBlock, entry: number): Promise<void> {
    const market = block.market[entry] as number
    const columns = block.columns[market] as BarColumns | TickColumns
    const [row, time] = [block.row[entry] as number, block.time[entry] as number]
    const isBar = 'open' in columns
    const step = block.step[entry] as number
    const price = isBar ? this.#barPrices.at(market, columns, row, step) : (columns.price[row] as bigint)
    const { id, asset } = this.#markets[market] as PastParts['markets'][number]
    await this.end(time)
    const begins = !this.#warmUp.isOn
    this.#warmUp.priced(id, price, time)
    if (begins) await this.#hearer.start()
    if (this.#hearer.hearsTicks) await this.#hearer.tick({ asset, time, price })
    if (!isBar) this.#tickBars.add(market, time, price)
    if (isBar && step < PATH_STEPS - 1) return
    this.#warmUp.rows += 1
    if (isBar && this.#hearer.hearsBars) await this.#hearer.bar(barAt(columns, row, asset, time))
  }
}
