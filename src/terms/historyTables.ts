/**
 * The tables in which a venue's history is kept for others to query: what each column holds and what it means, which a database
 * shows whoever looks at the table. A database that has made them keeps them as they were made: what is added to them is added below.
 */

/**
 * A uuid, or text of any other kind; a decimal of nine digits; an instant; a 64-bit or a small count; yes or no. `?`: there may be
 * none. `own`: no two rows have the same.
 */
export type ColumnKind =
  | 'own uuid'
  | 'uuid'
  | 'uuid?'
  | 'text'
  | 'text?'
  | 'amount'
  | 'amount?'
  | 'instant'
  | 'instant?'
  | 'count'
  | 'count?'
  | 'ordinal'
  | 'flag'

export type TableColumn = readonly [name: string, kind: ColumnKind, meaning: string]

/** `ranged`: rows lie in the order of it, more or less, and are looked for by ranges of it. */
export interface TableIndex {
  readonly columns: readonly string[]
  readonly ranged?: boolean
}

export interface HistoryTable {
  readonly about: string
  readonly columns: readonly TableColumn[]
  /** The columns that tell a row of a shard from any other. */
  readonly key: readonly string[]
  readonly indexes: readonly TableIndex[]
}

const ORDERS: readonly TableColumn[] = [
  ['seq', 'count', 'Sequence of the commit that ended it, in the log of the shard'],
  ['sequence', 'count', 'Place among everything the shard created, counted from 1: pages go by it'],
  [
    'phase_ordinal',
    'ordinal',
    'Which phase of the account it belongs to, counted from 1; 0 = an account without phases',
  ],
  ['ended_at', 'instant', 'When it ended'],
  ['id', 'own uuid', 'The order'],
  ['account_id', 'text', 'The account'],
  ['market_id', 'text', 'The market'],
  [
    'status',
    'text',
    'executed; canceled (by its owner or the platform); canceled_by_update (replaced by another); canceled_by_error (see error_code); canceled_by_position (what it would close has ended)',
  ],
  [
    'order_type',
    'text',
    'As placed: market, limit, stop_market, stop_limit, take, stop, trailing_stop, liquidate or another type of docs/rules.md',
  ],
  ['direction', 'text', 'long or short, of the position it opens or closes'],
  ['trigger_price', 'amount', 'Level that fires it, quote per base; 0 = none'],
  [
    'requested_trigger_price',
    'amount?',
    'As asked for, where it was moved out to the minimum distance; else null',
  ],
  ['stop_price', 'amount', 'Trigger of stop_market and stop_limit, quote per base; 0 = another type'],
  ['limit_price', 'amount', 'Limit of a stop_limit, else as trigger_price, quote per base'],
  ['stop_trigger_price', 'amount', 'Attached stop-loss, quote per base; 0 = none'],
  ['take_trigger_price', 'amount', 'Attached take-profit, quote per base; 0 = none'],
  [
    'trailing_stop_activation_price',
    'amount',
    'Where a trailing stop begins to trail, quote per base; 0 = at once',
  ],
  ['trailing_stop_offset', 'amount', 'Trailing distance, quote per base; 0 = in percent'],
  ['trailing_stop_offset_percent', 'amount', 'Trailing distance as a fraction of the peak; 0 = absolute'],
  ['leverage', 'amount?', 'Multiple; null on orders that close'],
  ['position_id', 'uuid?', 'The position that it closes; null on orders that open'],
  ['parent_order_id', 'uuid?', 'The order that it came of; null where it was placed'],
  ['amount', 'amount', 'Opening: reserved or spent, quote. Closing: size to be closed, base'],
  ['index_price', 'amount?', 'Index price at its execution, quote per base; null unless executed'],
  ['created_at', 'instant', 'When it was placed'],
  ['realized_pnl', 'amount?', 'Quote, before fees and funding; null unless it closed something'],
  ['raw_realized_pnl', 'amount?', 'The same before the cap on profits of the first 60 seconds'],
  ['profit_adjustment_applied', 'flag', 'Whether that cap took something'],
  ['size_mode', 'text', 'quote or base: what amount was given in'],
  ['base_size', 'amount?', 'Size asked for, base; null where it was given in quote'],
  ['reserved_amount', 'amount?', 'Reserved at first, quote; null where the size was given in quote'],
  [
    'error_code',
    'text?',
    'Why an accepted order failed when its turn came, a code of docs/errors.md; else null',
  ],
  ['reason', 'text?', 'Why the platform canceled it; null where it did not'],
]

