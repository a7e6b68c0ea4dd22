/** What the operator of a venue reads: accounts over all users, exposure, markets, postings, causes. */
import { Type } from 'typebox'
import { AccountResource } from '../../resources/account.ts'
import { fieldSchemas } from '../../resources/commandFields.ts'
import {
  closed,
  count,
  flag,
  instant,
  nullable,
  oneOf,
  PageQuery,
  pageOf,
  price,
  quote,
  rate,
  text,
  uuid,
} from '../../resources/fields.ts'
import { OrderResource } from '../../resources/order.ts'
import { PositionResource } from '../../resources/position.ts'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import { MARKET_PARAMETERS } from '../../terms/parameterFields.ts'
import { ACCOUNT_SORTS } from '../accountSearch.ts'
import { EXCLUSIONS } from '../feed/indexPrice.ts'
import { WEBHOOK_TYPES } from '../webhooks/webhookEvents.ts'

const seq = count('Sequence of the commit it is as of.')
const at = instant('Time of the venue at that commit.')

const summaryFields = {
  accountId: uuid('Identifies the account.'),
  userId: text('Whose it is.'),
  status: oneOf(CLOSED_SETS.accountStatus, 'Only an `active` account trades.'),
  currentPhase: nullable(oneOf(CLOSED_SETS.accountPhase, 'Null = none that trades.')),
  type: oneOf(CLOSED_SETS.accountType, 'For practice or for money.'),
  apiTrading: flag('Whether API keys may be used for the account.'),
  loaded: flag('Whether the engine has it loaded.'),
  locked: flag('Whether it may take on nothing more.'),
  balance: quote('Free, reserved and in margins, without unrealized pnl.'),
  equity: quote('Balance and unrealized pnl at the index prices.'),
  unrealizedPnl: quote('Of open positions, capped within a minute of an increase.'),
  initialBalance: quote('What the phase started with.'),
  pnl: quote('Equity less what the phase started with.'),
  dailyLossFloor: nullable(quote('Equity below it breaks the daily loss limit; null where that is off.')),
  totalLossFloor: nullable(quote('Equity below it breaks the total loss limit; null where that is off.')),
  headroom: nullable(
    rate(
      'By how much of itself the equity may fall until the higher floor; null where no limit is on, or the account does not trade.',
    ),
  ),
  openNotional: quote('Of all open positions, at their entry prices.'),
  openPositions: count('How many positions are open.'),
  activeOrders: count('How many orders rest.'),
  targetBalance: quote('The balance that reaches the profit target of the phase.'),
  profitableDays: count('How many days of the phase were profitable so far.'),
  minTradingDays: count('How many have to be before the next phase.'),
  isEligibleForPromotion: flag('Whether it has earned its next phase.'),
}

const AccountSummaryResource = closed(summaryFields, {
  title: 'AccountSummary',
  description: 'An account as the operator sees it among all others.',
})

const ofPage = pageOf(AccountSummaryResource, 'AccountSummaries')
export const AccountSummariesResource = closed(
  { seq, at, ...ofPage.properties },
  { title: 'AccountSummaries', description: 'One page of the accounts that were found.' },
)

export const AccountsQuery = closed({
  search: Type.Optional(
    Type.String({ maxLength: 255, description: 'A part of the id of the account, or of its user.' }),
  ),
  status: Type.Optional(oneOf(CLOSED_SETS.accountStatus, 'Only accounts of this status.')),
  phase: Type.Optional(
    oneOf(
      [...CLOSED_SETS.accountPhase, 'none'],
      'Only accounts in this phase; `none`: in no phase that trades.',
    ),
  ),
  sort: Type.Optional(
    oneOf(
      ACCOUNT_SORTS,
      'Default `created`: the newest first. `headroom`: the least first, accounts that can break no limit last. `equity`, `pnl`: the most first. Equals stand in the order they were created in.',
    ),
  ),
  ...PageQuery.properties,
})

const LedgerBalanceResource = closed(
  {
    free: quote('What may be spent on orders and margin.'),
    reserve: quote('Held back for resting orders.'),
    margin: quote('In the margins of open positions.'),
  },
  { title: 'LedgerBalance', description: 'The balance of an account by ledger.' },
)

