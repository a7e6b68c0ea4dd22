/** `margin-core backtest --live`: the strategy on a venue, until it is interrupted. What it does is told on stdout, a line each. */
import { setMaxListeners } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import type { LateOrder } from '../backtest/live/actionWatch.ts'
import type { JournalEntry, JournalHead } from '../backtest/live/journal.ts'
import type { JournalFile } from '../backtest/live/journalFile.ts'
import type { LiveOptions } from '../backtest/live/liveOptions.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { Strategy } from '../backtest/strategy/strategy.ts'
import type { AccountRecord } from '../projections/accountRecord.ts'
import { formatInstant } from '../projections/wire.ts'
import { formatDecimal } from '../quantity/decimal.ts'
import type { MarketStatus } from '../terms/marketStatus.ts'
import { UsageError } from './failure.ts'
import { type PlanOptions, planOf } from './planOptions.ts'
import { outliveListener } from './toldProgress.ts'
import type { ToldStanding } from './toldStanding.ts'
import { venueKey } from './venueKey.ts'

/** Two minutes of a venue that is away: it starts again within them. A market order is not sent again for so long. */
const ATTEMPTS = 12
const MARKET_WITHIN_S = 10

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export interface LiveRunOptions extends PlanOptions {
  readonly key?: string
  readonly keyFile?: string
  readonly interval: number
  /** The longest time between the data of a warm-up and now, ms. */
  readonly warmUpGap?: number
  /** Seconds. */
  readonly orderWithin?: number
  readonly onExit?: 'keep' | 'flatten'
  /** A folder. */
  readonly keepModels?: string
  readonly journal?: string
  /** MiB. */
  readonly journalSize?: number
  readonly journalFiles?: number
}

export async function live(options: LiveRunOptions, url: string): Promise<void> {
  if (options.journal === undefined) return runOn(options, url)
  const { lockJournal } = await import('../backtest/live/journalLock.ts')
  const letGo = await lockJournal(options.journal)
  try {
    await runOn(options, url)
  } finally {
    await letGo()
  }
}

