/** Streams: what is asked for, and what each message is. */
import { type Static, Type } from 'typebox'
import { AccountResource, MarketResource } from './account.ts'
import { closed, count, flag, instant, nullable, oneOf, price, quote, text, Uuid, uuid } from './fields.ts'
import { OrderResource } from './order.ts'
import { PositionEventResource, PositionResource } from './position.ts'

/** Why a stream ended. */
const END_REASONS = [
  'slow_consumer',
  'too_many_streams',
  'session_expired',
  'api_trading_not_enabled',
  'archived',
  'engine_stopped',
  'closing',
] as const

export type EndReason = (typeof END_REASONS)[number]

const Sequence = Type.String({
  pattern: '^[0-9]{1,15}$',
  description: 'A commit, by its sequence: go on after it.',
  examples: ['1'],
})

export const StreamQuery = closed({
  accountId: Type.Optional(
    Type.Union([Uuid, Type.Array(Uuid, { maxItems: 100 })], {
      description: 'Repeatable; default: all accounts of the caller.',
    }),
  ),
  from: Type.Optional(Sequence),
})
export type StreamQuery = Static<typeof StreamQuery>

/** What a WebSocket says first where no header says who asks. */
export const StreamOpening = closed({
  token: text('An API key, or the token of a session.'),
  accountIds: Type.Optional(
    Type.Array(Uuid, { maxItems: 100, description: 'Default: all accounts of the caller.' }),
  ),
  from: Type.Optional(count('A commit, by its sequence: go on after it.')),
})

export const OperatorStreamQuery = closed({
  from: Type.Optional(Sequence),
  type: Type.Optional(
    Type.String({ description: 'A command or an event by its type.', examples: ['orderExecuted'] }),
  ),
  accountId: Type.Optional(uuid('Commits that name this account.')),
  marketId: Type.Optional(uuid('Commits that name this market.')),
  quietPrices: Type.Optional(
    oneOf(['true', 'false'], 'Default `true`; `false` leaves out prices that set nothing off.'),
  ),
})
export type OperatorStreamQuery = Static<typeof OperatorStreamQuery>

/** The same of an operator. */
export const OperatorStreamOpening = closed({
  ...OperatorStreamQuery.properties,
  token: text('The token of an operator.'),
  from: StreamOpening.properties.from,
})

/** An account as a stream tells it. */
export const StreamedAccount = closed(
  {
    ...AccountResource.properties,
    locked: flag('Whether increases are refused.'),
    loaded: flag('Whether its live data is loaded.'),
  },
  { title: 'StreamedAccount', description: 'An account, its risk status and its switches.' },
)

type Data = Parameters<typeof nullable>[0]
const seq = count('Sequence of the commit it tells of.')
const at = instant('When that happened.')
const ABOUT = 'What a stream tells.'

const titleOf = (type: string) => `Stream${type.charAt(0).toUpperCase()}${type.slice(1)}`
const kind = <Kind extends string>(type: Kind) => Type.Literal(type, { description: 'What it tells.' })

const message = <Kind extends string, D extends Data>(type: Kind, data: D) =>
  closed({ type: kind(type), seq, at, data }, { title: titleOf(type), description: ABOUT })
const ofAccount = <Kind extends string, D extends Data>(type: Kind, data: D) =>
  closed(
    { type: kind(type), seq, at, accountId: uuid('Whose it is.'), data },
    { title: titleOf(type), description: ABOUT },
  )

const NOTHING = Type.Null({ description: 'Nothing: it only says that the stream lives.' })
const end = () =>
  message(
    'end',
    closed(
      { reason: oneOf(END_REASONS, 'Why.') },
      { title: 'StreamEndReason', description: 'Why a stream ends.' },
    ),
  )

export const StreamMessageResource = Type.Union(
  [
    message(
      'snapshot',
      closed(
        {
          accounts: Type.Array(StreamedAccount, { description: 'All that the stream tells of.' }),
          orders: Type.Array(OrderResource, { description: 'The active ones.' }),
          positions: Type.Array(PositionResource, { description: 'The open ones.' }),
          markets: Type.Array(MarketResource, { description: 'All markets.' }),
        },
        { title: 'Snapshot', description: 'Everything as the reads give it, at one commit.' },
      ),
    ),
    ofAccount('order', OrderResource),
    ofAccount('position', PositionEventResource),
    ofAccount('account', StreamedAccount),
    ofAccount(
      'equity',
      closed(
        {
          currentEquity: quote('Balance and unrealized pnl at the index prices.'),
          unrealizedPnl: quote('Of all open positions.'),
          dailyLossRemaining: nullable(quote('From equity down to the daily floor; null where it is off.')),
          totalLossRemaining: nullable(quote('From equity down to the total floor; null where it is off.')),
        },
        { title: 'Equity', description: 'Equity of an account, and how far it is from its floors.' },
      ),
    ),
    message(
      'price',
      closed(
        {
          marketId: uuid('The market.'),
          indexPrice: price('Its newest index price.'),
          updatedAt: nullable(instant('When that was current.')),
        },
        { title: 'MarketPrice', description: 'The newest price of a market.' },
      ),
    ),
    message('market', MarketResource),
    message('ping', NOTHING),
    end(),
  ],
  { title: 'StreamMessage', description: ABOUT },
)

export const OperatorStreamMessage = Type.Union(
  [
    message('commit', Type.Unknown({ description: 'As `GET /operator/commits` gives it.' })),
    message('ping', NOTHING),
    end(),
  ],
  { title: 'OperatorStreamMessage', description: ABOUT },
)
