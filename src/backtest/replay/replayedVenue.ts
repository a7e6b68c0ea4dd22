/** The venue of a live run again, as far as its interface tells how it is set. What nobody sees from outside is as it is usual. */
import type { Engine } from '../../engine/engine.ts'
import { createEngine } from '../../engine/open.ts'
import type { AccountConfiguration, MarketConfiguration } from '../../events/command.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import { ONE } from '../../quantity/fp9.ts'
import { divideDown } from '../../quantity/rounding.ts'
import type { Rate } from '../../quantity/units.ts'
import type { JournalSurvey } from './journalSurvey.ts'

const USER_ID = '00000000-0000-4000-8000-0000000000b1'
/** Whether a price was stale only the venue knew: its refusals are found as such. */
const NEVER_STALE_MS = 10 * 365 * 86_400_000

/** Nothing is open in it and no price is known; its account has what the account of the run had when it began. */
export function replayedVenue({ begin, markets }: JournalSurvey): Engine {
  const { account } = begin
  const engine = createEngine({
    seed: 'replay',
    log: false,
    markets: begin.markets.map((market, index) =>
      marketOf(market, markets[index]?.fundingIntervalMs as number),
    ),
    accounts: [accountOf(account, begin.markets)],
  })
  for (const { id, settings } of begin.markets) {
    const status = settings.isPaused ? 'paused' : settings.isCloseOnly ? 'close_only' : null
    if (status !== null) engine.dispatch({ type: 'setMarketStatus', marketId: id, status })
  }
  return engine
}

function marketOf({ id, config, state }: MarketRecord, fundingIntervalMs: number): MarketConfiguration {
  return { ...config, id, fundingIntervalMs, fundingRate: state.fundingRate, maxPriceAgeMs: NEVER_STALE_MS }
}

function accountOf(account: AccountRecord, markets: readonly MarketRecord[]): AccountConfiguration {
  const leverages = markets.map(({ config }) => config.maxLeverage)
  return {
    id: account.accountId,
    userId: USER_ID,
    type: account.type,
    balance: account.accountBalance,
    // A market's own is the bound of both.
    maxLeverage: leverages.reduce((most, leverage) => (leverage > most ? leverage : most), ONE),
    maxActiveOrders: null,
    maxDailyLoss: account.maxDailyDrawdown,
    maxTotalLoss: totalLossOf(account),
    drawdownMode: account.riskStatus.drawdownMode,
    profitTarget: account.profitTarget,
    minProfitableDays: account.minTradingDays,
  }
}

/** The fraction of what the account has now that leaves the floor where it is. */
function totalLossOf({
  accountBalance,
  initialAccountBalance,
  maxTotalDrawdown,
  riskStatus,
}: AccountRecord): Rate {
  const floor = riskStatus.totalLossFloor
  if (floor === null || accountBalance === initialAccountBalance || accountBalance <= floor)
    return maxTotalDrawdown
  return divideDown((accountBalance - floor) * ONE, accountBalance)
}
