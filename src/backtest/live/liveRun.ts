/**
 * A strategy on a live host: prices are told as ticks, and gathered into bars of the clock's own intervals. They come from the
 * venue's stream, with everything that happens to the account, or are polled where it has none. A bar holds the prices that were seen,
 * so it begins with the first one inside it; an interval without one has no bar.
 */
import { StreamEnded, type StreamMessage, type VenueStream, VenueUnreachable } from '../../client/index.ts'
import { VERSION } from '../../version.ts'
import { LearningFailure } from '../learned/learningFailure.ts'
import { JOURNAL_FORMAT, type JournalBegin, type JournalHead } from './journal.ts'
import { JournaledFits } from './journaledFits.ts'
import { LiveError } from './liveError.ts'
import type { LiveOptions } from './liveOptions.ts'
import { type Heard, LiveTold } from './liveTold.ts'
import { type PlannedPast, plannedPast, warmedUp } from './liveWarmUp.ts'
import { MessageQueue } from './messageQueue.ts'
import { missedEvents } from './missedEvents.ts'
import { refusedInWords } from './refusedInWords.ts'
import { streamEndedInWords } from './streamEndedInWords.ts'

export type { LiveOptions } from './liveOptions.ts'

const INTERVAL_MS = 60_000
const POLL_MS = 2_000

/**
 * Runs until the signal.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const served = await serveVenue({ configuration: { ...configuration, rateLimit: null }, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: served.url, token: apiKey })
 * const context = await LiveContext.open(client, () => Date.now())
 * const stop = new AbortController()
 * const sleep = async () => stop.abort() // or that of node:timers/promises, and Ctrl-C
 * await runLive({ context, strategy: breakout({ asset: 'BTC' }), assets: ['BTC'], sleep, signal: stop.signal })
 * await served.close()
 * ```
 *
 * @throws LiveError where the host cannot be reached or refuses to flatten, and where there is too little of what the strategy is to be
 * warmed up on; FeedError for data of it that cannot be read; RangeError for an asset that the venue does not list; LearningFailure for what
 * a model is learned by; and what the strategy throws.
 */
export async function runLive(options: LiveOptions): Promise<void> {
  const { context, stream, onEntry, signal } = options
  await context.refresh()
  context.only(options.assets)
  let error: string | null = null
  let hasBegun = false
  const noted: LiveOptions = {
    ...options,
    onEntry(entry) {
      if (entry.type === 'run') hasBegun = true
      onEntry?.(entry)
    },
  }
  const fits = new JournaledFits({
    onEntry: (entry) => onEntry?.(entry),
    onAwaited: (asset, model, ms) => options.onFitAwaited?.(asset, model, ms),
    clock: () => (context.warmUp.isOn ? null : context.venueNow),
  })
  context.watchLearned((learned) => fits.watch(learned))
  const leave = () => fits.leave()
  signal.addEventListener('abort', leave)
  try {
    if (stream === undefined) await polled(noted)
    else await streamed(noted, stream)
    fits.end()
    await context.refresh()
  } catch (caught) {
    const thrown = inWords(caught)
    error = thrown instanceof Error ? thrown.message : String(thrown)
    if (!(thrown instanceof LearningFailure)) fits.end()
    // How it stands is for whoever reads the journal, where the venue still says; one that is away was asked for long enough.
    if (!isUnreachable(thrown)) await context.refresh().catch(() => {})
    throw thrown
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
    const [positions, orders] = [context.positions().length, context.orders().length]
    const [at, account] = [context.venueNow, context.account()]
    // A journal begins with a run: what was refused before is told to whoever began it.
    if (hasBegun) onEntry?.({ type: 'end', at, error, account, positions, orders })
  }
}

function inWords(thrown: unknown): unknown {
  return thrown instanceof StreamEnded ? new LiveError(streamEndedInWords(thrown), { cause: thrown }) : thrown
}

function isUnreachable(thrown: unknown): boolean {
  return thrown instanceof LiveError && thrown.cause instanceof VenueUnreachable
}

/** Actions are for the journal; what they have caused is known before it is told. */
function watch({ context, strategy, onEntry, onLateOrder }: LiveOptions, waiting: readonly Heard[]): void {
  context.watch({
    asked: (entry) => onEntry?.(entry),
    asker: () => strategy.parts?.asker,
    late: (late) => onLateOrder?.(late),
    caused: (orderId) =>
      waiting.flatMap(({ event }) =>
        event !== null && 'orderId' in event && event.orderId === orderId ? [event] : [],
      ),
  })
}

/** What a journal begins with, and each of its files: how everything stands. */
export function journalBegin(
  options: LiveOptions,
  head: JournalHead | null,
  isContinued = false,
  past: PlannedPast | null = null,
): JournalBegin {
  const { context, assets, intervalMs = INTERVAL_MS, plan = null, venue = '' } = options
  return {
    type: 'run',
    at: context.venueNow,
    format: JOURNAL_FORMAT,
    software: `margin-core ${VERSION}`,
    venue,
    strategy: options.strategy.name,
    plan,
    ...(options.files === undefined ? {} : { files: options.files }),
    assets,
    intervalMs,
    head,
    account: context.account(),
    markets: assets.map((asset) => context.market(asset)),
    positions: context.positions(),
    orders: context.orders(),
    ...(past === null ? {} : { warmUp: past.told }),
    isContinued,
  }
}

