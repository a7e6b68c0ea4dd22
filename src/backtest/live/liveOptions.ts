/** What a live run is made of. */
import type { VenueStream } from '../../client/index.ts'
import type { MarketStatus } from '../../terms/marketStatus.ts'
import type { Feed } from '../feed/feed.ts'
import type { InputFile } from '../plan/inputFiles.ts'
import type { RunPlan } from '../plan/plan.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { LateOrder } from './actionWatch.ts'
import type { JournalEntry, JournalHead } from './journal.ts'
import type { LiveContext } from './liveContext.ts'
import type { ToldPast } from './toldPast.ts'

/** An earlier run that goes on. */
interface LiveResume {
  readonly head: JournalHead
  /** A stream of what came after a commit, by its sequence. */
  readonly streamFrom: (from: number) => VenueStream
  /** Told how many events of orders and positions happened since; null where the venue can no longer tell. */
  readonly onMissedEvents?: (events: number | null) => void
}

/** What a strategy is told before it trades. */
export interface LiveWarmUp {
  /** By market, in the order of the run: prices from before now. What comes later is left out; bars are as long as those of the run. */
  readonly feeds: readonly Feed[]
  /** How much of it is told, ms before now. */
  readonly spanMs: number
  /** The longest time that may lie between its end and now, ms. Default: sixty bars. */
  readonly gapMs?: number
  /** Told what it was, once the strategy has heard it. */
  readonly onWarmedUp?: (past: ToldPast) => void
}

/** What {@link runLive} runs. */
export interface LiveOptions {
  readonly context: LiveContext
  readonly strategy: Strategy
  /** Markets to follow. */
  readonly assets: readonly string[]
  /** Length of a bar. Default one minute. */
  readonly intervalMs?: number
  /**
   * The venue's stream of the context's account; without it prices are polled. One that ends with `signal` ends before the run
   * flattens; end it after the run and what flattening did is told and in the journal.
   */
  readonly stream?: VenueStream
  /** Where an earlier run of the journal was cut off; what came after it is told first. */
  readonly resume?: LiveResume
  /** What the strategy is told before it trades. Default: nothing. */
  readonly warmUp?: LiveWarmUp
  /** Told of everything before the strategy is, for a journal. */
  readonly onEntry?: (entry: JournalEntry) => void
  /** Where the venue is, and how the run was made, for the journal. */
  readonly venue?: string
  /** For the journal: with it the run can be compared with a backtest. */
  readonly plan?: RunPlan
  /** For the journal: the strategy's files with their hashes. */
  readonly files?: readonly InputFile[]
  /** Time between two polls. Default 2 s: half of what a key may read in a minute. */
  readonly pollMs?: number
  /** Waits so many ms; that of `node:timers/promises`, or of a test. */
  readonly sleep: (ms: number) => Promise<void>
  /** Ends the run. */
  readonly signal: AbortSignal
  /** Whether what is open when the run ends, in whatever way, stays so, or is cancelled and closed. Default `keep`. */
  readonly onExit?: 'keep' | 'flatten'
  /** What the run itself asked for was refused: the trailing stop of an entry that has filled. */
  readonly onRefused?: (what: string) => void
  /** A market order had no answer in time; told once the venue says what became of it. */
  readonly onLateOrder?: (late: LateOrder) => void
  /** Intervals of a market passed without a price being seen, and have no bar. */
  readonly onMissingBars?: (asset: string, bars: number) => void
  /** A market takes no orders any more, or closes alone, or all of them again. */
  readonly onMarketStatus?: (asset: string, status: MarketStatus) => void
  /** A fit of a model is to be used and is not done, so that its bar waits for it: null as that begins, and how long it was, ms, as it ends. */
  readonly onFitAwaited?: (asset: string, model: string, ms: number | null) => void
  /** A bar is told so many ms after its end, which is more than a bar is long; 0 once bars are told in time again. */
  readonly onLateBars?: (asset: string, ms: number) => void
}
