/** `margin-core data`: prices from public archives, and what is wrong with them before anything is run. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { DataCheck, FundingHoles } from '../backtest/archives/checkData.ts'
import { fetchCommand } from './dataFetch.ts'
import { examples } from './examples.ts'
import { reportFailure } from './failure.ts'

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
          `${'ccxt:NAME'.padEnd(14)}  candles, funding rates and trades of any exchange of the package ccxt, page by page`,
        )
        process.stdout.write(`${lines.join('\n')}\n`)
      }),
    )
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
  const [{ openFeed }, { writeCsv }, { feedWithin }, { periodOf }, { plural }] = await Promise.all([
    import('../backtest/feed/openFeed.ts'),
    import('../backtest/archives/convert.ts'),
    import('../backtest/run/period.ts'),
    import('../backtest/plan/options.ts'),
    import('../backtest/output/presentation.ts'),
  ])
  const { from, to } = periodOf(options)
  const feed = await openFeed({ path: oneOrSeveral(data), onBadRow: options.onBadRow ?? 'fail' })
  const rows = await writeCsv(feedWithin(feed, from, to), options.out, options.interval)
  const { skipped } = feed.summary()
  const left = skipped === 0 ? '' : `, ${skipped} row(s) skipped`
  process.stdout.write(`${options.out}: ${rows} ${plural(rows, 'row')}${left}\n`)
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
