/**
 * The migration that makes the tables of a venue's history, each column with what it means: `\d+ orders` shows it. The role
 * that may only read them is made where the user may make roles, and granted to where it is there.
 */

type Column = readonly [name: string, type: string, meaning: string]

const ORDERS: readonly Column[] = [
  ['shard', 'integer NOT NULL REFERENCES shard', 'The shard it is on, counted from 0'],
  ['seq', 'bigint NOT NULL', 'Sequence of the commit that ended it, in the log of the shard'],
  ['sequence', 'bigint NOT NULL', 'Place among everything the shard created, counted from 1: pages go by it'],
  [
    'phase_ordinal',
    'integer NOT NULL',
    'Which phase of the account it belongs to, counted from 1; 0 = an account without phases',
  ],
  ['ended_at', 'timestamptz NOT NULL', 'When it ended'],
  ['id', 'uuid NOT NULL UNIQUE', 'The order'],
  ['account_id', 'text NOT NULL', 'The account'],
  ['market_id', 'text NOT NULL', 'The market'],
  [
    'status',
    'text NOT NULL',
    'executed; canceled (by its owner or the platform); canceled_by_update (replaced by another); canceled_by_error (see error_code); canceled_by_position (what it would close has ended)',
  ],
  [
    'order_type',
    'text NOT NULL',
    'As placed: market, limit, stop_market, stop_limit, take, stop, trailing_stop, liquidate or another type of docs/rules.md',
  ],
  ['direction', 'text NOT NULL', 'long or short, of the position it opens or closes'],
  ['trigger_price', 'numeric NOT NULL', 'Level that fires it, quote per base; 0 = none'],
  [
    'requested_trigger_price',
    'numeric',
    'As asked for, where it was moved out to the minimum distance; else null',
  ],
  [
    'stop_price',
    'numeric NOT NULL',
    'Trigger of stop_market and stop_limit, quote per base; 0 = another type',
  ],
  ['limit_price', 'numeric NOT NULL', 'Limit of a stop_limit, else as trigger_price, quote per base'],
  ['stop_trigger_price', 'numeric NOT NULL', 'Attached stop-loss, quote per base; 0 = none'],
  ['take_trigger_price', 'numeric NOT NULL', 'Attached take-profit, quote per base; 0 = none'],
  [
    'trailing_stop_activation_price',
    'numeric NOT NULL',
    'Where a trailing stop begins to trail, quote per base; 0 = at once',
  ],
  ['trailing_stop_offset', 'numeric NOT NULL', 'Trailing distance, quote per base; 0 = in percent'],
  [
    'trailing_stop_offset_percent',
    'numeric NOT NULL',
    'Trailing distance as a fraction of the peak; 0 = absolute',
  ],
  ['leverage', 'numeric', 'Multiple; null on orders that close'],
  ['position_id', 'uuid', 'The position that it closes; null on orders that open'],
  ['parent_order_id', 'uuid', 'The order that it came of; null where it was placed'],
  ['amount', 'numeric NOT NULL', 'Opening: reserved or spent, quote. Closing: size to be closed, base'],
  ['index_price', 'numeric', 'Index price at its execution, quote per base; null unless executed'],
  ['created_at', 'timestamptz NOT NULL', 'When it was placed'],
  ['realized_pnl', 'numeric', 'Quote, before fees and funding; null unless it closed something'],
  ['raw_realized_pnl', 'numeric', 'The same before the cap on profits of the first 60 seconds'],
  ['profit_adjustment_applied', 'boolean NOT NULL', 'Whether that cap took something'],
  ['size_mode', 'text NOT NULL', 'quote or base: what amount was given in'],
  ['base_size', 'numeric', 'Size asked for, base; null where it was given in quote'],
  ['reserved_amount', 'numeric', 'Reserved at first, quote; null where the size was given in quote'],
  [
    'error_code',
    'text',
    'Why an accepted order failed when its turn came, a code of docs/errors.md; else null',
  ],
  ['reason', 'text', 'Why the platform canceled it; null where it did not'],
]

/** What a position is, once it has ended. */
const POSITION: readonly Column[] = [
  ['version', 'bigint NOT NULL', 'How many events it has had, counted from 1'],
  ['opened_at', 'timestamptz NOT NULL', 'When it was opened'],
  ['last_updated_at', 'timestamptz NOT NULL', 'When its last event happened'],
  ['closed_at', 'timestamptz', 'When it was closed or liquidated'],
  ['status', 'text NOT NULL', 'closed or liquidated'],
  ['market_id', 'text NOT NULL', 'The market'],
  ['account_id', 'text NOT NULL', 'The account'],
  ['size', 'numeric NOT NULL', 'Base, 0 or more; 0 once closed'],
  ['notional', 'numeric NOT NULL', 'Size at entry price, quote'],
  ['margin', 'numeric NOT NULL', 'Margin that backs it, quote'],
  ['pnl', 'numeric NOT NULL', 'Realized since it was opened, quote, before fees and funding'],
  ['funding', 'numeric NOT NULL', 'Funding since it was opened, quote: paid is negative, received positive'],
  ['fee', 'numeric NOT NULL', 'Fees since it was opened, quote'],
  ['fee_rate', 'numeric NOT NULL', 'Rate of the last trade, a fraction'],
  ['exchanged_quote', 'numeric NOT NULL', 'Exchanged by the event, quote; 0 where margin alone changed'],
  ['exchanged_base', 'numeric NOT NULL', 'Exchanged by the event, base; 0 where margin alone changed'],
  ['direction', 'text NOT NULL', 'long or short'],
  [
    'event_name',
    'text NOT NULL',
    'The event: increasePosition, closePosition, addMargin, removeMargin, liquidate, forceClose; of a position its last',
  ],
  ['pnl_in_event', 'numeric NOT NULL', 'Realized by the event, quote, before fees and funding'],
  ['raw_pnl_in_event', 'numeric NOT NULL', 'The same before the cap on profits of the first 60 seconds'],
  ['profit_adjustment_applied', 'boolean NOT NULL', 'Whether that cap took something'],
  [
    'holding_time_ms',
    'bigint',
    'From opening or last increase to this close, milliseconds; null where nothing was closed',
  ],
  ['fee_in_event', 'numeric NOT NULL', 'Fee of the event, quote'],
  [
    'funding_in_event',
    'numeric NOT NULL',
    'Funding settled with the event, quote: paid is negative, received positive',
  ],
  ['roe', 'numeric NOT NULL', 'pnl by the margin that was put up, a fraction'],
  [
    'scalping_coefficient',
    'numeric NOT NULL',
    'Multiplier of the spread that the event was charged, a fraction',
  ],
  ['close_reason', 'text', 'Why the platform closed it; null where it did not'],
]

