/** One account of a run and the strategy that trades it: everything that is counted per account. */
import type { Engine } from '../../engine/engine.ts'
import type { Event } from '../../events/event.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import { safeInteger } from '../../quantity/safeIntegers.ts'
import type { Quote } from '../../quantity/units.ts'
import type { Rejection } from '../../terms/errors.ts'
import { CostLedger, type Costs } from '../accounting/costs.ts'
import { type AccountCurve, CurveRecorder } from '../accounting/curve.ts'
import { Exposure } from '../accounting/exposure.ts'
import type { LastPrices } from '../accounting/lastPrices.ts'
import { type Trade, TradeLog } from '../accounting/tradeLog.ts'
import type { ExposedSide } from '../feed/path.ts'
import { type LearnedResult, learnedResult } from '../learned/learnedResult.ts'
import type { PortfolioResult } from '../portfolio/partLedger.ts'
import { type RunStatistics, runStatistics } from '../statistics/statistics.ts'
import { type ContextRun, EngineContext } from '../strategy/engineContext.ts'
import type { Strategy } from '../strategy/strategy.ts'
import { type Verdict, VerdictWatch } from './verdict.ts'

/** What a run says of one account. */
export interface AccountResult {
  /** The account's name in the run. */
  readonly name: string
  readonly strategy: string
  readonly initialBalance: Quote
  readonly account: AccountRecord
  readonly verdict: Verdict
  /** How many soft daily breaches there were. */
  readonly freezes: number
  readonly statistics: RunStatistics
  readonly costs: Costs
  readonly trades: readonly Trade[]
  /** Fills, opening and closing, those by the platform included. */
  readonly fills: number
  /** Positions that were liquidated. */
  readonly liquidations: number
  /** The closest any position came to its liquidation price, as a fraction of the price then; null without positions. */
  readonly closestToLiquidation: number | null
  /** The smallest distance to the drawdown floors seen at a sampling time; null when the rule is off or nothing was open. */
  readonly leastDailyHeadroom: Quote | null
  readonly leastTotalHeadroom: Quote | null
  /** Positions open at the end. */
  readonly openPositions: number
  /** Rejected actions by code. */
  readonly rejections: Readonly<Record<string, number>>
  readonly curve: AccountCurve
  /** What each strategy came to, where the account's is a portfolio. */
  readonly portfolio?: PortfolioResult
  /** The models that its strategy learned, where it did. */
  readonly learned?: readonly LearnedResult[]
}

export class Participant {
  readonly name: string
  readonly accountId: string
  readonly strategy: Strategy
  readonly context: EngineContext
  readonly exposure: Exposure
  /** Why the first action that was refused was; null while none was. */
  firstRefused: Rejection | null = null
  readonly #engine: Engine
  readonly #initialBalance: Quote
  readonly #curve = new CurveRecorder()
  readonly #costs = new CostLedger()
  readonly #tradeLog = new TradeLog()
  readonly #verdict: VerdictWatch
  readonly #rejections: Record<string, number> = {}
  #balance: Quote
  #safeBalance: number
  #notional: Quote = 0n
  #dailyFloor: Quote | null = null
  #totalFloor: Quote | null = null
  #leastDaily: Quote | null = null
  #leastTotal: Quote | null = null
  /** The lowest equity with open positions since the floors were last looked at, where it was found in doubles. */
  #lowest = Number.POSITIVE_INFINITY

  constructor(
    identity: { readonly name: string; readonly accountId: string; readonly strategy: Strategy },
    run: ContextRun,
    markets: readonly string[],
    prices: LastPrices,
    profitWindowMs: number,
  ) {
    this.name = identity.name
    this.accountId = identity.accountId
    this.strategy = identity.strategy
    this.#engine = run.engine
    const { read } = run.engine
    this.context = new EngineContext(run, this.accountId, (rejection) => {
      this.firstRefused ??= rejection
      this.#rejections[rejection.code] = (this.#rejections[rejection.code] ?? 0) + 1
    })
    this.exposure = new Exposure(
      markets,
      prices,
      (positionId) => read.liquidationPrice(positionId) ?? 0n,
      profitWindowMs,
    )
    this.#verdict = new VerdictWatch(this.accountId, read)
    this.#initialBalance = read.balance(this.accountId) as Quote
    this.#balance = this.#initialBalance
    this.#safeBalance = safeInteger(this.#balance)
    this.#readFloors()
  }

  get verdict(): Verdict {
    return this.#verdict.verdict
  }

