/**
 * Which fill of a live run is which of its backtest. Those are the same whose orders the strategy asked for at the same price or bar.
 * Of the others, which the platform made or the strategy asked for when it heard of a fill, those of positions that belong together,
 * in their order; and then openings within a few bars of each other.
 */
import type { FillLog, LoggedFill, LoggedPosition } from '../replay/fillLog.ts'

/** A live fill, the backtest's, or both. */
export type FillPair =
  | { readonly live: LoggedFill; readonly backtest: LoggedFill }
  | { readonly live: LoggedFill; readonly backtest: null }
  | { readonly live: null; readonly backtest: LoggedFill }

/** Openings that are no further apart may be the same one, bars. */
const NEAR_BARS = 10

export interface PairedLogs {
  readonly live: FillLog
  readonly backtest: FillLog
  /** Length of a bar. */
  readonly intervalMs: number
  /** Whether the live run is known not to have got what the backtest filled. */
  isRefused(fill: LoggedFill): boolean
}

/** All fills but those of positions from before the run, in the order of time. */
export function pairedFills(logs: PairedLogs): FillPair[] {
  const pairing = new Pairing(logs)
  pairing.byOrder()
  pairing.byPosition()
  pairing.byTime()
  return pairing.pairs().sort((one, other) => timeOf(one) - timeOf(other))
}

/** When the first fill of a pair was. */
export function timeOf({ live, backtest }: FillPair): number {
  return Math.min(live?.at ?? Number.POSITIVE_INFINITY, backtest?.at ?? Number.POSITIVE_INFINITY)
}

class Pairing {
  readonly #logs: PairedLogs
  readonly #live: readonly LoggedPosition[]
  readonly #backtest: readonly LoggedPosition[]
  readonly #pairs: FillPair[] = []
  readonly #taken = new Set<LoggedFill>()
  /** By live position: the backtest's that belongs to it. */
  readonly #links = new Map<LoggedPosition, LoggedPosition>()
  readonly #linked = new Set<LoggedPosition>()

  constructor(logs: PairedLogs) {
    this.#logs = logs
    this.#live = logs.live.positions.filter(({ carried }) => carried === null)
    this.#backtest = logs.backtest.positions
  }

  byOrder(): void {
    const { live, backtest } = this.#logs
    const waiting = new Map<string, [LoggedFill, LoggedPosition][]>()
    for (const position of this.#backtest)
      for (const fill of position.fills) {
        const key = orderKey(fill, backtest)
        if (key === null) continue
        const same = waiting.get(key) ?? []
        same.push([fill, position])
        waiting.set(key, same)
      }
    for (const position of this.#live)
      for (const fill of position.fills) {
        const key = orderKey(fill, live)
        const found = key === null ? undefined : waiting.get(key)?.shift()
        if (found === undefined) continue
        this.#pair(fill, found[0])
        this.#link(position, found[1])
      }
  }

  byPosition(): void {
    for (const [one, other] of this.#links) this.#pairWithin(one, other)
  }

  byTime(): void {
    const nearMs = NEAR_BARS * this.#logs.intervalMs
    for (const one of this.#live) {
      const opening = one.fills[0]
      if (opening === undefined || this.#links.has(one) || this.#taken.has(opening)) continue
      let nearest: LoggedPosition | null = null
      let least = nearMs
      for (const other of this.#backtest) {
        const entry = other.fills[0]
        if (entry === undefined || this.#linked.has(other) || this.#taken.has(entry)) continue
        if (other.marketId !== one.marketId || other.side !== one.side || this.#logs.isRefused(entry))
          continue
        const ms = Math.abs(entry.at - opening.at)
        if (ms > least) continue
        least = ms
        nearest = other
      }
      if (nearest === null) continue
      this.#link(one, nearest)
      this.#pairWithin(one, nearest)
    }
  }

  pairs(): FillPair[] {
    const left = (positions: readonly LoggedPosition[]) =>
      positions.flatMap(({ fills }) => fills.filter((fill) => !this.#taken.has(fill)))
    return [
      ...this.#pairs,
      ...left(this.#live).map((live) => ({ live, backtest: null })),
      ...left(this.#backtest).map((backtest) => ({ live: null, backtest })),
    ]
  }

  /** Those that are left, entries with entries and exits with exits, in their order. */
  #pairWithin(one: LoggedPosition, other: LoggedPosition): void {
    for (const isEntry of [true, false]) {
      const left = ({ fills }: LoggedPosition) =>
        fills.filter((fill) => fill.isEntry === isEntry && !this.#taken.has(fill))
      const others = left(other).filter((fill) => !this.#logs.isRefused(fill))
      for (const [index, fill] of left(one).entries()) {
        const backtest = others[index]
        if (backtest !== undefined) this.#pair(fill, backtest)
      }
    }
  }

  #pair(live: LoggedFill, backtest: LoggedFill): void {
    this.#pairs.push({ live, backtest })
    this.#taken.add(live)
    this.#taken.add(backtest)
  }

  #link(one: LoggedPosition, other: LoggedPosition): void {
    if (this.#links.has(one) || this.#linked.has(other)) return
    this.#links.set(one, other)
    this.#linked.add(other)
  }
}

/** Two fills of the same key are the same; null where nobody asked for an order. */
function orderKey(fill: LoggedFill, log: FillLog): string | null {
  const step = fill.orderId === null ? null : log.placedAt(fill.orderId)
  if (step === null) return null
  return [fill.marketId, fill.side, fill.isEntry, fill.reason, fill.part ?? '', step].join(' ')
}