/** What a position is, once it has ended. */
const POSITION: readonly TableColumn[] = [
  ['version', 'count', 'How many events it has had, counted from 1'],
  ['opened_at', 'instant', 'When it was opened'],
  ['last_updated_at', 'instant', 'When its last event happened'],
  ['closed_at', 'instant?', 'When it was closed or liquidated'],
  ['status', 'text', 'closed or liquidated'],
  ['market_id', 'text', 'The market'],
  ['account_id', 'text', 'The account'],
  ['size', 'amount', 'Base, 0 or more; 0 once closed'],
  ['notional', 'amount', 'Size at entry price, quote'],
  ['margin', 'amount', 'Margin that backs it, quote'],
  ['pnl', 'amount', 'Realized since it was opened, quote, before fees and funding'],
  ['funding', 'amount', 'Funding since it was opened, quote: paid is negative, received positive'],
  ['fee', 'amount', 'Fees since it was opened, quote'],
  ['fee_rate', 'amount', 'Rate of the last trade, a fraction'],
  ['exchanged_quote', 'amount', 'Exchanged by the event, quote; 0 where margin alone changed'],
  ['exchanged_base', 'amount', 'Exchanged by the event, base; 0 where margin alone changed'],
  ['direction', 'text', 'long or short'],
  [
    'event_name',
    'text',
    'The event: increasePosition, closePosition, addMargin, removeMargin, liquidate, forceClose; of a position its last',
  ],
  ['pnl_in_event', 'amount', 'Realized by the event, quote, before fees and funding'],
  ['raw_pnl_in_event', 'amount', 'The same before the cap on profits of the first 60 seconds'],
  ['profit_adjustment_applied', 'flag', 'Whether that cap took something'],
  [
    'holding_time_ms',
    'count?',
    'From opening or last increase to this close, milliseconds; null where nothing was closed',
  ],
  ['fee_in_event', 'amount', 'Fee of the event, quote'],
  [
    'funding_in_event',
    'amount',
    'Funding settled with the event, quote: paid is negative, received positive',
  ],
  ['roe', 'amount', 'pnl by the margin that was put up, a fraction'],
  [
    'scalping_coefficient',
    'amount',
    'What the spread that the event was charged was multiplied by, a multiple',
  ],
  ['close_reason', 'text?', 'Why the platform closed it; null where it did not'],
]

/** What is otherwise of one that may be open. */
const AFTER_AN_EVENT: Readonly<Record<string, string>> = {
  last_updated_at: 'When this event happened',
  closed_at: 'When it was closed or liquidated; null while it is open',
  status: 'opened, closed or liquidated',
  event_name: 'The event: increasePosition, closePosition, addMargin, removeMargin, liquidate, forceClose',
}

const POSITIONS: readonly TableColumn[] = [
  ['seq', 'count', 'Sequence of the commit that ended it, in the log of the shard'],
  [
    'sequence',
    'count',
    'Place of the position among everything the shard created, counted from 1: pages go by it',
  ],
  [
    'phase_ordinal',
    'ordinal',
    'Which phase of the account it belongs to, counted from 1; 0 = an account without phases',
  ],
  ['id', 'own uuid', 'The position'],
  ...POSITION,
]

const POSITION_EVENTS: readonly TableColumn[] = [
  ['seq', 'count', 'Sequence of the commit of the event, in the log of the shard'],
  [
    'sequence',
    'count',
    'Place of the position among everything the shard created, counted from 1: pages go by it',
  ],
  [
    'phase_ordinal',
    'ordinal',
    'Which phase of the account it belongs to, counted from 1; 0 = an account without phases',
  ],
  ['position_id', 'uuid', 'The position'],
  ['order_id', 'uuid?', 'The order behind the event; null where there is none'],
  ...POSITION.map(([name, type, meaning]): TableColumn => [name, type, AFTER_AN_EVENT[name] ?? meaning]),
]

export const HISTORY_TABLE_NAMES = ['orders', 'positions', 'position_events'] as const

export type HistoryTableName = (typeof HISTORY_TABLE_NAMES)[number]

export const HISTORY_TABLES: Readonly<Record<HistoryTableName, HistoryTable>> = {
  orders: {
    about:
      'Orders that have ended, one row each, also those of earlier phases and replaced ones; written after their commits. Active orders are not here',
    columns: ORDERS,
    key: ['sequence'],
    indexes: [{ columns: ['account_id', 'market_id', 'sequence'] }, { columns: ['ended_at'], ranged: true }],
  },
  positions: {
    about:
      'Positions that were closed or liquidated, one row each, also those of earlier phases; written after their commits. Open ones are not here',
    columns: POSITIONS,
    key: ['sequence'],
    indexes: [{ columns: ['account_id', 'market_id', 'sequence'] }, { columns: ['closed_at'], ranged: true }],
  },
  position_events: {
    about:
      'Positions right after each event of their own, open ones too, one row an event; events of funding alone are left out',
    columns: POSITION_EVENTS,
    key: ['sequence', 'version'],
    indexes: [{ columns: ['position_id', 'version'] }, { columns: ['last_updated_at'], ranged: true }],
  },
}

/** Pages of an account over all markets. */
export const ADDED_INDEX: { readonly table: HistoryTableName } & TableIndex = {
  table: 'positions',
  columns: ['account_id', 'sequence'],
}