  /** Call with every event of the account, after its commit. */
  add(event: Event, at: number): void {
    this.#costs.add(event)
    this.#tradeLog.add(event, at)
    this.#verdict.add(event, at)
    switch (event.type) {
      case 'increasePosition':
      case 'closePosition':
      case 'addMargin':
      case 'removeMargin':
      case 'payFunding':
      case 'liquidate':
      case 'forceClose':
        this.exposure.add(event, at)
        this.#notional = this.exposure.notional
        break
      case 'balanceAdjusted':
      case 'accountPromoted':
      case 'dayStarted':
        this.#readFloors()
        break
      default:
        return
    }
    this.#balance = this.#engine.read.balance(this.accountId) as Quote
    this.#safeBalance = safeInteger(this.#balance)
  }

  /** A point of the curve: balance and open positions at the last prices. */
  sample(time: number): void {
    if (this.#notional === 0n) return this.#curve.add(time, this.#balance, this.#balance, 0n)
    const safe = this.#safeBalance + this.exposure.safeUnrealized(time)
    if (Number.isSafeInteger(safe)) {
      this.#curve.addSafe(time, safe, this.#balance, this.#notional)
      if (safe < this.#lowest) this.#lowest = safe
      return
    }
    const equity = this.#balance + this.exposure.unrealized(time)
    this.#curve.add(time, equity, this.#balance, this.#notional)
    this.#compareWithFloors(equity)
  }

  /** @param time the end of the run. */
  result(time: number): AccountResult {
    const curve = this.#curve.curve()
    // What was done before the first point, at the start or at its prices, belongs to the run like all else.
    if (curve.length > 1) curve.equity[0] = this.#initialBalance
    this.#compareLowest()
    const value = this.exposure.value
    const statistics = runStatistics(curve, this.#tradeLog.trades)
    const costs = this.#costs.totals({ value, heldBack: this.exposure.heldBack(time) })
    return {
      name: this.name,
      strategy: this.strategy.name,
      initialBalance: this.#initialBalance,
      account: this.#engine.read.account(this.accountId) as AccountRecord,
      verdict: this.verdict,
      freezes: this.#verdict.freezes,
      statistics,
      costs,
      trades: this.#tradeLog.trades,
      fills: this.#tradeLog.fills,
      liquidations: this.#tradeLog.liquidations,
      closestToLiquidation: this.exposure.closest,
      leastDailyHeadroom: this.#leastDaily,
      leastTotalHeadroom: this.#leastTotal,
      openPositions: this.exposure.open,
      rejections: this.#rejections,
      curve,
      ...this.#portfolio(statistics.netProfit - costs.transfers),
      ...this.#learned(),
    }
  }

  #portfolio(netProfit: Quote): Pick<AccountResult, 'portfolio'> {
    const { parts } = this.strategy
    if (parts === undefined) return {}
    const { read } = this.#engine
    return { portfolio: parts.result(netProfit, (id) => read.market(id)?.state.indexPrice ?? 0n) }
  }

  #learned(): Pick<AccountResult, 'learned'> {
    const { learned } = this.context
    return learned.length === 0 ? {} : { learned: learned.map(learnedResult) }
  }

  #compareLowest(): void {
    if (this.#lowest < Number.POSITIVE_INFINITY) this.#compareWithFloors(BigInt(this.#lowest))
    this.#lowest = Number.POSITIVE_INFINITY
  }

  #compareWithFloors(equity: Quote): void {
    this.#leastDaily = lesser(this.#leastDaily, headroom(equity, this.#dailyFloor))
    this.#leastTotal = lesser(this.#leastTotal, headroom(equity, this.#totalFloor))
  }

  #readFloors(): void {
    this.#compareLowest()
    const risk = this.#engine.read.riskStatus(this.accountId)
    this.#dailyFloor = risk?.dailyLossFloor ?? null
    this.#totalFloor = risk?.totalLossFloor ?? null
  }
}

/** The side that is open in a market over all accounts. */
export function exposedSide(participants: readonly Participant[], market: number): ExposedSide {
  let side: ExposedSide = 'flat'
  for (let index = 0; index < participants.length; index++) {
    const own = (participants[index] as Participant).exposure.side(market)
    if (own !== 'flat') side = side === 'flat' || side === own ? own : 'both'
  }
  return side
}

/** Never below zero. */
function headroom(equity: Quote, floor: Quote | null): Quote | null {
  if (floor === null) return null
  return equity > floor ? equity - floor : 0n
}

function lesser(least: Quote | null, value: Quote | null): Quote | null {
  if (value === null) return least
  return least === null || value < least ? value : least
}
