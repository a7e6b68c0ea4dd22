/** The fills of a live run beside those of its backtest as a table, every amount exact to the last digit. */
import { formatInstant } from '../../projections/wire.ts'
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Row } from '../export/tables.ts'
import type { LoggedFill } from '../replay/fillLog.ts'
import type { FillRow } from './compareLive.ts'

export function* liveRows(rows: readonly FillRow[]): Generator<Row> {
  for (const row of rows) {
    const { at, asset, side, found, live, backtest, delayMs, priceDifference, ticks, causes, difference } =
      row
    const own = Object.entries(causes).map(([name, amount]) => [name, formatDecimal(amount)])
    yield {
      ...{ at: formatInstant(at), asset, side, action: (live ?? backtest)?.action ?? '', found },
      ...cellsOf('live', live),
      ...cellsOf('backtest', backtest),
      delayMs: delayMs ?? '',
      priceDifference: priceDifference === null ? '' : formatDecimal(priceDifference),
      ticks: ticks ?? '',
      ...Object.fromEntries(own),
      difference: formatDecimal(difference),
      ...{ befell: row.reason?.befell ?? '', what: row.reason?.what ?? '' },
    }
  }
}

function cellsOf(whose: string, fill: LoggedFill | null): Row {
  const text = (amount: bigint | undefined) => (amount === undefined ? '' : formatDecimal(amount))
  return {
    [`${whose}At`]: fill === null ? '' : formatInstant(fill.at),
    [`${whose}Order`]: fill?.orderId ?? '',
    [`${whose}Reason`]: fill?.reason ?? '',
    [`${whose}Price`]: text(fill?.price),
    [`${whose}Size`]: text(fill?.size),
    [`${whose}Quote`]: text(fill?.quote),
    [`${whose}Fee`]: text(fill?.fee),
    [`${whose}Funding`]: text(fill?.funding),
  }
}
