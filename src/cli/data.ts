/** `margin-core data`: prices from public archives, and what is wrong with them before anything is run. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { DataCheck, FundingHoles } from '../backtest/archives/checkData.ts'
import type { CcxtRequest } from '../backtest/archives/fetchCcxt.ts'
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
  readonly out?: string
  readonly base?: string
}

interface ConvertOptions {
  readonly out: string
  readonly interval?: string
  readonly from?: string
  readonly to?: string
  readonly onBadRow?: 'fail' | 'skip'
}

interface CheckOptions {
  readonly funding?: string
  readonly json?: boolean
}

const EXAMPLES = examples(
  'data fetch --exchange binance-usdm --symbol BTCUSDT --interval 1m --from 2025-01 --to 2025-03',
  'data check BTCUSDT-1m --funding BTCUSDT-funding.csv',
  'data convert BTCUSDT-1m --out btc-hours.csv.gz --interval 1h',
  'backtest --data BTCUSDT-1m',
)

export function dataCommand(): Command {
  return new Command('data')
    .addCommand(listCommand())
    .addCommand(fetchCommand())
    .addCommand(checkCommand())
    .addCommand(convertCommand())
    .addCommand(cacheCommand())
    .addHelpText('after', EXAMPLES)
}

function listCommand(): Command {
  return new Command('list')
    .description('the archives that fetch knows')
    .addHelpText('after', examples('data list'))
    .action(() =>
      reportFailure(async () => {
        const { ARCHIVES } = await import('../backtest/archives/archives.ts')
        const lines = Object.entries(ARCHIVES).map(([name, { about, hasChecksums }]) => {
          const how = hasChecksums
            ? 'with a SHA-256 beside each'
            : 'without checksums: the first SHA-256 is noted'
          return `${name.padEnd(14)}  ${about}, ${how}`
        })
        lines.push(
          `${'ccxt:NAME'.padEnd(14)}  candles and funding rates of any exchange of the package ccxt, page by page`,
        )
        process.stdout.write(`${lines.join('\n')}\n`)
      }),
    )
}

function fetchCommand(): Command {
  return new Command('fetch')
    .description(
      'fetch months of an archive, each checked against its SHA-256, or of any exchange of the package ccxt; what is there is kept',
    )
    .requiredOption('--exchange <name>', 'an archive; `margin-core data list` has them; or ccxt:NAME')
    .requiredOption('--symbol <symbol>', 'such as BTCUSDT; of ccxt such as BTC/USDT:USDT')
    .option('--interval <interval>', 'length of the candles', '1m')
    .option('--funding', 'the funding rates instead of the prices, where there are any')
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
      ),
    )
    .action((options: FetchOptions) => reportFailure(() => fetchData(options)))
}

const CCXT = 'ccxt:'

async function fetchData({ out, to, ...asked }: FetchOptions): Promise<void> {
  const request = { ...asked, to: to ?? asked.from }
  if (request.exchange.startsWith(CCXT)) return fetchPages(request, out)
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

async function fetchPages(request: CcxtRequest, out: string | undefined): Promise<void> {
  const [{ ccxtExchange }, { ccxtFolder, fetchCcxt }, { count }] = await Promise.all([
    import('../backtest/archives/ccxt.ts'),
    import('../backtest/archives/fetchCcxt.ts'),
    import('../backtest/output/presentation.ts'),
  ])
  const exchange = await ccxtExchange(request.exchange.slice(CCXT.length), process.cwd())
  const folder = out ?? ccxtFolder(request)
  const progress = new Progress(request.symbol)
  const around = { now: new Date(), onRows: (rows: number, month: string) => progress.update(rows, month) }
  try {
    for await (const { name, became, rows, expected } of fetchCcxt(exchange, request, folder, around)) {
      const of =
        rows === null || expected === null || rows >= expected
          ? ''
          : `, ${count(rows)} of ${count(expected)} candles`
      process.stdout.write(`${folder}/${name}: ${became}${of}\n`)
    }
  } finally {
    progress.end()
  }
}

function checkCommand(): Command {
  return new Command('check')
    .description(
      'gaps, rows that cannot be used, jumps and flat stretches; exit code 1 where rows are missing or bad',
    )
    .argument('<data...>', 'a file, several in the order of their time, or a folder')
    .option('--funding <file>', 'a file of funding rates, looked through for holes')
    .option('--json', 'print everything as JSON')
    .addHelpText(
      'after',
      examples('data check BTCUSDT-1m --funding BTCUSDT-funding.csv', 'data check btc.csv.gz --json'),
    )
    .action((data: string[], options: CheckOptions) => reportFailure(() => checkFiles(data, options)))
}

async function checkFiles(data: readonly string[], { funding, json }: CheckOptions): Promise<void> {
  const [{ openFeed }, { readFunding }, { fundingIntervalOf }, { checkData, fundingHoles }] =
    await Promise.all([
      import('../backtest/feed/openFeed.ts'),
      import('../backtest/feed/funding.ts'),
      import('../backtest/feed/fundingSchedule.ts'),
      import('../backtest/archives/checkData.ts'),
    ])
  const check = await checkData(await openFeed({ path: oneOrSeveral(data), onBadRow: 'skip' }))
  const rates = funding === undefined ? null : await readFunding({ path: funding })
  const { from, to, intervalMs } = check
  const period = from === null || to === null ? null : { from, to: to + (intervalMs ?? 0) }
  const holes = rates === null ? null : fundingHoles(rates.time, fundingIntervalOf(rates), period)
  const { gaps, skipped } = check.summary
  if (gaps + skipped + (holes?.holes.length ?? 0) > 0) process.exitCode = 1
  const text = json
    ? JSON.stringify({ ...check, funding: holes }, null, 2)
    : (await checkLines(check, holes)).join('\n')
  process.stdout.write(`${text}\n`)
}

async function checkLines(check: DataCheck, funding: FundingHoles | null): Promise<string[]> {
  const { count, moment, share, span } = await import('../backtest/output/presentation.ts')
  const { kind, intervalMs, from, to, summary, jumps, jumpsInAll, longestFlat, emptyDays } = check
  const { rows, skipped, firstSkipped, gaps, missingBars, largestGap } = summary
  const period = from === null || to === null ? '' : `, ${moment(from)} to ${moment(to)} UTC`
  return [
    `${count(rows)} ${kind}${intervalMs === null ? '' : ` of ${span(intervalMs)}`}${period}`,
    ...(kind === 'bars'
      ? [gaps === 0 ? 'no gaps' : `${count(missingBars)} bar(s) missing in ${count(gaps)} gap(s)`]
      : []),
    ...(largestGap === null
      ? []
      : [
          `${kind === 'bars' ? '  the largest' : 'longest time without a tick'}: ${span(largestGap.to - largestGap.from)} from ${moment(largestGap.from)}`,
        ]),
    ...(emptyDays.length === 0 ? [] : [emptyDaysLine(emptyDays)]),
    skipped === 0
      ? 'no row that cannot be used'
      : `${count(skipped)} row(s) that cannot be used, the first of them:`,
    ...firstSkipped.map(({ file, line, reason }) => `  ${file}:${line}: ${reason}`),
    jumpsInAll === 0
      ? 'no jumps'
      : `${count(jumpsInAll)} jump(s) of more than 40 ordinary changes, the largest:`,
    ...jumps.map(
      ({ time, of, change, times }) =>
        `  ${moment(time)}: ${share(change)}, ${times.toFixed(0)} ordinary ones${of === 'price' ? '' : `, its ${of} alone`}`,
    ),
    `longest stretch at one price: ${count(longestFlat)} row(s)`,
    ...(funding === null ? [] : fundingLines(funding, { count, moment, span })),
  ]
}

function emptyDaysLine(days: readonly string[]): string {
  const named = days.length > 5 ? [...days.slice(0, 5), `and ${days.length - 5} more`] : days
  return `${days.length} day(s) without a tick: ${named.join(', ')}`
}

type Words = Pick<typeof import('../backtest/output/presentation.ts'), 'count' | 'moment' | 'span'>

function fundingLines({ rates, intervalMs, holes }: FundingHoles, { count, moment, span }: Words): string[] {
  const every = intervalMs === null ? '' : `, one every ${span(intervalMs)}`
  return [
    `${count(rates)} funding rates${every}, ${holes.length === 0 ? 'no holes' : `${count(holes.length)} hole(s):`}`,
    ...holes.slice(0, 10).map(({ from, to }) => `  none between ${moment(from)} and ${moment(to)}`),
  ]
}

function convertCommand(): Command {
  return new Command('convert')
    .description('write prices of any format that is read as one CSV, all digits kept; gzipped by its name')
    .argument('<data...>', 'a file, several in the order of their time, or a folder')
    .requiredOption('--out <file>', 'where to write it: .csv or .csv.gz', csvName)
    .option(
      '--interval <interval>',
      'longer bars, such as 1h: those that lie within the data; ticks become bars',
    )
    .option('--from <time>', 'leave out what is before: ISO 8601, UTC')
    .option('--to <time>', 'leave out that time and what is after')
    .addOption(
      new Option('--on-bad-row <what>', 'what a bad row does (default: fail)').choices(['fail', 'skip']),
    )
    .addHelpText('after', examples('data convert BTCUSDT-1m --out btc-hours.csv.gz --interval 1h'))
    .action((data: string[], options: ConvertOptions) => reportFailure(() => convertFiles(data, options)))
}

function csvName(file: string): string {
  if (/\.csv(\.gz)?$/.test(file)) return file
  throw new InvalidArgumentError('It must end with .csv or .csv.gz; other forms are read, not written.')
}

async function convertFiles(data: readonly string[], options: ConvertOptions): Promise<void> {
  const [{ openFeed }, { writeCsv }, { feedWithin }, { periodOf }] = await Promise.all([
    import('../backtest/feed/openFeed.ts'),
    import('../backtest/archives/convert.ts'),
    import('../backtest/run/period.ts'),
    import('../backtest/plan/options.ts'),
  ])
  const { from, to } = periodOf(options)
  const feed = await openFeed({ path: oneOrSeveral(data), onBadRow: options.onBadRow ?? 'fail' })
  const rows = await writeCsv(feedWithin(feed, from, to), options.out, options.interval)
  const { skipped } = feed.summary()
  const left = skipped === 0 ? '' : `, ${skipped} row(s) skipped`
  process.stdout.write(`${options.out}: ${rows} rows${left}\n`)
}

function cacheCommand(): Command {
  return new Command('cache')
    .description('where columns of files that were read are kept, how many and how large')
    .option('--clear', 'remove them all')
    .addHelpText('after', examples('data cache', 'data cache --clear'))
    .action((options: { readonly clear?: boolean }) => reportFailure(() => tellCache(options.clear === true)))
}

async function tellCache(clear: boolean): Promise<void> {
  const [{ dataCacheFolder }, { cachedFiles, clearCache }] = await Promise.all([
    import('../backtest/plan/dataCache.ts'),
    import('../backtest/feed/cache/cachedFiles.ts'),
  ])
  const folder = dataCacheFolder()
  if (folder === null) {
    process.stdout.write('no columns are kept: MARGIN_CORE_CACHE is off\n')
    return
  }
  const files = await cachedFiles(folder)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (clear) await clearCache(folder)
  const done = clear ? ' removed' : ''
  process.stdout.write(`${folder}: ${files.length} file(s), ${(size / 1e6).toFixed(1)} MB${done}\n`)
}

function oneOrSeveral(data: readonly string[]): string | readonly string[] {
  const [only] = data
  return data.length === 1 && only !== undefined ? only : data
}
