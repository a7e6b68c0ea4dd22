/** Public archives of prices: how each names its files. */
export interface ArchiveFile {
  /** File name in the folder. */
  readonly name: string
  readonly url: string
  /** A file with its SHA-256 in hexadecimal first. */
  readonly checksumUrl: string
}

interface Archive {
  readonly base: string
  /** Path below the base, without the name of the file. */
  readonly folder: (symbol: string, interval: string) => string
  readonly about: string
}

/** Exchanges by the name that `data fetch --exchange` takes. */
export const ARCHIVES: Readonly<Record<string, Archive>> = {
  'binance-spot': {
    base: 'https://data.binance.vision/data',
    folder: (symbol, interval) => `spot/monthly/klines/${symbol}/${interval}`,
    about: 'Binance spot candles, a file a month',
  },
  'binance-usdm': {
    base: 'https://data.binance.vision/data',
    folder: (symbol, interval) => `futures/um/monthly/klines/${symbol}/${interval}`,
    about: 'Binance USDT-margined futures candles, a file a month',
  },
  'binance-coinm': {
    base: 'https://data.binance.vision/data',
    folder: (symbol, interval) => `futures/cm/monthly/klines/${symbol}/${interval}`,
    about: 'Binance coin-margined futures candles, a file a month',
  },
}

/** What is asked of an archive. */
export interface ArchiveRequest {
  readonly exchange: string
  readonly symbol: string
  readonly interval: string
  /** First and last month, 2025-01. */
  readonly from: string
  readonly to: string
  /** Where the archive lies instead of its own place: a mirror. */
  readonly base?: string
}

/** @throws RangeError for an exchange that is not known, names with other characters, and months that are none. */
export function archiveFiles({ exchange, symbol, interval, from, to, base }: ArchiveRequest): ArchiveFile[] {
  const archive = Object.hasOwn(ARCHIVES, exchange) ? ARCHIVES[exchange] : undefined
  if (archive === undefined)
    throw new RangeError(`there is no archive ${exchange}; there are: ${Object.keys(ARCHIVES).join(', ')}`)
  if (!/^[A-Z0-9_]{2,30}$/.test(symbol)) throw new RangeError(`${symbol} is no symbol, such as BTCUSDT`)
  if (!/^\d{1,2}[smhdwM]o?$/.test(interval)) throw new RangeError(`${interval} is no interval, such as 1m`)
  return months(from, to).map((month) => {
    const name = `${symbol}-${interval}-${month}.zip`
    const url = `${base ?? archive.base}/${archive.folder(symbol, interval)}/${name}`
    return { name, url, checksumUrl: `${url}.CHECKSUM` }
  })
}

function months(from: string, to: string): string[] {
  const [first, last] = [from, to].map(monthNumber) as [number, number]
  if (last < first) throw new RangeError(`there is no month from ${from} to ${to}`)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const month = first + index
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

function monthNumber(text: string): number {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined) throw new RangeError(`${text} is no month, such as 2025-01`)
  return Number(year) * 12 + Number(month) - 1
}