const DayResource = closed(
  {
    dayStartEquity: quote('Equity when the UTC day began.'),
    dayStartBalance: quote('Balance when the UTC day began.'),
    realizedToday: quote('Realized since, net of fees and funding.'),
    highWater: quote('Highest balance at the end of a day of the phase.'),
    bestDayGain: quote('Largest gain of equity over one finished day of the phase.'),
    nextDayAt: instant('When the next UTC day begins.'),
  },
  { title: 'AccountDay', description: 'The UTC day that an account is in, and those before it.' },
)

const ChargesResource = closed(
  {
    fees: quote('Fees of opening and closing.'),
    liquidation: quote('What liquidations kept: the margin that was left.'),
    fundingPaid: quote('Funding paid, over the positions that paid more than they received.'),
    fundingReceived: quote('Funding received, over the others.'),
    spread: nullable(
      quote(
        'What fills by orders cost against the index price, the multiplied spread of closes that came soon among it; it is inside the pnl. Closes by the platform are not counted. Null on a node of a cluster.',
      ),
    ),
    window: nullable(
      quote('Profit that the rule of the first minute did not pay out; null on a node of a cluster.'),
    ),
  },
  { title: 'Charges', description: 'What the positions of the current phase were charged, by kind.' },
)

export const AccountDetailResource = closed(
  {
    seq,
    at,
    ...summaryFields,
    ledger: LedgerBalanceResource,
    day: DayResource,
    charges: ChargesResource,
    positions: Type.Array(PositionResource, { description: 'Open positions, newest first.' }),
    orders: Type.Array(OrderResource, { description: 'Active orders, newest first.' }),
  },
  { title: 'AccountDetail', description: 'Everything there is to see of one account.' },
)

const MoveResource = closed(
  {
    move: rate('How far the index price moves, signed.'),
    indexPrice: price('The index price then.'),
    houseGain: quote(
      'What the house wins, negative: loses; the worth that positions lose, at index prices, without spread and fees.',
    ),
    liquidations: count('Positions that would be liquidated.'),
    breaches: count('Accounts that would break a loss limit, after those liquidations.'),
  },
  { title: 'MoveEffect', description: 'What one move of the index price would do, made as one tick.' },
)

const ExposureOfMarket = closed(
  {
    marketId: uuid('The market.'),
    asset: text('Its base asset ticker.'),
    indexPrice: price('Index price; 0 = never priced.'),
    openNotionalLong: quote('Of all longs, at their entry prices.'),
    openNotionalShort: quote('Of all shorts, at their entry prices.'),
    maxOpenNotionalLong: nullable(quote('How much the market allows of longs; null = unlimited.')),
    maxOpenNotionalShort: nullable(quote('How much the market allows of shorts; null = unlimited.')),
    quotaLong: nullable(
      quote(
        'Of a shard of a cluster: how much of it this one may hold; null = all, the venue is on one host.',
      ),
    ),
    quotaShort: nullable(quote('The same of shorts.')),
    openPositions: count('How many positions are open.'),
    moves: Type.Array(MoveResource, {
      description: 'Down 10, 5, 2 and 1 %, up 1, 2, 5 and 10 %; none where the market was never priced.',
    }),
  },
  { title: 'MarketExposure', description: 'What is open on a market, and what moves of its price would do.' },
)

export const ExposureResource = closed(
  { seq, at, markets: Type.Array(ExposureOfMarket, { description: 'Every market, in listing order.' }) },
  { title: 'Exposure', description: 'What the house stands to win and lose.' },
)

const PriceSourceResource = closed(
  {
    name: text('What it is called in the configuration.'),
    isConnected: flag('Whether its connection stands.'),
    price: nullable(price('The newest that it said; null = nothing yet.')),
    ageMs: nullable(count('How old that is (milliseconds); null = nothing yet.')),
    perMinute: count('Prices of all its markets within the last minute.'),
    excluded: nullable(oneOf(EXCLUSIONS, 'Why it does not count; null: it does.')),
    reconnections: count('How often it has been connected anew.'),
    unreadable: count('Frames of it that could not be read.'),
  },
  { title: 'PriceSource', description: 'A ticker stream, as far as it is about one market.' },
)

