/** What the journal of a live run holds: everything the strategy was told and asked for, and what befell the run. */
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { PositionEvent } from '../../events/positionEvents.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Price, Quote } from '../../quantity/units.ts'
import type { MarketStatus } from '../../terms/marketStatus.ts'
import type { MadeFit } from '../learned/fitRecord.ts'
import type { InputFile } from '../plan/inputFiles.ts'
import type { RunPlan } from '../plan/plan.ts'
import type { Bar } from '../strategy/strategy.ts'
import type { ToldOrderEvent } from '../strategy/strategyEvent.ts'
import type { ToldPast } from './toldPast.ts'

/** Changes whenever a journal can no longer be read by older code. */
export const JOURNAL_FORMAT = 1

/** How far a venue's log has been told. */
export interface JournalHead {
  /** A commit: everything before it is told. */
  readonly seq: number
  /** Events of that commit that are told as well. */
  readonly events: number
}

/** A run begins, or a file of its journal: how it is made, and how everything stands. Times are epoch ms. */
export interface JournalBegin {
  readonly type: 'run'
  readonly at: number
  readonly format: typeof JOURNAL_FORMAT
  /** Name and version of what runs. */
  readonly software: string
  /** Where the venue is; empty where nobody said. */
  readonly venue: string
  /** What the strategy calls itself. */
  readonly strategy: string
  /** How the run was made; null where a program did not say. */
  readonly plan: RunPlan | null
  /** The strategy's files with their SHA-256; none where a program did not say. */
  readonly files?: readonly InputFile[]
  readonly assets: readonly string[]
  readonly intervalMs: number
  /** How far the venue's log is told by then; null where the venue has no stream. */
  readonly head: JournalHead | null
  readonly account: AccountRecord
  readonly markets: readonly MarketRecord[]
  readonly positions: readonly PositionRecord[]
  readonly orders: readonly OrderRecord[]
  /** What the strategy was told before it traded; only where a run begins, and there was something. */
  readonly warmUp?: ToldPast
  /** The journal goes on in another file: the run itself has begun before. */
  readonly isContinued: boolean
}

/** An action of the strategy, once the venue has answered it. */
export interface JournalAsked {
  readonly type: 'asked'
  /** When it was asked for, epoch ms. */
  readonly at: number
  readonly action: 'open' | 'close' | 'edit' | 'cancel' | 'changeMargin' | 'closeAll'
  /** Null where it concerns no market. */
  readonly asset: string | null
  /** Of what it opens or closes; null where it is neither. */
  readonly side: 'long' | 'short' | null
  /** The order that came of it; null where none did. */
  readonly orderId: string | null
  /** `accepted`, the code of the refusal, or `unknown` where no answer came. */
  readonly answer: string
  /** How long the answer took, ms. */
  readonly tookMs: number
  /** The strategy of a portfolio that asked. */
  readonly part?: string
}

/** What happened to an order or a position, as the strategy was told it. */
export interface JournalEvent {
  readonly type: 'event'
  /** By the venue's clock, epoch ms. */
  readonly at: number
  /** The commit of the venue. */
  readonly seq: number
  readonly event: PositionEvent | ToldOrderEvent
  /** Of the account, as far as it was told by then. */
  readonly equity: Quote
  /** The strategy of a portfolio that placed the order. */
  readonly part?: string
}

/** A model whose fits are told of. */
interface JournalModel {
  readonly asset: string
  readonly model: string
  /** Bars from a bar to its label. */
  readonly horizon: number
  readonly window: string
  readonly every: string
  /** How long after it is made a fit is used; only where it is not used at once. */
  readonly takesEffectAfter?: string
  /** Times that one was due by then and had too few rows. */
  readonly skipped: number
  /** What its scores are called. */
  readonly scores: readonly string[]
}

/** A fit of a model was begun, and is used later. Times are epoch ms. */
export interface JournalFitting extends JournalModel {
  readonly type: 'fitting'
  /** The last millisecond of the bar with which it was begun. */
  readonly at: number
  /** Rows it learns from. */
  readonly rows: number
  /** It is used from the first bar on that ends then or later. */
  readonly takesEffectAt: number
}

/** A fit of a model was due, or one that was begun earlier is used from now on. Times are epoch ms. */
export interface JournalFit extends JournalModel {
  readonly type: 'fit'
  /** The last millisecond of the bar with which it was due, or of the first for which it is used. */
  readonly at: number
  /** How long the run waited for it, ms; only where it did. */
  readonly waitedMs?: number
  /** Null where it was not made for want of rows. */
  readonly fit: MadeFit | null
}

/** What the predictions of a fit came to, as far as it is known by then. */
interface JournalForetold {
  readonly type: 'foretold'
  /** Epoch ms. */
  readonly at: number
  readonly asset: string
  readonly model: string
  /** When the fit was made, epoch ms. */
  readonly fittedAt: number
  /** How many there were of which the label became known. */
  readonly predictions: number
  /** Scores of these, any number each, by name. */
  readonly outOfSample: Readonly<Record<string, number | null>>
}

/** The run has ended. */
interface JournalEnd {
  readonly type: 'end'
  readonly at: number
  /** What ended it otherwise than was asked for; null where it was stopped. */
  readonly error: string | null
  readonly account: AccountRecord
  /** How many stay open. */
  readonly positions: number
  readonly orders: number
}

/** Something that a live run tells. Times are the venue's where it told them, epoch ms. */
export type JournalEntry =
  | JournalBegin
  | { readonly type: 'price'; readonly at: number; readonly asset: string; readonly price: Price }
  | { readonly type: 'bar'; readonly at: number; readonly bar: Bar; readonly head?: JournalHead }
  | JournalEvent
  /** What the venue says of the account; told after each change of it. */
  | { readonly type: 'account'; readonly at: number; readonly account: AccountRecord }
  | JournalAsked
  | JournalFitting
  | JournalFit
  | JournalForetold
  /** Intervals of a market passed without a price being seen. */
  | { readonly type: 'missing'; readonly at: number; readonly asset: string; readonly bars: number }
  /** The bar that ended at that time was told so many ms later; told as that begins, and as it doubles. */
  | { readonly type: 'late'; readonly at: number; readonly asset: string; readonly ms: number }
  /** Something was waited out: a rate limit, a venue that was away. */
  | { readonly type: 'waited'; readonly at: number; readonly ms: number; readonly why: string }
  /** The stream was lost; why, where the venue said. */
  | { readonly type: 'lost'; readonly at: number; readonly why?: string }
  /** A market takes no orders any more, or closes alone, or all of them again. */
  | { readonly type: 'market'; readonly at: number; readonly asset: string; readonly status: MarketStatus }
  /** It is there again, after so many ms. */
  | { readonly type: 'back'; readonly at: number; readonly ms: number }
  /** Events of the account that the venue could no longer tell when the run came back. */
  | { readonly type: 'untold'; readonly at: number }
  | JournalEnd
