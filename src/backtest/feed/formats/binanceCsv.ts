/**
 * Binance's published CSV files, with the header of the futures archives or without one: klines (12 columns), aggTrades
 * (7 or 8 columns) and trades (6 or 7 columns). Times are milliseconds, in spot files since 2025 microseconds.
 * Layouts: github.com/binance/binance-public-data.
 */
import type { Head, Reader, ReadingOptions } from '../reader.ts'
import { unitOf } from '../rowTime.ts'
import { columnName, isHeader, splitLine } from './csv.ts'
import { delimitedReader } from './delimitedReader.ts'

const KLINE_COLUMNS = 12
const CLOSE_TIME = 6

export function binanceCsvReader(head: Head, options: ReadingOptions): Reader | undefined {
  const first = splitLine(head.lines[0])
  if (first === undefined || first.delimiter !== ',' || options.columns !== undefined) return undefined
  const hasHeader = isHeader(first)
  const row = hasHeader ? splitLine(head.lines[1]) : first
  const columns = first.fields.length
  if (row === undefined || row.fields.length !== columns) return undefined
  if (hasHeader && !/^(opentime|aggtradeid|id)$/.test(columnName(first.fields[0] ?? ''))) return undefined
  const common = { delimiter: ',', hasHeader, columns }
  const isEpoch = (column: number) => /^\d{13,16}$/.test(row.fields[column] ?? '')
  const isFlag = (column: number) => /^(true|false)$/i.test(row.fields[column] ?? '')
  if (columns === KLINE_COLUMNS && isEpoch(0) && isEpoch(CLOSE_TIME)) {
    const layout = { ...common, time: 0, prices: [1, 2, 3, 4], volume: 5 }
    return delimitedReader(head, options, {
      format: 'binance-klines',
      kind: 'bars',
      layout,
      intervalMs: klineInterval(Number(row.fields[0]), Number(row.fields[CLOSE_TIME])),
    })
  }
  const isAggregate = isEpoch(5) && isFlag(6)
  if (!isAggregate && !(isEpoch(4) && isFlag(5))) return undefined
  const layout = { ...common, time: isAggregate ? 5 : 4, prices: [1] }
  return delimitedReader(head, options, {
    format: isAggregate ? 'binance-agg-trades' : 'binance-trades',
    kind: 'trades',
    layout,
  })
}

/** A kline closes one unit of its timestamps before the next one opens. */
function klineInterval(openTime: number, closeTime: number): number | null {
  const span = closeTime - openTime + 1
  const interval = unitOf(openTime) === 'us' ? span / 1000 : span
  return interval > 0 && Number.isInteger(interval) ? interval : null
}
