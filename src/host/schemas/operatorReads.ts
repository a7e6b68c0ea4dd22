/** What the operator of a venue reads beside its accounts: exposure, markets, causes, postings, webhooks. */
import { Type } from 'typebox'
import { fieldSchemas } from '../../resources/commandFields.ts'
import {
  closed,
  count,
  flag,
  instant,
  nullable,
  oneOf,
  price,
  quote,
  rate,
  text,
  uuid,
} from '../../resources/fields.ts'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import { MARKET_PARAMETERS } from '../../terms/parameterFields.ts'
import { EXCLUSIONS } from '../feed/indexPrice.ts'
import { WEBHOOK_TYPES } from '../webhooks/webhookEvents.ts'
import { at, seq } from './asOfCommit.ts'
import { postingFields } from './posting.ts'

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
    name: Type.String({ description: 'What it is called in the configuration.', examples: ['binance'] }),
    isConnected: flag('Whether its connection stands.'),
    price: nullable(price('The newest that it said; null = nothing yet.')),
    ageMs: nullable(count('How old that is (milliseconds); null = nothing yet.')),
    clockAheadMs: nullable(
      Type.Integer({
        description:
          'How far its clock is ahead of this machine (milliseconds, negative: behind), less what its fastest price of the last two minutes was under way; null = it tells no times. Ages do not depend on it.',
      }),
    ),
    perMinute: count('Prices of all its markets within the last minute.'),
    excluded: nullable(oneOf(EXCLUSIONS, 'Why it does not count; null: it does.')),
    reconnections: count('How often it has been connected anew.'),
    unreadable: count('Frames of it that could not be read.'),
    lastError: nullable(
      text(
        'Why its connection was lost, what could not be read or what it objected to, last; overcome or not. Null = nothing yet.',
      ),
    ),
    lastErrorAt: nullable(instant('When that was.')),
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
      ...postingFields,
    },
    { title: 'LedgerEntry', description: 'One posting.' },
  ),
  { description: 'Postings, oldest first.' },
)

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
      givenUpSeq: nullable(
        count('The commit of the last one given up since then, to be read in the log; null = none was.'),
      ),
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