/** What is to be told before the run, which begins at a time, epoch ms. */
async function pastBefore(options: LiveOptions, now: number): Promise<PlannedPast | null> {
  const { warmUp, assets, intervalMs = INTERVAL_MS } = options
  return warmUp === undefined ? null : plannedPast(warmUp, assets, intervalMs, now)
}

async function started(options: LiveOptions, told: LiveTold, past: PlannedPast | null): Promise<void> {
  const { context, strategy, intervalMs = INTERVAL_MS } = options
  if (past === null) await strategy.onStart?.(context)
  else told.goOnWith(await warmedUp(options, intervalMs, past))
}

async function polled(options: LiveOptions): Promise<void> {
  const { context, assets, signal, pollMs = POLL_MS, intervalMs = INTERVAL_MS } = options
  const told = new LiveTold(options, intervalMs, null)
  watch(options, [])
  const past = await pastBefore(options, context.now)
  options.onEntry?.(journalBegin(options, null, false, past))
  const ending = new Ending(options)
  try {
    await started(options, told, past)
    while (!signal.aborted) {
      await context.refreshMarkets()
      const time = context.now
      const refresh = async () => {
        await context.refresh()
        options.onEntry?.({ type: 'account', at: time, account: context.account() })
      }
      for (const asset of assets) told.status(asset, time)
      for (const asset of assets) await told.timeOf(asset, time, refresh)
      for (const asset of assets) await told.price(asset, time, context.market(asset).state.indexPrice)
      await options.sleep(pollMs)
    }
    await ending.asAsked()
  } catch (error) {
    await ending.afterFailure()
    throw error
  }
}

async function streamed(options: LiveOptions, stream: VenueStream): Promise<void> {
  const { context, assets, signal, intervalMs = INTERVAL_MS } = options
  const queue = new MessageQueue<Heard>()
  const told = new LiveTold(options, intervalMs, (heard) => queue.push(heard))
  watch(options, queue.waiting)
  context.follow(stream)
  void queue.readAll(stream, (message) => {
    context.told(message)
    return told.take(message)
  })
  const ending = new Ending(options)
  /** A stream that has ended cannot tell how flattening went. */
  const leaveEnded = () => {
    if (queue.isOver || stream.isEnded) context.leave()
  }
  try {
    const first = await queue.next(signal)
    if (first !== null) {
      const past = await pastBefore(options, first.at)
      const missed = await begun(options, first.message?.seq ?? 0, past)
      await started(options, told, past)
      for (const message of missed) await told.hear(told.take(message), assets)
      await told.hear(first, assets)
    }
    for (let heard = await queue.next(signal); heard !== null; heard = await queue.next(signal))
      await told.hear(heard, assets)
    leaveEnded()
    await ending.asAsked()
    for (let heard = queue.take(); heard !== undefined; heard = queue.take()) await told.hearAfterEnd(heard)
  } catch (error) {
    leaveEnded()
    if (await ending.afterFailure())
      for (let heard = queue.take(); heard !== undefined; heard = queue.take())
        await told.hearAfterEnd(heard).catch(() => {})
    throw error
  } finally {
    context.leave()
  }
}

/** The journal begins with a snapshot. @returns what happened since the run that was cut off before. */
async function begun(
  options: LiveOptions,
  seq: number,
  past: PlannedPast | null,
): Promise<readonly StreamMessage[]> {
  const { resume, onEntry, context } = options
  const missed = resume === undefined ? [] : await missedEvents(resume.streamFrom, resume.head, seq)
  const isToldOn = resume !== undefined && missed !== null
  const head = isToldOn ? resume.head : { seq: seq + 1, events: 0 }
  onEntry?.(journalBegin(options, head, false, past))
  if (missed === null) onEntry?.({ type: 'untold', at: context.venueNow })
  resume?.onMissedEvents?.(missed?.length ?? null)
  return missed ?? []
}

/** What becomes of what is open. */
class Ending {
  readonly #options: LiveOptions
  #hasFlattened = false

  constructor(options: LiveOptions) {
    this.#options = options
  }

  async asAsked(): Promise<void> {
    const { context, strategy } = this.#options
    await strategy.onEnd?.(context)
    await this.#flatten()
  }

  /** Whoever asked for an account without positions gets one whatever ends the run. @returns whether it was tried. */
  async afterFailure(): Promise<boolean> {
    const { onExit, onRefused } = this.#options
    if (onExit !== 'flatten' || this.#hasFlattened) return false
    await this.#flatten().catch((error: Error) => onRefused?.(error.message))
    return true
  }

  async #flatten(): Promise<void> {
    const { context, onExit } = this.#options
    if (onExit !== 'flatten') return
    this.#hasFlattened = true
    const flattened = await context.closeAll()
    if (!flattened.ok)
      throw new LiveError(`the account could not be flattened, ${refusedInWords(flattened.error)}`)
  }
}
