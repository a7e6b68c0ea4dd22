/**
 * What a move of one market's price would do to the house: as one evaluated tick would (B4), with what rests on the market
 * left as it is, and the rules of liquidation (E1, E2) and of drawdown (H5, H6) applied.
 */
import { breachOf } from '../domain/formulas/drawdown.ts'
import { isLiquidatable } from '../domain/formulas/liquidation.ts'
import { cappedPnl } from '../domain/formulas/profitWindow.ts'
import { rawUnrealizedPnl } from '../domain/formulas/rawUnrealizedPnl.ts'
import type { Position } from '../domain/state/position.ts'
import { loweredPriceDown, raisedPriceUp } from '../quantity/products.ts'
import type { Price, Quote, Rate } from '../quantity/units.ts'
import { mayTrade } from '../terms/accountStatus.ts'
import { equityThen } from './accountSummary.ts'
import type { AccountsImage, AccountThen, MarketThen } from './accountsImage.ts'

/** The moves that are looked at, fp9 fractions of the index price: ±1, 2, 5 and 10 %. */
export const MOVES: readonly Rate[] = [
  -100_000_000n,
  -50_000_000n,
  -20_000_000n,
  -10_000_000n,
  10_000_000n,
  20_000_000n,
  50_000_000n,
  100_000_000n,
]

/** What one move would do. */
export interface MoveEffect {
  /** Fraction of the index price, signed. */
  readonly move: Rate
  /** The index price after it. */
  readonly indexPrice: Price
  /** What the house wins, or loses (negative): what the positions lose in worth, at index prices and without spread. */
  readonly houseGain: Quote
  /** Positions that would be liquidated. */
  readonly liquidations: number
  /** Accounts that would break a drawdown rule, after those liquidations. */
  readonly breaches: number
}

/** What is open on a market, and what moves of its price would do. */
export interface MarketExposure {
  readonly marketId: string
  readonly asset: string
  readonly indexPrice: Price
  readonly openNotionalLong: Quote
  readonly openNotionalShort: Quote
  readonly maxOpenNotionalLong: Quote | null
  readonly maxOpenNotionalShort: Quote | null
  /** What this shard of a cluster may hold of the maximum (C5); null = it is the venue, and may hold all. */
  readonly quotaLong: Quote | null
  readonly quotaShort: Quote | null
  readonly openPositions: number
  /** Empty where the market was never priced. */
  readonly moves: readonly MoveEffect[]
}

/** The index price after a move, rounded away from where it was; at least the least price there is. */
export function movedPrice(indexPrice: Price, move: Rate): Price {
  const moved = move < 0n ? loweredPriceDown(indexPrice, -move) : raisedPriceUp(indexPrice, move)
  return moved > 0n ? moved : 1n
}

/** Takes in account after account, and then says what the moves would do. */
export class Exposure {
  readonly #image: AccountsImage
  readonly #markets: ReadonlyMap<string, Mutable<MoveEffect>[]>

  constructor(image: AccountsImage) {
    this.#image = image
    this.#markets = new Map([...image.markets.values()].map((market) => [market.id, effectsOn(market)]))
  }

  add(account: AccountThen): void {
    if (account.positions.size === 0) return
    const equity = equityThen(this.#image, account)
    for (const marketId of new Set(Array.from(account.positions, (position) => position.marketId))) {
      const market = this.#image.markets.get(marketId) as MarketThen
      const held = this.#heldOn(account, market)
      for (const effect of this.#markets.get(marketId) ?? [])
        this.#addEffect(account, equity, held, market, effect)
    }
  }

  markets(): MarketExposure[] {
    return Array.from(this.#image.markets.values(), (market) => ({
      marketId: market.id,
      asset: market.parameters.baseAsset,
      indexPrice: market.indexPrice,
      openNotionalLong: market.openNotionalLong,
      openNotionalShort: market.openNotionalShort,
      maxOpenNotionalLong: market.parameters.maxOpenNotionalLong,
      maxOpenNotionalShort: market.parameters.maxOpenNotionalShort,
      quotaLong: market.quota?.long ?? null,
      quotaShort: market.quota?.short ?? null,
      openPositions: market.openPositions,
      moves: this.#markets.get(market.id) as MoveEffect[],
    }))
  }

  #heldOn(account: AccountThen, { id, indexPrice }: MarketThen): Held[] {
    const held: Held[] = []
    for (const position of account.positions) {
      if (position.marketId !== id) continue
      const raw = rawUnrealizedPnl(position, indexPrice)
      held.push({ position, raw, counted: this.#counted(position, raw) })
    }
    return held
  }

  /** What of a pnl is in the equity: inside the first minute no more than the reference (D7). */
  #counted(position: Position, raw: Quote): Quote {
    const { at, rules } = this.#image
    return cappedPnl(position, raw, position.profitReference, at, rules.profitWindowMs)
  }

  #addEffect(
    account: AccountThen,
    equity: Quote,
    held: readonly Held[],
    { parameters }: MarketThen,
    effect: Mutable<MoveEffect>,
  ): void {
    let equityAfter = equity
    for (const { position, raw, counted } of held) {
      if (isLiquidatable(position, parameters.maintenanceMarginRate, effect.indexPrice)) {
        // Nothing is paid out of a liquidation: the margin goes with the position (E2).
        effect.liquidations += 1
        effect.houseGain += position.margin + raw
        equityAfter -= position.margin + counted
      } else {
        const rawAfter = rawUnrealizedPnl(position, effect.indexPrice)
        effect.houseGain += raw - rawAfter
        equityAfter += this.#counted(position, rawAfter) - counted
      }
    }
    if (mayTrade(account) && breachOf(account, equityAfter) !== null) effect.breaches += 1
  }
}

/** A position at the price that there is. */
interface Held {
  readonly position: Position
  readonly raw: Quote
  readonly counted: Quote
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

function effectsOn({ indexPrice }: MarketThen): Mutable<MoveEffect>[] {
  if (indexPrice === 0n) return []
  return MOVES.map((move) => ({
    move,
    indexPrice: movedPrice(indexPrice, move),
    houseGain: 0n,
    liquidations: 0,
    breaches: 0,
  }))
}