/** What is otherwise of one that may be open. */
const AFTER_AN_EVENT: Readonly<Record<string, string>> = {
  last_updated_at: 'When this event happened',
  closed_at: 'When it was closed or liquidated; null while it is open',
  status: 'opened, closed or liquidated',
  event_name: 'The event: increasePosition, closePosition, addMargin, removeMargin, liquidate, forceClose',
}

const POSITIONS: readonly Column[] = [
  ['shard', 'integer NOT NULL REFERENCES shard', 'The shard it is on, counted from 0'],
  ['seq', 'bigint NOT NULL', 'Sequence of the commit that ended it, in the log of the shard'],
  [
    'sequence',
    'bigint NOT NULL',
    'Place of the position among everything the shard created, counted from 1: pages go by it',
  ],
  [
    'phase_ordinal',
    'integer NOT NULL',
    'Which phase of the account it belongs to, counted from 1; 0 = an account without phases',
  ],
  ['id', 'uuid NOT NULL UNIQUE', 'The position'],
  ...POSITION,
]

const POSITION_EVENTS: readonly Column[] = [
  ['shard', 'integer NOT NULL REFERENCES shard', 'The shard it is on, counted from 0'],
  ['seq', 'bigint NOT NULL', 'Sequence of the commit of the event, in the log of the shard'],
  [
    'sequence',
    'bigint NOT NULL',
    'Place of the position among everything the shard created, counted from 1: pages go by it',
  ],
  [
    'phase_ordinal',
    'integer NOT NULL',
    'Which phase of the account it belongs to, counted from 1; 0 = an account without phases',
  ],
  ['position_id', 'uuid NOT NULL', 'The position'],
  ['order_id', 'uuid', 'The order behind the event; null where there is none'],
  ...POSITION.map(([name, type, meaning]): Column => [name, type, AFTER_AN_EVENT[name] ?? meaning]),
]

function table(name: string, about: string, columns: readonly Column[], key: string): string {
  const declared = columns.map(([column, type]) => `${column} ${type},`).join('\n')
  const told = columns.map(([column, , meaning]) => `COMMENT ON COLUMN ${name}.${column} IS '${meaning}';`)
  return `CREATE TABLE ${name} (
${declared}
PRIMARY KEY (${key}));
COMMENT ON TABLE ${name} IS '${about}';
${told.join('\n')}`
}

export const HISTORY_MIGRATION = [
  `CREATE TABLE history_cursor (
     shard integer PRIMARY KEY REFERENCES shard,
     seq bigint NOT NULL,
     epoch bigint NOT NULL
   );
   COMMENT ON TABLE history_cursor IS 'Up to which commit of each shard orders, positions and position_events are written, and under which epoch';`,
  table(
    'orders',
    'Orders that have ended, one row each, also those of earlier phases and replaced ones; written after their commits. Active orders are not here',
    ORDERS,
    'shard, sequence',
  ),
  table(
    'positions',
    'Positions that were closed or liquidated, one row each, also those of earlier phases; written after their commits. Open ones are not here',
    POSITIONS,
    'shard, sequence',
  ),
  table(
    'position_events',
    'Positions right after each event of their own, open ones too, one row an event; events of funding alone are left out',
    POSITION_EVENTS,
    'shard, sequence, version',
  ),
  `CREATE INDEX ON orders (account_id, market_id, sequence);
   CREATE INDEX ON orders USING brin (ended_at);
   CREATE INDEX ON positions (account_id, market_id, sequence);
   CREATE INDEX ON positions USING brin (closed_at);
   CREATE INDEX ON position_events (position_id, version);
   CREATE INDEX ON position_events USING brin (last_updated_at);
   DO $$
   BEGIN
     IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'margin_core_reader') THEN
       CREATE ROLE margin_core_reader NOLOGIN;
     END IF;
   EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
     NULL;
   END $$;
   DO $$
   BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'margin_core_reader') THEN
       EXECUTE format('GRANT USAGE ON SCHEMA %I TO margin_core_reader', current_schema());
       GRANT SELECT ON orders, positions, position_events, history_cursor TO margin_core_reader;
     END IF;
   END $$;`,
].join('\n')
