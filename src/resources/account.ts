/** The Account and Market resources, and the risk status (G5, H8). */
import { CLOSED_SETS } from '../terms/closedSets.ts'
import { ACCOUNT, MARKET, RISK_STATUS } from './examples.ts'
import {
  closed,
  count,
  flag,
  instant,
  leverage,
  nullable,
  oneOf,
  price,
  quote,
  rate,
  text,
  uuid,
} from './fields.ts'

const riskFields = {
  currentEquity: quote('Balance and unrealized pnl at the index prices.'),
  currentBalance: quote('Free, reserved and in margins, without unrealized pnl.'),
  freeBalance: quote('What may be spent on orders and margin.'),
  dayStartEquity: quote('Equity when the UTC day began.'),
  periodStartEquity: quote('Equity the phase started with.'),
  maxPeriodDailyEquityDelta: quote('Largest gain of equity over one finished day of the phase.'),
  consistencyRuleApplies: flag('Always false: this venue has no consistency rule.'),
  consistencyRuleMet: flag('Always true.'),
  consistencyRuleRatio: nullable(rate('Always null.')),
  consistencyRuleLimit: nullable(rate('Always null.')),
  dailyLossFloor: nullable(quote('Equity below it breaks the daily loss limit; null where that is off.')),
  dailyLossRemaining: nullable(quote('From equity down to that floor, at least 0; null where it is off.')),
  totalLossFloor: nullable(quote('Equity below it breaks the total loss limit; null where that is off.')),
  totalLossRemaining: nullable(quote('From equity down to that floor, at least 0; null where it is off.')),
  drawdownMode: oneOf(
    CLOSED_SETS.drawdownMode,
    'Whether the floor of the total loss stands still, or follows the highest end-of-day balance.',
  ),
  nextDayAt: instant('When the next UTC day begins.'),
}

export const RiskStatusResource = closed(
  { accountId: uuid('The account.'), ...riskFields },
  {
    title: 'RiskStatus',
    description: 'Equity of an account, and how far it is from its floors.',
    examples: [{ accountId: ACCOUNT.accountId, ...RISK_STATUS }],
  },
)

export const AccountResource = closed(
  {
    accountId: uuid('Identifies the account.'),
    status: oneOf(CLOSED_SETS.accountStatus, 'Only an `active` account trades.'),
    apiTrading: flag('Whether API keys may be used for the account.'),
    type: oneOf(CLOSED_SETS.accountType, 'For practice or for money.'),
    currentPhase: nullable(oneOf(CLOSED_SETS.accountPhase, 'Null = none that trades.')),
    initialAccountBalance: quote('What the phase started with.'),
    accountBalance: quote('Free, reserved and in margins, without unrealized pnl.'),
    maxDailyDrawdown: rate('What may be lost in a UTC day; 1000000000 = off.'),
    maxTotalDrawdown: rate('What may be lost of the initial balance in all; 1000000000 = off.'),
    profitTarget: rate('What to earn of the initial balance in the phase.'),
    profitableDays: count('How many days of the phase were profitable so far.'),
    minTradingDays: count('How many have to be before the next phase.'),
    riskStatus: closed(riskFields, {
      title: 'AccountRiskStatus',
      description: 'Equity, and how far it is from the floors.',
    }),
  },
  {
    title: 'Account',
    description: 'An account of the caller, with its risk status.',
    examples: [{ ...ACCOUNT, riskStatus: RISK_STATUS }],
  },
)

const UNLIMITED = 'null = unlimited'

export const MarketResource = closed(
  {
    id: uuid('The `marketId` to trade with.'),
    config: closed(
      {
        baseAsset: text('Base asset ticker: the `{asset}` of paths.'),
        ticker: text('What the market is shown as.'),
        category: oneOf(CLOSED_SETS.marketCategory, 'An account may be allowed some categories only.'),
        minLeverage: leverage('Least leverage of an increase order.'),
        maxLeverage: leverage('Highest leverage of an increase order for this account.'),
        feeRate: rate('Fee of opening and of closing.'),
        spread: rate('Spread per side, inside the execution price.'),
        minNotional: quote('Least notional of an increase.'),
        maxOpenNotionalLong: nullable(quote(`Open notional of all longs at most; ${UNLIMITED}.`)),
        maxOpenNotionalShort: nullable(quote(`Open notional of all shorts at most; ${UNLIMITED}.`)),
        minStopDistance: rate('How far from the index price a stop is kept at least; 0 = not at all.'),
        scalpingWindowMs: count(
          'A close so soon after the last increase pays the multiplied spread (milliseconds); 0 = never.',
        ),
        scalpingCoefficient: leverage('What the spread is multiplied by then.'),
        maintenanceMarginRate: rate('Margin below this part of the value is liquidated.'),
      },
      { title: 'MarketConfig', description: 'What an order on the market is checked against.' },
    ),
    settings: closed(
      {
        isPaused: flag('Whether nothing trades.'),
        isCloseOnly: flag('Whether only closing at market is accepted.'),
      },
      { title: 'MarketSettings', description: 'Whether the market trades.' },
    ),
    state: closed(
      {
        indexPrice: price('Index price; 0 = never priced.'),
        updatedAt: nullable(instant('When the index price was current; null where there is none.')),
        fundingRate: rate('What longs pay at the next funding instant, signed.'),
        nextFundingAt: instant('The next funding instant.'),
      },
      { title: 'MarketState', description: 'Where the market stands.' },
    ),
  },
  {
    title: 'Market',
    description: 'A market, with the prices and bounds that apply to an account.',
    examples: [MARKET],
  },
)