async function runOn(options: LiveRunOptions, url: string): Promise<void> {
  const [
    { MarginTradingClient },
    { LiveContext },
    { journalBegin, runLive },
    { withBarsTold },
    { streamOf },
    { JournalFile },
    { preparePlan, optionsOf },
    { strategyFilesOf },
    { pastNotes },
    { ModelKeeper },
    { toldStanding },
  ] = await Promise.all([
    import('../client/index.ts'),
    import('../backtest/live/liveContext.ts'),
    import('../backtest/live/liveRun.ts'),
    import('../backtest/live/barsTold.ts'),
    import('../backtest/live/streamOf.ts'),
    import('../backtest/live/journalFile.ts'),
    import('../backtest/plan/options.ts'),
    import('../backtest/replay/journalStrategy.ts'),
    import('../backtest/live/pastNotes.ts'),
    import('./modelKeeper.ts'),
    import('./toldStanding.ts'),
  ])
  const key = await venueKey(options, (text) => process.stderr.write(`${text}\n`))
  const plan = await planOf(options)
  mustHavePast(options, plan)
  const prepared = await preparePlan(plan)
  const keeper = options.keepModels === undefined ? null : await ModelKeeper.in(options.keepModels)
  const { strategy, models } = { ...optionsOf(plan, prepared), ...keeper?.of(prepared.models) }
  const say = (text: string) => process.stderr.write(`${formatInstant(Date.now())} ${text}\n`)
  let journal: JournalFile | null = null
  let standing: ToldStanding | null = null
  let status: AccountRecord['status'] | null = null
  const note = (entry: JournalEntry) => {
    journal?.add(entry)
    standing?.add(entry)
    // A run may be killed: what it has learned by then is kept.
    if (entry.type === 'fitting' || (entry.type === 'fit' && entry.fit !== null))
      keeper?.save().catch((error: Error) => say(error.message))
    if (entry.type === 'run') status = entry.account.status
    if (entry.type !== 'account' || entry.account.status === status) return
    status = entry.account.status
    say(`the account is ${status.replaceAll('_', ' ')} now`)
  }
  /** The journal has one clock, the venue's, once that is known. */
  let now = Date.now
  const onWait = (ms: number, why: string) => {
    say(`${why}: waiting ${ms / 1000} s`)
    note({ type: 'waited', at: now(), ms, why })
  }
  /** Fires with the end of a run that leaves everything as it is; to flatten takes the venue, for as long as it takes. */
  const giveUp = new AbortController()
  const retry = { attempts: ATTEMPTS, onWait, wait: sleepUntil(giveUp.signal), giveUp: giveUp.signal }
  const client = new MarginTradingClient({ baseUrl: url, token: key, retry })
  const { orderWithin = MARKET_WITHIN_S } = options
  const context = await LiveContext.open(client, Date.now, undefined, 1_000 * orderWithin, models ?? null)
  now = () => context.venueNow
  standing = toldStanding(context, 1_000 * options.interval)
  const head = await headBefore(options.journal, strategy)
  const stop = new AbortController()
  // A run that is behind waits for the ends of all its bars at once.
  setMaxListeners(0, stop.signal)
  const end = () => {
    notInterrupted()
    outliveListener()
    stop.abort()
    if (options.onExit !== 'flatten') giveUp.abort()
    say('ending once what is under way is done; a second Ctrl-C ends at once, and leaves everything as it is')
  }
  const notInterrupted = () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
  for (const signal of SIGNALS) process.on(signal, end)
  process.stdout.write(`live on ${url}, account ${context.accountId}: ${strategy.name}\n`)
  // It outlives the run: so what flattening does is told as well.
  const over = new AbortController()
  const connection = new ConnectionWatch(() => context.venueNow, say, note)
  const stream = await streamOf(client, context.accountId, over.signal, {
    onConnection: (isConnected, reason) => connection.told(isConnected, reason),
  })
  if (stream === null && plan.portfolio !== undefined)
    throw new UsageError('a portfolio needs a venue with a stream: only that tells whose share has filled')
  if (stream === null)
    say('note: this venue has no stream: prices are polled every 2 s, and onEvent is not called')
  const streamFrom = (from: number) =>
    client.stream({ accountIds: [context.accountId], from, signal: over.signal })
  const onMissedEvents = (events: number | null) =>
    say(
      events === null
        ? 'the journal goes on; what happened meanwhile the venue can no longer tell'
        : `the journal goes on; ${events} event(s) of orders and positions happened meanwhile`,
    )
  const run: LiveOptions = {
    context,
    ...(stream === null ? {} : { stream }),
    ...(stream === null || head === null ? {} : { resume: { head, streamFrom, onMissedEvents } }),
    ...(options.warmUp === undefined
      ? {}
      : {
          warmUp: {
            feeds: prepared.markets.map(({ feed }) => feed),
            spanMs: options.warmUp,
            ...(options.warmUpGap === undefined ? {} : { gapMs: options.warmUpGap }),
            onWarmedUp: (past) => pastNotes(past).forEach(say),
          },
        }),
    ...{ venue: url, plan, files: await strategyFilesOf(plan), onEntry: note, onRefused: say },
    strategy: withBarsTold(strategy, (bar) => {
      if (context.warmUp.isOn) return
      const equity = formatDecimal(context.equity(), 2)
      process.stdout.write(
        `${formatInstant(bar.closeTime)} ${bar.asset} ${formatDecimal(bar.close)}, ${context.positions().length} open, equity ${equity}\n`,
      )
    }),
    assets: plan.markets.map(({ asset }) => asset),
    intervalMs: 1_000 * options.interval,
    sleep: sleepUntil(stop.signal),
    signal: stop.signal,
    onExit: options.onExit ?? 'keep',
    onMissingBars: (asset, bars) => say(`${asset}: ${bars} bar(s) without a price`),
    onMarketStatus: (asset, status) => say(`${asset}: ${STATUS_TEXT[status]}`),
    onLateBars: (asset, ms) => say(lateText(asset, ms)),
    onFitAwaited: (asset, model, ms) => say(awaitedText(asset, model, ms)),
    onLateOrder: (late) => say(fateText(late, orderWithin)),
  }
  if (options.journal !== undefined)
    journal = new JournalFile(options.journal, (at) => journalBegin(run, at, true), {
      ...(options.journalSize === undefined ? {} : { partBytes: options.journalSize * 1_048_576 }),
      ...(options.journalFiles === undefined ? {} : { parts: options.journalFiles }),
    })
  const stays = () => {
    const [orders, positions] = [context.orders().length, context.positions().length]
    return orders + positions === 0
      ? 'nothing is open'
      : `${positions} position(s) and ${orders} order(s) stay open on the venue (--on-exit flatten ends them)`
  }
  try {
    await runLive(run)
    process.stdout.write(`stopped; ${stays()}\n`)
  } catch (error) {
    // What cannot be reached any more is told as it was last heard of.
    say(`the run has failed; ${stays()}`)
    throw error
  } finally {
    notInterrupted()
    over.abort()
    journal?.close()
    standing?.end()
    await keeper?.save()
  }
}

