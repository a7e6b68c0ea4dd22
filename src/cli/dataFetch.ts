/** `margin-core data fetch`: files of public archives, and candles, funding rates and trades of any exchange by ccxt. */
import { Command } from 'commander'
import type { CcxtExchange } from '../backtest/archives/ccxt.ts'
import type { Around, CcxtMarket } from '../backtest/archives/ccxtAnswer.ts'
import type { CcxtRequest } from '../backtest/archives/fetchCcxt.ts'
import type { TradesRequest } from '../backtest/archives/fetchTrades.ts'
import { examples } from './examples.ts'
import { reportFailure } from './failure.ts'
import { Progress } from './progress.ts'

interface FetchOptions {
  readonly exchange: string
  readonly symbol: string
  readonly interval: string
  readonly from: string
  readonly to?: string
  readonly funding?: boolean
  readonly trades?: boolean
  readonly out?: string
  readonly base?: string
}

export function fetchCommand(): Command {
  return new Command('fetch')
    .description(
      'fetch months or days of an archive, each checked against its SHA-256, or of any exchange of the package ccxt; what is there is kept',
    )
    .requiredOption('--exchange <name>', 'an archive; `margin-core data list` has them; or ccxt:NAME')
    .requiredOption('--symbol <symbol>', 'such as BTCUSDT; of ccxt such as BTC/USDT:USDT')
    .option('--interval <interval>', 'length of the candles', '1m')
    .option('--funding', 'the funding rates instead of the prices, where there are any')
    .option('--trades', 'of ccxt every trade instead of candles, a file a day')
    .requiredOption('--from <month>', 'first month, 2025-01; of files a day also a day, 2025-01-05')
    .option('--to <month>', 'last month or day (default: the first)')
    .option(
      '--out <folder>',
      'where to put the files (default: SYMBOL-INTERVAL, SYMBOL-trades or SYMBOL-funding)',
    )
    .option('--base <url>', 'a mirror of the archive')
    .addHelpText(
      'after',
      examples(
        'data fetch --exchange binance-usdm --symbol BTCUSDT --from 2025-01 --to 2025-03',
        'data fetch --exchange binance-usdm --symbol BTCUSDT --funding --from 2025-01 --to 2025-03',
        'data fetch --exchange bybit-futures --symbol ETHUSDT --from 2025-01-01 --to 2025-01-07',
        'data fetch --exchange ccxt:okx --symbol BTC/USDT:USDT --interval 1h --from 2025-01',
        'data fetch --exchange ccxt:binance --symbol BTC/USDT --trades --from 2025-01-05',
      ),
    )
    .action((options: FetchOptions) => reportFailure(() => fetchData(options)))
}

const CCXT = 'ccxt:'

async function fetchData({ out, to, ...asked }: FetchOptions): Promise<void> {
  const request = { ...asked, to: to ?? asked.from }
  if (request.exchange.startsWith(CCXT))
    return request.trades === true ? fetchDays(request, out) : fetchMonths(request, out)
  const [{ archiveFiles, folderOf }, { fetchFile }, { NO_SUCH_FILE }, { FeedError }] = await Promise.all([
    import('../backtest/archives/archives.ts'),
    import('../backtest/archives/fetchFile.ts'),
    import('../backtest/archives/archiveRequest.ts'),
    import('../backtest/feed/feedError.ts'),
  ])
  const files = archiveFiles(request)
  const folder = out ?? folderOf(request)
  const missing: string[] = []
  for (const file of files) {
    try {
      const became = await fetchFile(file, folder, { now: new Date() })
      process.stdout.write(`${folder}/${file.name}: ${became}\n`)
    } catch (error) {
      // A day that an archive lacks is a gap in what it has: the days after it are worth having.
      if (!(error instanceof FeedError && error.reason === NO_SUCH_FILE)) throw error
      missing.push(file.url)
    }
  }
  const [first] = missing
  if (first === undefined) return
  const others = missing.length === 1 ? '' : `, and neither ${missing.length - 1} more that were asked for`
  throw new FeedError(first, null, `${NO_SUCH_FILE}${others}`)
}

async function fetchMonths(request: CcxtRequest, out: string | undefined): Promise<void> {
  const [{ ccxtFolder, fetchCcxt }, { count }] = await Promise.all([
    import('../backtest/archives/fetchCcxt.ts'),
    import('../backtest/output/presentation.ts'),
  ])
  const exchange = await exchangeOf(request)
  const folder = out ?? ccxtFolder(request)
  await withProgress(request.symbol, async (around) => {
    for await (const { name, became, rows, expected } of fetchCcxt(exchange, request, folder, around)) {
      const of =
        rows === null || expected === null || rows >= expected
          ? ''
          : `, ${count(rows)} of ${count(expected)} candles`
      process.stdout.write(`${folder}/${name}: ${became}${of}\n`)
    }
  })
}

async function fetchDays(request: TradesRequest, out: string | undefined): Promise<void> {
  const [{ fetchTrades, tradesFolder }, { count, plural }] = await Promise.all([
    import('../backtest/archives/fetchTrades.ts'),
    import('../backtest/output/presentation.ts'),
  ])
  const exchange = await exchangeOf(request)
  const folder = out ?? tradesFolder(request)
  await withProgress(request.symbol, async (around) => {
    for await (const { name, became, rows } of fetchTrades(exchange, request, folder, around)) {
      const of = rows === null || rows === 0 ? '' : `, ${count(rows)} ${plural(rows, 'trade')}`
      process.stdout.write(`${folder}/${name}: ${became}${of}\n`)
    }
  })
}

async function exchangeOf({ exchange }: CcxtMarket): Promise<CcxtExchange> {
  const { ccxtExchange } = await import('../backtest/archives/ccxt.ts')
  return ccxtExchange(exchange.slice(CCXT.length), process.cwd())
}

async function withProgress(symbol: string, fetched: (around: Around) => Promise<void>): Promise<void> {
  const progress = new Progress(symbol)
  try {
    await fetched({ now: new Date(), onRows: (rows, period) => progress.update(rows, period) })
  } finally {
    progress.end()
  }
}
