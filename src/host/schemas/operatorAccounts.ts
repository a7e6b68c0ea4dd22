/** What the operator of a venue reads of accounts: all of them, one, one as it was. */
import { Type } from 'typebox'
import { AccountResource } from '../../resources/account.ts'
import {
  closed,
  count,
  flag,
  instant,
  nullable,
  oneOf,
  PageQuery,
  pageOf,
  quote,
  rate,
  text,
  uuid,
} from '../../resources/fields.ts'
import { OrderResource } from '../../resources/order.ts'
import { PositionResource } from '../../resources/position.ts'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import { ACCOUNT_SORTS } from '../accountSearch.ts'
import { at, seq } from './asOfCommit.ts'

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

export const AccountSummaryResource = closed(summaryFields, {
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

const SEQUENCE = Type.String({ pattern: '^[0-9]{1,15}$', description: 'A sequence.', examples: ['1200'] })

export const AsOfQuery = closed({
  seq: Type.Optional({
    ...SEQUENCE,
    description: 'A commit, by its sequence: the account right after it. Either this or `at`.',
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

export const OperatorAccountPath = closed({ accountId: uuid('The account.') })
