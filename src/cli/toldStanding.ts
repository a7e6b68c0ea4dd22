/** How a live run stands, told to the process that has started it: what the strategy's own context knows, and what befell the run last. */
import { IncidentLog } from '../backtest/live/incidents.ts'
import type { JournalEntry } from '../backtest/live/journal.ts'
import type { LiveContext } from '../backtest/live/liveContext.ts'
import { FillRecorder } from '../backtest/recording/fills.ts'
import { entryPrice } from '../domain/formulas/entryPrice.ts'
import { liquidationPrice } from '../domain/formulas/liquidation.ts'
import { rawUnrealizedPnl } from '../domain/formulas/rawUnrealizedPnl.ts'
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionRecord } from '../domain/state/position.ts'
import type { MarketRecord } from '../projections/marketRecord.ts'
import { type LiveStanding, MOST_ROWS } from '../workbench/liveStanding.ts'
import { hasListener } from './toldProgress.ts'

/** As often as the venue tells equity, ms. */
const EVERY_MS = 1_000

export class ToldStanding {
  readonly #context: LiveContext
  readonly #intervalMs: number
  readonly #fills = new FillRecorder()
  readonly #incidents = new IncidentLog()
  readonly #send: (said: { readonly standing: LiveStanding }) => void
  #lostAt: number | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(
    context: LiveContext,
    intervalMs: number,
    send: (said: { readonly standing: LiveStanding }) => void,
  ) {
    this.#context = context
    this.#intervalMs = intervalMs
    this.#send = send
  }

  /** Call with everything that the run notes. From its begin on it is told, every second. */
  add(entry: JournalEntry): void {
    this.#incidents.add(entry, this.#intervalMs)
    if (entry.type === 'event')
      this.#fills.add(entry.event, { seq: entry.seq, at: entry.at }, () => entry.part)
    if (entry.type === 'lost') this.#lostAt ??= entry.at
    if (entry.type === 'back') this.#lostAt = null
    keepLast(this.#fills.fills)
    keepLast(this.#incidents.incidents)
    if (entry.type !== 'run' || this.#timer !== null) return
    this.#timer = setInterval(() => this.#tell(), EVERY_MS).unref()
    this.#tell()
  }

  /** The run is over: how it stands then is told last. */
  end(): void {
    if (this.#timer === null) return
    clearInterval(this.#timer)
    this.#incidents.end()
    keepLast(this.#incidents.incidents)
    this.#tell()
  }

  #tell(): void {
    this.#send({ standing: this.standing() })
  }

  standing(): LiveStanding {
    const context = this.#context
    const { accountId, status, currentPhase: phase, accountBalance, riskStatus } = context.account()
    const markets = new Map(context.markets.map((market) => [market.id, market]))
    const [positions, orders] = [context.positions(), context.orders()]
    return {
      ...{ at: context.venueNow, accountId, status, phase, lostAt: this.#lostAt },
      equity: String(riskStatus.currentEquity),
      balance: String(accountBalance),
      free: String(riskStatus.freeBalance),
      dailyLossLeft: textOf(riskStatus.dailyLossRemaining),
      totalLossLeft: textOf(riskStatus.totalLossRemaining),
      markets: context.assets.map((asset) => marketRow(context.market(asset))),
      open: positions.length,
      positions: positions.slice(0, MOST_ROWS).flatMap((position) => positionRow(position, markets)),
      resting: orders.length,
      orders: orders.slice(0, MOST_ROWS).map((order) => orderRow(order, markets)),
      fills: this.#fills.fills.toReversed().map((fill) => ({
        ...{ at: fill.at, asset: assetOf(markets.get(fill.marketId)), action: fill.action, side: fill.side },
        ...{ reason: fill.reason, size: String(fill.size), price: String(fill.price), fee: String(fill.fee) },
        ...{ pnl: textOf(fill.pnl), part: fill.part ?? null },
      })),
      incidents: this.#incidents.incidents
        .toReversed()
        .map(({ at, kind, asset, what }) => ({ at, kind, asset, what: what.slice(0, 2_000) })),
    }
  }
}

/** Null where nobody has started the run but a person. */
export function toldStanding(context: LiveContext, intervalMs: number): ToldStanding | null {
  if (!hasListener()) return null
  return new ToldStanding(context, intervalMs, (said) => {
    if (process.connected === true) process.send?.(said)
  })
}

function marketRow({ config, settings, state }: MarketRecord): LiveStanding['markets'][number] {
  const status = settings.isPaused ? 'paused' : settings.isCloseOnly ? 'close_only' : 'open'
  return { asset: config.baseAsset, price: String(state.indexPrice), status }
}

function positionRow(
  position: PositionRecord,
  markets: ReadonlyMap<string, MarketRecord>,
): LiveStanding['positions'] {
  const market = markets.get(position.marketId)
  if (market === undefined) return []
  const { id, direction: side, size, margin } = position
  const { indexPrice } = market.state
  return [
    {
      ...{ id, asset: assetOf(market), side, size: String(size), entry: String(entryPrice(position)) },
      price: String(indexPrice),
      pnl: String(rawUnrealizedPnl(position, indexPrice)),
      margin: String(margin),
      liquidation: String(liquidationPrice(position, market.config.maintenanceMarginRate)),
    },
  ]
}

function orderRow(
  order: OrderRecord,
  markets: ReadonlyMap<string, MarketRecord>,
): LiveStanding['orders'][number] {
  const { id, marketId, orderType: type, direction: side, triggerPrice, amount, positionId } = order
  const asset = assetOf(markets.get(marketId))
  const closes = positionId !== null
  return { id, asset, type, side, trigger: String(triggerPrice), amount: String(amount), closes }
}

function assetOf(market: MarketRecord | undefined): string {
  return market?.config.baseAsset ?? ''
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount)
}

function keepLast(rows: unknown[]): void {
  if (rows.length > MOST_ROWS) rows.splice(0, rows.length - MOST_ROWS)
}
