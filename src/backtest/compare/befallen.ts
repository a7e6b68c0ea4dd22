/** Why a live fill is not the backtest's: what befell the run while it was asked for, or between the two. */

import type { JournalAsked, JournalEntry } from '../live/journal.ts'
import { span } from '../output/presentation.ts'
import type { FillLog, LoggedFill } from '../replay/fillLog.ts'
import type { ToldMarket } from './fillDifference.ts'
import { type FillPair, timeOf } from './pairedFills.ts'

/** What a pair differs by, or why it is none, in the words of a table. */
type Befell =
  | 'refused'
  | 'fate unknown'
  | 'connection lost'
  | 'missed bars'
  | 'waited'
  | 'delay'
  | 'price not told'
  | 'other size'
  | 'other spread'
  | 'other fees'
  | 'other funding'
  | 'follows'
  | 'only one asked'

export interface Reason {
  readonly befell: Befell
  readonly what: string
}

interface Window {
  readonly befell: 'connection lost' | 'missed bars'
  readonly asset: string | null
  /** By the venue's clock, epoch ms. */
  readonly from: number
  to: number
  readonly what: string
}

export class Befallen {
  readonly #windows: Window[] = []
  readonly #asked = new Map<number, JournalAsked[]>()
  /** By order. */
  readonly #accepted = new Map<string, readonly [asked: JournalAsked, step: number]>()
  readonly #waits = new Map<number, string[]>()
  #lost: Window | null = null
  #isBack = false
  /** Of the venue's clock. */
  #lastAt = 0

  /** Call with every entry; `step` is the number of the price or bar that the run was told last. */
  add(entry: JournalEntry, step: number, intervalMs: number): void {
    switch (entry.type) {
      case 'asked':
        this.#note(entry, step)
        return
      case 'waited':
        this.#waits.set(step, [...(this.#waits.get(step) ?? []), `${span(entry.ms)}: ${entry.why}`])
        return
      case 'lost':
        if (this.#lost !== null) return
        this.#isBack = false
        this.#lost = {
          befell: 'connection lost',
          asset: null,
          from: this.#lastAt,
          to: Number.POSITIVE_INFINITY,
          what: '',
        }
        this.#windows.push(this.#lost)
        return
      case 'run':
        // The run before it has ended without it.
        if (!entry.isContinued) this.#isBack = true
        return
      case 'back':
        this.#isBack = true
        return
      case 'missing': {
        const from = Math.floor(entry.at / intervalMs - entry.bars) * intervalMs
        const what = `${entry.bars} bar(s) without a price`
        this.#windows.push({ befell: 'missed bars', asset: entry.asset, from, to: entry.at, what })
        return
      }
      case 'price':
        // What happened meanwhile is told first; the first price shows the venue's time.
        if (this.#lost !== null && this.#isBack) {
          this.#lost.to = entry.at
          this.#lost = null
          this.#isBack = false
        }
        this.#lastAt = entry.at
        return
      case 'event':
        if (entry.event.type === 'orderFailed') this.#failed(entry.event.orderId, entry.event.errorCode)
        if (this.#lost === null) this.#lastAt = entry.at
        return
      default:
        return
    }
  }

  #note(asked: JournalAsked, step: number): void {
    this.#asked.set(step, [...(this.#asked.get(step) ?? []), asked])
    if (asked.orderId !== null) this.#accepted.set(asked.orderId, [asked, step])
  }

  /** An order that was taken and could not be filled is as good as refused. */
  #failed(orderId: string, answer: string): void {
    const [asked, step] = this.#accepted.get(orderId) ?? []
    if (asked !== undefined && step !== undefined) this.#note({ ...asked, answer }, step)
  }

  /** Why a pair is not the same on both sides. */
  reasonOf(
    pair: FillPair,
    asset: string,
    logs: { readonly live: FillLog; readonly backtest: FillLog },
    told: ToldMarket,
  ): Reason {
    const { live, backtest } = pair
    return (
      (live === null ? this.refusal(backtest, asset, logs.backtest) : null) ??
      this.#window(pair, asset) ??
      (live === null ? null : this.#wait(live, logs.live)) ??
      (live === null || backtest === null
        ? { befell: 'only one asked', what: '' }
        : differing(live, backtest, told))
    )
  }

  /** What was answered to the order that the backtest filled, where the venue did not take it. */
  refusal(fill: LoggedFill, asset: string, log: FillLog): Reason | null {
    const step = fill.orderId === null ? null : log.placedAt(fill.orderId)
    const asked = (step === null ? undefined : this.#asked.get(step)) ?? []
    const refused = asked.find(
      (one) =>
        one.answer !== 'accepted' &&
        (one.asset === null || one.asset === asset) &&
        (one.side === null || one.side === fill.side),
    )
    if (refused === undefined) return null
    return refused.answer === 'unknown'
      ? { befell: 'fate unknown', what: `no answer to ${refused.action}` }
      : { befell: 'refused', what: `${refused.action}: ${refused.answer}` }
  }

  #window(pair: FillPair, asset: string): Reason | null {
    const from = timeOf(pair)
    const to = Math.max(pair.live?.at ?? 0, pair.backtest?.at ?? 0)
    const { live, backtest } = pair
    if (live !== null && backtest !== null && live.at === backtest.at && live.price === backtest.price)
      return null
    const found = this.#windows.find(
      (window) => (window.asset === null || window.asset === asset) && window.from < to && from <= window.to,
    )
    return found === undefined ? null : { befell: found.befell, what: found.what }
  }

  #wait(fill: LoggedFill, log: FillLog): Reason | null {
    const step = fill.orderId === null ? null : log.placedAt(fill.orderId)
    const what = (step === null ? undefined : this.#waits.get(step)) ?? []
    return what.length === 0 ? null : { befell: 'waited', what: what.join('; ') }
  }
}

function differing(live: LoggedFill, backtest: LoggedFill, told: ToldMarket): Reason {
  const ms = live.at - backtest.at
  const what = ms === 0 ? '' : `${Math.abs(ms).toLocaleString('en-US')} ms ${ms > 0 ? 'later' : 'earlier'}`
  if (live.indexPrice !== told.priceAt(live.at)) return { befell: 'price not told', what }
  if (ms !== 0) return { befell: 'delay', what }
  if (live.size !== backtest.size) return { befell: 'other size', what }
  if (live.price !== backtest.price) return { befell: 'other spread', what }
  return { befell: live.fee === backtest.fee ? 'other funding' : 'other fees', what }
}