const STATUS_TEXT: Readonly<Record<MarketStatus, string>> = {
  open: 'the venue has opened the market; it takes orders again',
  paused: 'the venue has paused the market; it takes no orders',
  close_only: 'the venue closes the market; it takes closes at market alone',
}

/** A warm-up is told from data. @throws UsageError where there is none, or it is drawn. */
function mustHavePast({ warmUp }: LiveRunOptions, { markets }: RunPlan): void {
  if (warmUp === undefined) return
  for (const { asset, data, simulate } of markets) {
    if (data === undefined)
      throw new UsageError(`--warm-up tells the strategy of data before now: give --data for ${asset}`)
    if (simulate !== undefined)
      throw new UsageError(
        `--warm-up tells the strategy of what ${asset} was, and not of what is drawn from it`,
      )
  }
}

/** Where an earlier run of the journal was cut off; null where there was none. */
async function headBefore(file: string | undefined, strategy: Strategy): Promise<JournalHead | null> {
  if (file === undefined || !existsSync(file) || statSync(file).size === 0) return null
  const { resumedHead } = await import('../backtest/live/resumedHead.ts')
  return resumedHead(file, strategy.parts)
}

function lateText(asset: string, ms: number): string {
  if (ms === 0) return `${asset}: bars are told in time again`
  return `${asset}: bars are told ${(ms / 1_000).toFixed(1)} s late: the strategy takes longer than they come, or has waited for the venue`
}

function awaitedText(asset: string, model: string, ms: number | null): string {
  return ms === null
    ? `${asset}: the fit of ${model} is to be used and is not done: its bar waits for it`
    : `${asset}: the fit of ${model} is done, ${(ms / 1_000).toFixed(1)} s later than it was to be used`
}

function fateText({ action, asset, side, orderId, ms }: LateOrder, seconds: number): string {
  const fate = orderId === null ? 'it was not placed' : `it was placed, order ${orderId}`
  const order = [asset, action, side].filter((word) => word !== null).join(' ')
  return `${order}: a market order without an answer is not sent again after ${seconds} s; ${(ms / 1_000).toFixed(1)} s after it was decided the venue says that ${fate}`
}

/** Waits so long, and not a moment longer than the run. */
function sleepUntil(signal: AbortSignal): (ms: number) => Promise<void> {
  return (ms) =>
    new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', settle)
        resolve()
      }
      const timer = setTimeout(settle, ms)
      signal.addEventListener('abort', settle)
    })
}

/** A stream that is lost, and made again. */
class ConnectionWatch {
  readonly #say: (text: string) => void
  readonly #note: (entry: JournalEntry) => void
  readonly #now: () => number
  #lostAt: number | null = null

  constructor(now: () => number, say: (text: string) => void, note: (entry: JournalEntry) => void) {
    this.#now = now
    this.#say = say
    this.#note = note
  }

  told(isConnected: boolean, why?: string): void {
    const at = this.#now()
    if (!isConnected) {
      this.#lostAt = at
      this.#say(`the stream is lost${why === undefined ? '' : ` (${why})`}; connecting again`)
      this.#note({ type: 'lost', at, ...(why === undefined ? {} : { why }) })
      return
    }
    if (this.#lostAt === null) return
    const ms = at - this.#lostAt
    this.#lostAt = null
    this.#say(`the stream is there again, after ${(ms / 1_000).toFixed(1)} s`)
    this.#note({ type: 'back', at, ms })
  }
}
