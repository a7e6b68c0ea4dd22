/**
 * The migration that makes the tables of a venue's history, each column with what it means: `\d+ orders` shows it. The role
 * that may only read them is made where the user may make roles, and granted to where it is there.
 */
export const HISTORY_MIGRATION = `
   CREATE TABLE history_cursor (
     shard integer PRIMARY KEY REFERENCES shard,
     seq bigint NOT NULL,
     epoch bigint NOT NULL
   );
   COMMENT ON TABLE history_cursor IS 'Up to which commit of each shard orders, positions and position_events are written, and under which epoch';
   CREATE TABLE orders (
     shard integer NOT NULL REFERENCES shard,
     seq bigint NOT NULL,
     sequence bigint NOT NULL,
     phase_ordinal integer NOT NULL,
     ended_at timestamptz NOT NULL,
     id uuid NOT NULL UNIQUE,
     account_id text NOT NULL,
     market_id text NOT NULL,
     status text NOT NULL,
     order_type text NOT NULL,
     direction text NOT NULL,
     trigger_price numeric NOT NULL,
     requested_trigger_price numeric,
     stop_price numeric NOT NULL,
     limit_price numeric NOT NULL,
     stop_trigger_price numeric NOT NULL,
     take_trigger_price numeric NOT NULL,
     trailing_stop_activation_price numeric NOT NULL,
     trailing_stop_offset numeric NOT NULL,
     trailing_stop_offset_percent numeric NOT NULL,
     leverage numeric,
     position_id uuid,
     parent_order_id uuid,
     amount numeric NOT NULL,
     index_price numeric,
     created_at timestamptz NOT NULL,
     realized_pnl numeric,
     raw_realized_pnl numeric,
     profit_adjustment_applied boolean NOT NULL,
     size_mode text NOT NULL,
     base_size numeric,
     reserved_amount numeric,
     error_code text,
     reason text,
     PRIMARY KEY (shard, sequence)
   );
   COMMENT ON TABLE orders IS 'Orders that have ended, one row each, also those of earlier phases and replaced ones; written after their commits. Active orders are not here';
   COMMENT ON COLUMN orders.shard IS 'The shard it is on, counted from 0';
   COMMENT ON COLUMN orders.seq IS 'Sequence of the commit that ended it, in the log of the shard';
   COMMENT ON COLUMN orders.sequence IS 'Place among everything the shard created, counted from 1: pages go by it';
   COMMENT ON COLUMN orders.phase_ordinal IS 'Which phase of the account it belongs to, counted from 1; 0 = an account without phases';
   COMMENT ON COLUMN orders.ended_at IS 'When it ended';
   COMMENT ON COLUMN orders.id IS 'The order';
   COMMENT ON COLUMN orders.account_id IS 'The account';
   COMMENT ON COLUMN orders.market_id IS 'The market';
   COMMENT ON COLUMN orders.status IS 'executed; canceled (by its owner or the platform); canceled_by_update (replaced by another); canceled_by_error (see error_code); canceled_by_position (what it would close has ended)';
   COMMENT ON COLUMN orders.order_type IS 'As placed: market, limit, stop_market, stop_limit, take, stop, trailing_stop, liquidate or another type of docs/rules.md';
   COMMENT ON COLUMN orders.direction IS 'long or short, of the position it opens or closes';
   COMMENT ON COLUMN orders.trigger_price IS 'Level that fires it, quote per base; 0 = none';
   COMMENT ON COLUMN orders.requested_trigger_price IS 'As asked for, where it was moved out to the minimum distance; else null';
   COMMENT ON COLUMN orders.stop_price IS 'Trigger of stop_market and stop_limit, quote per base; 0 = another type';
   COMMENT ON COLUMN orders.limit_price IS 'Limit of a stop_limit, else as trigger_price, quote per base';
   COMMENT ON COLUMN orders.stop_trigger_price IS 'Attached stop-loss, quote per base; 0 = none';
   COMMENT ON COLUMN orders.take_trigger_price IS 'Attached take-profit, quote per base; 0 = none';
   COMMENT ON COLUMN orders.trailing_stop_activation_price IS 'Where a trailing stop begins to trail, quote per base; 0 = at once';
   COMMENT ON COLUMN orders.trailing_stop_offset IS 'Trailing distance, quote per base; 0 = in percent';
   COMMENT ON COLUMN orders.trailing_stop_offset_percent IS 'Trailing distance as a fraction of the peak; 0 = absolute';
   COMMENT ON COLUMN orders.leverage IS 'Multiple; null on orders that close';
   COMMENT ON COLUMN orders.position_id IS 'The position that it closes; null on orders that open';
   COMMENT ON COLUMN orders.parent_order_id IS 'The order that it came of; null where it was placed';
   COMMENT ON COLUMN orders.amount IS 'Opening: reserved or spent, quote. Closing: size to be closed, base';
   COMMENT ON COLUMN orders.index_price IS 'Index price at its execution, quote per base; null unless executed';
   COMMENT ON COLUMN orders.created_at IS 'When it was placed';
   COMMENT ON COLUMN orders.realized_pnl IS 'Quote, before fees and funding; null unless it closed something';
   COMMENT ON COLUMN orders.raw_realized_pnl IS 'The same before the cap on profits of the first 60 seconds';
   COMMENT ON COLUMN orders.profit_adjustment_applied IS 'Whether that cap took something';
   COMMENT ON COLUMN orders.size_mode IS 'quote or base: what amount was given in';
   COMMENT ON COLUMN orders.base_size IS 'Size asked for, base; null where it was given in quote';
   COMMENT ON COLUMN orders.reserved_amount IS 'Reserved at first, quote; null where the size was given in quote';
   COMMENT ON COLUMN orders.error_code IS 'Why an accepted order failed when its turn came, a code of docs/errors.md; else null';
   COMMENT ON COLUMN orders.reason IS 'Why the platform canceled it; null where it did not';
   CREATE TABLE positions (
     shard integer NOT NULL REFERENCES shard,
     seq bigint NOT NULL,
     sequence bigint NOT NULL,
     phase_ordinal integer NOT NULL,
     id uuid NOT NULL UNIQUE,
     version bigint NOT NULL,
     opened_at timestamptz NOT NULL,
     last_updated_at timestamptz NOT NULL,
     closed_at timestamptz,
     status text NOT NULL,
     market_id text NOT NULL,
     account_id text NOT NULL,
     size numeric NOT NULL,
     notional numeric NOT NULL,
     margin numeric NOT NULL,
     pnl numeric NOT NULL,
     funding numeric NOT NULL,
     fee numeric NOT NULL,
     fee_rate numeric NOT NULL,
     exchanged_quote numeric NOT NULL,
     exchanged_base numeric NOT NULL,
     direction text NOT NULL,
     event_name text NOT NULL,
     pnl_in_event numeric NOT NULL,
     raw_pnl_in_event numeric NOT NULL,
     profit_adjustment_applied boolean NOT NULL,
     holding_time_ms bigint,
     fee_in_event numeric NOT NULL,
     funding_in_event numeric NOT NULL,
     roe numeric NOT NULL,
     scalping_coefficient numeric NOT NULL,
     close_reason text,
     PRIMARY KEY (shard, sequence)
   );
   COMMENT ON TABLE positions IS 'Positions that were closed or liquidated, one row each, also those of earlier phases; written after their commits. Open ones are not here';
   COMMENT ON COLUMN positions.shard IS 'The shard it is on, counted from 0';
   COMMENT ON COLUMN positions.seq IS 'Sequence of the commit that ended it, in the log of the shard';
   COMMENT ON COLUMN positions.sequence IS 'Place of the position among everything the shard created, counted from 1: pages go by it';
   COMMENT ON COLUMN positions.phase_ordinal IS 'Which phase of the account it belongs to, counted from 1; 0 = an account without phases';
   COMMENT ON COLUMN positions.id IS 'The position';
   COMMENT ON COLUMN positions.version IS 'How many events it has had, counted from 1';
   COMMENT ON COLUMN positions.opened_at IS 'When it was opened';
   COMMENT ON COLUMN positions.last_updated_at IS 'When its last event happened';
   COMMENT ON COLUMN positions.closed_at IS 'When it was closed or liquidated';
   COMMENT ON COLUMN positions.status IS 'closed or liquidated';
   COMMENT ON COLUMN positions.market_id IS 'The market';
   COMMENT ON COLUMN positions.account_id IS 'The account';
   COMMENT ON COLUMN positions.size IS 'Base, 0 or more; 0 once closed';
   COMMENT ON COLUMN positions.notional IS 'Size at entry price, quote';
   COMMENT ON COLUMN positions.margin IS 'Margin that backs it, quote';
   COMMENT ON COLUMN positions.pnl IS 'Realized since it was opened, quote, before fees and funding';
   COMMENT ON COLUMN positions.funding IS 'Funding since it was opened, quote: paid is negative, received positive';
   COMMENT ON COLUMN positions.fee IS 'Fees since it was opened, quote';
   COMMENT ON COLUMN positions.fee_rate IS 'Rate of the last trade, a fraction';
   COMMENT ON COLUMN positions.exchanged_quote IS 'Exchanged by the event, quote; 0 where margin alone changed';
   COMMENT ON COLUMN positions.exchanged_base IS 'Exchanged by the event, base; 0 where margin alone changed';
   COMMENT ON COLUMN positions.direction IS 'long or short';
   COMMENT ON COLUMN positions.event_name IS 'The event: increasePosition, closePosition, addMargin, removeMargin, liquidate, forceClose; of a position its last';
   COMMENT ON COLUMN positions.pnl_in_event IS 'Realized by the event, quote, before fees and funding';
   COMMENT ON COLUMN positions.raw_pnl_in_event IS 'The same before the cap on profits of the first 60 seconds';
   COMMENT ON COLUMN positions.profit_adjustment_applied IS 'Whether that cap took something';
   COMMENT ON COLUMN positions.holding_time_ms IS 'From opening or last increase to this close, milliseconds; null where nothing was closed';
   COMMENT ON COLUMN positions.fee_in_event IS 'Fee of the event, quote';
   COMMENT ON COLUMN positions.funding_in_event IS 'Funding settled with the event, quote: paid is negative, received positive';
   COMMENT ON COLUMN positions.roe IS 'pnl by the margin that was put up, a fraction';
   COMMENT ON COLUMN positions.scalping_coefficient IS 'Multiplier of the spread that the event was charged, a fraction';
   COMMENT ON COLUMN positions.close_reason IS 'Why the platform closed it; null where it did not';
   CREATE TABLE position_events (
     shard integer NOT NULL REFERENCES shard,
     seq bigint NOT NULL,
     sequence bigint NOT NULL,
     phase_ordinal integer NOT NULL,
     position_id uuid NOT NULL,
     order_id uuid,
     version bigint NOT NULL,
     opened_at timestamptz NOT NULL,
     last_updated_at timestamptz NOT NULL,
     closed_at timestamptz,
     status text NOT NULL,
     market_id text NOT NULL,
     account_id text NOT NULL,
     size numeric NOT NULL,
     notional numeric NOT NULL,
     margin numeric NOT NULL,
     pnl numeric NOT NULL,
     funding numeric NOT NULL,
     fee numeric NOT NULL,
     fee_rate numeric NOT NULL,
     exchanged_quote numeric NOT NULL,
     exchanged_base numeric NOT NULL,
     direction text NOT NULL,
     event_name text NOT NULL,
     pnl_in_event numeric NOT NULL,
     raw_pnl_in_event numeric NOT NULL,
     profit_adjustment_applied boolean NOT NULL,
     holding_time_ms bigint,
     fee_in_event numeric NOT NULL,
     funding_in_event numeric NOT NULL,
     roe numeric NOT NULL,
     scalping_coefficient numeric NOT NULL,
     close_reason text,
     PRIMARY KEY (shard, sequence, version)
   );
   COMMENT ON TABLE position_events IS 'Positions right after each event of their own, open ones too, one row an event; events of funding alone are left out';
   COMMENT ON COLUMN position_events.shard IS 'The shard it is on, counted from 0';
   COMMENT ON COLUMN position_events.seq IS 'Sequence of the commit of the event, in the log of the shard';
   COMMENT ON COLUMN position_events.sequence IS 'Place of the position among everything the shard created, counted from 1: pages go by it';
   COMMENT ON COLUMN position_events.phase_ordinal IS 'Which phase of the account it belongs to, counted from 1; 0 = an account without phases';
   COMMENT ON COLUMN position_events.position_id IS 'The position';
   COMMENT ON COLUMN position_events.order_id IS 'The order behind the event; null where there is none';
   COMMENT ON COLUMN position_events.version IS 'How many events it has had, counted from 1';
   COMMENT ON COLUMN position_events.opened_at IS 'When it was opened';
   COMMENT ON COLUMN position_events.last_updated_at IS 'When this event happened';
   COMMENT ON COLUMN position_events.closed_at IS 'When it was closed or liquidated; null while it is open';
   COMMENT ON COLUMN position_events.status IS 'opened, closed or liquidated';
   COMMENT ON COLUMN position_events.market_id IS 'The market';
   COMMENT ON COLUMN position_events.account_id IS 'The account';
   COMMENT ON COLUMN position_events.size IS 'Base, 0 or more; 0 once closed';
   COMMENT ON COLUMN position_events.notional IS 'Size at entry price, quote';
   COMMENT ON COLUMN position_events.margin IS 'Margin that backs it, quote';
   COMMENT ON COLUMN position_events.pnl IS 'Realized since it was opened, quote, before fees and funding';
   COMMENT ON COLUMN position_events.funding IS 'Funding since it was opened, quote: paid is negative, received positive';
   COMMENT ON COLUMN position_events.fee IS 'Fees since it was opened, quote';
   COMMENT ON COLUMN position_events.fee_rate IS 'Rate of the last trade, a fraction';
   COMMENT ON COLUMN position_events.exchanged_quote IS 'Exchanged by the event, quote; 0 where margin alone changed';
   COMMENT ON COLUMN position_events.exchanged_base IS 'Exchanged by the event, base; 0 where margin alone changed';
   COMMENT ON COLUMN position_events.direction IS 'long or short';
   COMMENT ON COLUMN position_events.event_name IS 'The event: increasePosition, closePosition, addMargin, removeMargin, liquidate, forceClose';
   COMMENT ON COLUMN position_events.pnl_in_event IS 'Realized by the event, quote, before fees and funding';
   COMMENT ON COLUMN position_events.raw_pnl_in_event IS 'The same before the cap on profits of the first 60 seconds';
   COMMENT ON COLUMN position_events.profit_adjustment_applied IS 'Whether that cap took something';
   COMMENT ON COLUMN position_events.holding_time_ms IS 'From opening or last increase to this close, milliseconds; null where nothing was closed';
   COMMENT ON COLUMN position_events.fee_in_event IS 'Fee of the event, quote';
   COMMENT ON COLUMN position_events.funding_in_event IS 'Funding settled with the event, quote: paid is negative, received positive';
   COMMENT ON COLUMN position_events.roe IS 'pnl by the margin that was put up, a fraction';
   COMMENT ON COLUMN position_events.scalping_coefficient IS 'Multiplier of the spread that the event was charged, a fraction';
   COMMENT ON COLUMN position_events.close_reason IS 'Why the platform closed it; null where it did not';
   CREATE INDEX ON orders (account_id, market_id, sequence);
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
   END $$;`
