/** Public archives of prices and funding rates: how each names its files. */
export interface ArchiveFile {
  /** File name in the folder. */
  readonly name: string
  readonly url: string
  /** A file with its SHA-256 in hexadecimal first; null where the archive publishes none. */
  readonly checksumUrl: string | null
}

/** What a file holds, and how long it is. */
interface Shelf {
  readonly every: 'month' | 'day'
  /** Below the base: where it lies, and what it is called. */
  readonly file: (symbol: string, interval: string, period: string) => readonly [folder: string, name: string]
}

interface Archive {
  readonly base: string
  readonly about: string
  readonly holds: 'candles' | 'trades'
  readonly prices: Shelf
  readonly funding?: Shelf
  /** Whether it publishes a SHA-256 beside each file, as `NAME.CHECKSUM`. */
  readonly hasChecksums: boolean
}

const binance = (place: string, about: string, hasFunding: boolean): Archive => ({
  base: 'https://data.binance.vision/data',
  about,
  holds: 'candles',
  hasChecksums: true,
  prices: {
    every: 'month',
    file: (symbol, interval, month) => [
      `${place}/monthly/klines/${symbol}/${interval}`,
      `${symbol}-${interval}-${month}.zip`,
    ],
  },
  ...(hasFunding && {
    funding: {
      every: 'month',
      file: (symbol, _, month) => [
        `${place}/monthly/fundingRate/${symbol}`,
        `${symbol}-fundingRate-${month}.zip`,
      ],
    },
  }),
})

const withoutDashes = (period: string) => period.replaceAll('-', '')

/** Exchanges by the name that `data fetch --exchange` takes. */
export const ARCHIVES: Readonly<Record<string, Archive>> = {
  'binance-spot': binance('spot', 'Binance spot candles, a file a month', false),
  'binance-usdm': binance(
    'futures/um',
    'Binance USDT-margined futures candles and funding, a file a month',
    true,
  ),
  'binance-coinm': binance(
    'futures/cm',
    'Binance coin-margined futures candles and funding, a file a month',
    true,
  ),
  'bybit-futures': {
    base: 'https://public.bybit.com',
    about: 'Bybit perpetuals and futures, every trade, a file a day',
    holds: 'trades',
    hasChecksums: false,
    prices: { every: 'day', file: (symbol, _, day) => [`trading/${symbol}`, `${symbol}${day}.csv.gz`] },
  },
  'bybit-spot': {
    base: 'https://public.bybit.com',
    about: 'Bybit spot, every trade, a file a day',
    holds: 'trades',
    hasChecksums: false,
    prices: { every: 'day', file: (symbol, _, day) => [`spot/${symbol}`, `${symbol}_${day}.csv.gz`] },
  },
  okx: {
    base: 'https://static.okx.com/cdn/okex/traderecords',
    about: 'OKX, every trade, a file a day, and funding, a file a month (BTC-USDT-SWAP)',
    holds: 'trades',
    hasChecksums: false,
    prices: {
      every: 'day',
      file: (symbol, _, day) => [`trades/daily/${withoutDashes(day)}`, `${symbol}-trades-${day}.zip`],
    },
    funding: {
      every: 'month',
      file: (symbol, _, month) => [
        `swaprates/monthly/${withoutDashes(month)}`,
        `${symbol}-fundingrates-${month}.zip`,
      ],
    },
  },
  'kucoin-spot': {
    base: 'https://historical-data.kucoin.com/data',
    about: 'KuCoin spot, every trade, a file a day',
    holds: 'trades',
    hasChecksums: false,
    prices: {
      every: 'day',
      file: (symbol, _, day) => [`spot/daily/trades/${symbol}`, `${symbol}-trades-${day}.zip`],
    },
  },
}

/** What is asked of an archive. */
export interface ArchiveRequest {
  readonly exchange: string
  readonly symbol: string
  readonly interval: string
  /** First and last month, 2025-01; of files a day also days, 2025-01-05. */
  readonly from: string
  readonly to: string
  /** Its funding rates instead of its prices. */
  readonly funding?: boolean
  /** Where the archive lies instead of its own place: a mirror. */
  readonly base?: string
}

/** @throws RangeError for an exchange that is not known, names with other characters, and periods that are none. */
export function archiveFiles(request: ArchiveRequest): ArchiveFile[] {
  const { symbol, interval, from, to, base } = request
  const archive = archiveOf(request.exchange)
  const shelf = request.funding === true ? archive.funding : archive.prices
  if (shelf === undefined) throw new RangeError(`the archive ${request.exchange} has no funding rates`)
  if (!/^[A-Z0-9_-]{2,30}$/.test(symbol)) throw new RangeError(`${symbol} is no symbol, such as BTCUSDT`)
  if (!/^\d{1,2}[smhdwM]o?$/.test(interval)) throw new RangeError(`${interval} is no interval, such as 1m`)
  const periods = shelf.every === 'month' ? monthsFrom(from, to) : daysFrom(from, to)
  return periods.map((period) => {
    const [folder, name] = shelf.file(symbol, interval, period)
    const url = `${base ?? archive.base}/${folder}/${name}`
    return { name, url, checksumUrl: archive.hasChecksums ? `${url}.CHECKSUM` : null }
  })
}

/** Where what was fetched lies, unless it is said. */
export function folderOf({ exchange, symbol, interval, funding }: ArchiveRequest): string {
  if (funding === true) return `${symbol}-funding`
  return `${symbol}-${archiveOf(exchange).holds === 'candles' ? interval : 'trades'}`
}

function archiveOf(exchange: string): Archive {
  const archive = Object.hasOwn(ARCHIVES, exchange) ? ARCHIVES[exchange] : undefined
  if (archive !== undefined) return archive
  const names = [...Object.keys(ARCHIVES), 'ccxt:NAME'].join(', ')
  throw new RangeError(`there is no archive ${exchange}; there are: ${names}`)
}

/** Months by name, both included. @throws RangeError for what is none. */
export function monthsFrom(from: string, to: string): string[] {
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

const DAY_MS = 86_400_000

/** Days by name, both included: of a month all of them. @throws RangeError for what is none. */
export function daysFrom(from: string, to: string): string[] {
  const [first, last] = [daysOf(from).first, daysOf(to).last]
  if (last < first) throw new RangeError(`there is no day from ${from} to ${to}`)
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  )
}

function daysOf(text: string): { first: number; last: number } {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const day = Date.parse(`${text}T00:00:00Z`)
    if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text)
      throw new RangeError(`${text} is no day, such as 2025-01-05`)
    return { first: day, last: day }
  }
  const month = monthNumber(text)
  const [year, index] = [Math.floor(month / 12), month % 12]
  return { first: Date.UTC(year, index, 1), last: Date.UTC(year, index + 1, 1) - DAY_MS }
}