const { id: _, ...parameters } = MARKET_PARAMETERS

const OperatorMarketResource = closed(
  {
    marketId: uuid('The market.'),
    asset: text('Its base asset ticker.'),
    status: oneOf(CLOSED_SETS.marketStatus, 'Whether it trades.'),
    indexPrice: price('Index price; 0 = never priced.'),
    priceAt: nullable(instant('When that price came; null = never priced.')),
    priceAgeMs: nullable(count('How long ago that was (milliseconds); null = never priced.')),
    isStale: flag('Whether orders are refused because the price is too old, or was never there.'),
    priceSource: text('Where its prices come from: the kind of the feed, or `operator`.'),
    sources: Type.Array(PriceSourceResource, {
      description: 'The ticker streams that its price is made of; none with another kind of feed.',
    }),
    spread: rate('Spread per side, inside the execution price.'),
    fundingRate: rate('What longs pay at the next funding instant, signed.'),
    fundingRateShort: nullable(rate('What shorts pay then, signed; null = the mirror of what longs pay.')),
    nextFundingAt: instant('The next funding instant.'),
    restingOrders: count('How many orders rest on it.'),
    openPositions: count('How many positions are open on it.'),
    parameters: closed(fieldSchemas(parameters, 'market'), {
      title: 'MarketParameters',
      description: 'What its orders and positions are held to.',
    }),
  },
  { title: 'OperatorMarket', description: 'A market as the operator sees it.' },
)

export const OperatorMarketsResource = closed(
  {
    seq,
    at,
    markets: Type.Array(OperatorMarketResource, { description: 'Every market, in listing order.' }),
  },
  { title: 'OperatorMarkets', description: 'The markets of the venue.' },
)

export const CausesResource = Type.Array(
  closed(
    {
      seq: count('Sequence of the commit.'),
      at: instant('When it happened.'),
      kind: oneOf(
        ['tick', 'time', 'request', 'trigger', 'fill', 'margin', 'order'],
        '`tick`: the price moved; `time`: the clock did; `request`: somebody asked; the rest follow from these.',
      ),
      by: Type.Unknown({ description: 'Who caused it, a Causer; null where nobody in particular did.' }),
      command: Type.Unknown({ description: 'What was asked: an object with a `type`.' }),
      event: Type.Unknown({
        description: 'The event of the link, with a `type`; null where the input itself is the link.',
      }),
      priceBefore: nullable(price('On a tick: the index price before it; else null.')),
    },
    { title: 'Cause', description: 'A link of the chain that made an order or position what it is.' },
  ),
  { description: 'Oldest first.' },
)

const SEQUENCE = Type.String({ pattern: '^[0-9]{1,15}$', description: 'A sequence.', examples: ['1200'] })

export const AsOfQuery = closed({
  seq: Type.Optional({
    ...SEQUENCE,
    description: 'After this commit. Either this or `at`.',
  } as typeof SEQUENCE),
  at: Type.Optional(
    Type.String({
      description: 'At this instant, ISO 8601: after the last commit at or before it.',
      examples: ['2026-01-05T00:10:00.000Z'],
    }),
  ),
  accountId: uuid('The account to show.'),
})

export const AccountMomentResource = closed(
  {
    seq,
    at,
    account: AccountResource,
    positions: Type.Array(PositionResource, { description: 'Open positions, newest first.' }),
    orders: Type.Array(OrderResource, { description: 'Active orders, newest first.' }),
  },
  { title: 'AccountMoment', description: 'An account as it was.' },
)

const moment = (description: string) =>
  Type.Optional(
    Type.String({ description: `${description}: a sequence, or an instant (ISO 8601).`, examples: ['1'] }),
  )

export const LedgerQuery = closed({
  accountId: Type.Optional(uuid('Only postings of this account; default: of all.')),
  from: moment('From this commit or instant on, itself included; default: the first'),
  to: moment('Up to this commit or instant, itself included; default: the last'),
  format: Type.Optional(
    oneOf(['json', 'csv'], 'Default `json`; `csv` is lines of the same fields, a line of names first.'),
  ),
})

