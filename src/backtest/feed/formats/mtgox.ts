/** Mt. Gox trades, `id,price,amount,type`, where the id is the time in microseconds. */
import type { Head, Reader, ReadingOptions } from '../reader.ts'
import { delimitedReader } from './delimitedReader.ts'

export function mtGoxReader(head: Head, options: ReadingOptions): Reader | undefined {
  if (head.lines[0] !== 'id,price,amount,type') return undefined
  const layout = { delimiter: ',', hasHeader: true, columns: 4, time: 0, prices: [1] }
  return delimitedReader(
    head,
    { timeUnit: 'us', ...options },
    { format: 'mtgox-trades', kind: 'trades', layout },
  )
}