export const LedgerResource = Type.Array(
  closed(
    {
      seq: count('Sequence of the commit.'),
      at: instant('When it happened.'),
      event: text('The type of the event it comes from.'),
      accountId: uuid('Whose it is.'),
      free: quote('Onto the free balance, signed.'),
      reserve: quote('Onto what is held back for orders, signed.'),
      margin: quote('Onto the margins of positions, signed.'),
      house: quote('Onto what the house has, signed; the four add up to zero.'),
    },
    { title: 'LedgerEntry', description: 'One posting.' },
  ),
  { description: 'Postings, oldest first.' },
)

const AccountChangeResource = closed(
  {
    accountId: uuid('The account.'),
    was: nullable({
      ...AccountSummaryResource,
      description: 'As it is at that time; null where it would be opened.',
    }),
    would: AccountSummaryResource,
  },
  { title: 'AccountChange', description: 'An account before a command that is tried, and after it.' },
)

export const PreviewResource = closed(
  {
    seq,
    at: instant('When it would happen; of an `advanceTime`, where it leads to.'),
    result: oneOf(
      ['accepted', 'refused', 'repeated', 'unknown'],
      '`repeated`: one under the same `commandId` was given before and has the say. `unknown`: it concerns too much to be tried while the venue goes on.',
    ),
    error: nullable(text('Where it would be refused: the code. Otherwise null.')),
    message: nullable(text('Why it would be refused or is not tried, for people. Otherwise null.')),
    events: Type.Array(Type.Unknown({ description: 'An object with a `type`.' }), {
      description: 'What would come of it, in order.',
    }),
    postings: Type.Array(
      closed(
        {
          event: text('The type of the event it comes from.'),
          accountId: uuid('Whose it is.'),
          free: quote('Onto the free balance, signed.'),
          reserve: quote('Onto what is held back for orders, signed.'),
          margin: quote('Onto the margins of positions, signed.'),
          house: quote('Onto what the house has, signed; the four add up to zero.'),
        },
        { title: 'PreviewedPosting', description: 'One posting of a command that is tried.' },
      ),
      { description: 'What it would move, in the order of the events.' },
    ),
    accounts: Type.Array(AccountChangeResource, {
      description: 'Accounts that it concerns and would leave otherwise, in creation order.',
    }),
    house: nullable(
      closed(
        { was: quote('What the house has.'), would: quote('What it would have.') },
        {
          title: 'HouseChange',
          description:
            'The other side of all postings; null where nothing of the command is known, or comes of it.',
        },
      ),
    ),
    shards: Type.Optional(
      Type.Array(
        closed(
          { shard: count('Number of the shard.'), seq },
          { title: 'PreviewedShard', description: 'A shard that was asked, and the commit it was at.' },
        ),
        { description: 'Of a cluster: who was asked, in the order in which what they say stands here.' },
      ),
    ),
  },
  { title: 'Preview', description: 'What a platform command would do. Nothing of it has happened.' },
)

export const OperatorAccountPath = closed({ accountId: uuid('The account.') })
export const WhyPath = closed({ id: uuid('An order or a position.') })

export const WebhooksResource = Type.Array(
  closed(
    {
      url: text('Where it listens, without the query.'),
      types: Type.Array(oneOf(WEBHOOK_TYPES, 'A type of what happens.'), {
        description: 'What it is told of.',
      }),
      seq: count('Everything up to this commit has been taken, or given up.'),
      backlog: count('Durable commits after it.'),
      delivered: count('Deliveries it has taken since the process began.'),
      givenUp: count('Deliveries given up after three days since the process began.'),
      attempts: count('Failed attempts at the delivery that is due.'),
      firstFailedAt: nullable(
        instant('When the delivery that is due was first tried; null while nothing fails.'),
      ),
      nextAttemptAt: nullable(instant('When it is tried again; null while nothing fails.')),
      lastError: nullable(text('What the last failure was, overcome or not; null = there was none.')),
      lastErrorAt: nullable(instant('When that was.')),
    },
    { title: 'Webhook', description: 'Somebody who is told of what happens, and how far they are.' },
  ),
  { description: 'In the order of the configuration.' },
)
