/** What befell a live run, and has no place in a backtest. */
import type { MarketStatus } from '../../terms/marketStatus.ts'
import { span } from '../output/presentation.ts'
import type { JournalEntry } from './journal.ts'

/** The kinds, in the words of a table. */
type IncidentKind =
  | 'refused'
  | 'fate unknown'
  | 'missed bars'
  | 'late bars'
  | 'connection lost'
  | 'market paused'
  | 'market closing alone'
  | 'not running'
  | 'waited'
  | 'events not told'
  | 'torn line'
  | 'failed'

/** One of them. `at` is when it began, epoch ms. */
export interface Incident {
  readonly kind: IncidentKind
  readonly at: number
  /** How long it lasted, ms; 0 where it took no time. */
  readonly ms: number
  /** Null where it concerns all markets. */
  readonly asset: string | null
  readonly what: string
}

/** Finds them in a journal, entry by entry. */
export class IncidentLog {
  readonly incidents: Incident[] = []
  /** When the last entry was written. */
  #lastAt = 0
  #lostAt: number | null = null
  #lostWhy = ''
  /** Markets that are not open, and since when. */
  readonly #shut = new Map<string, { readonly at: number; readonly status: MarketStatus }>()
  #hasBegun = false

  /** Call with every entry, in their order; `intervalMs` is the length of a bar. */
  add(entry: JournalEntry, intervalMs: number): void {
    // Who was killed, or has failed, without a connection has never made it again: the next run has one of its own.
    if (entry.type === 'run' && !entry.isContinued) this.end()
    const incident = this.#incidentOf(entry, intervalMs)
    if (incident !== null) this.incidents.push(incident)
    this.#lastAt = Math.max(this.#lastAt, entry.at)
  }

  /** A line could not be read. */
  torn(file: string, line: number): void {
    this.incidents.push({ kind: 'torn line', at: this.#lastAt, ms: 0, asset: null, what: `${file}:${line}` })
  }

  /** The journal, or a run of it, ends: a connection that was lost is not there again. */
  end(): void {
    for (const asset of [...this.#shut.keys()]) {
      const shut = this.#reopened(asset, this.#lastAt, 'and not opened again')
      if (shut !== null) this.incidents.push(shut)
    }
    if (this.#lostAt === null) return
    const ms = this.#lastAt - this.#lostAt
    this.incidents.push({
      kind: 'connection lost',
      at: this.#lostAt,
      ms,
      asset: null,
      what: `${this.#lostWhy}and not made again`,
    })
    this.#lostAt = null
  }

  #reopened(asset: string, at: number, what: string): Incident | null {
    const shut = this.#shut.get(asset)
    if (shut === undefined) return null
    this.#shut.delete(asset)
    const kind = shut.status === 'paused' ? 'market paused' : 'market closing alone'
    return { kind, at: shut.at, ms: at - shut.at, asset, what }
  }

  #incidentOf(entry: JournalEntry, intervalMs: number): Incident | null {
    const { at } = entry
    switch (entry.type) {
      case 'run': {
        const isRestart = this.#hasBegun && !entry.isContinued
        this.#hasBegun = true
        if (!isRestart) return null
        const ms = Math.max(0, at - this.#lastAt)
        return {
          kind: 'not running',
          at: this.#lastAt,
          ms,
          asset: null,
          what: `begun again after ${span(ms)}`,
        }
      }
      case 'asked': {
        if (entry.answer === 'accepted') return null
        const { asset, tookMs: ms, action, side, part } = entry
        const kind = entry.answer === 'unknown' ? 'fate unknown' : 'refused'
        const what = [part, action, side, entry.answer].filter((word) => word !== null && word !== undefined)
        return { kind, at, ms, asset, what: what.join(' ') }
      }
      case 'missing': {
        const from = Math.floor(at / intervalMs - entry.bars) * intervalMs
        return {
          kind: 'missed bars',
          at: from,
          ms: entry.bars * intervalMs,
          asset: entry.asset,
          what: `${entry.bars} without a price`,
        }
      }
      case 'late':
        return {
          kind: 'late bars',
          at,
          ms: entry.ms,
          asset: entry.asset,
          what: `told ${span(entry.ms)} after its end`,
        }
      case 'waited':
        return { kind: 'waited', at, ms: entry.ms, asset: null, what: entry.why }
      case 'lost':
        this.#lostWhy = entry.why === undefined ? '' : `${entry.why}, `
        this.#lostAt ??= at
        return null
      case 'market': {
        const { asset, status } = entry
        const shut = this.#reopened(asset, at, `until it was ${status === 'open' ? 'open again' : status}`)
        if (status !== 'open') this.#shut.set(asset, { at, status })
        return shut
      }
      case 'back': {
        const from = this.#lostAt ?? at - entry.ms
        this.#lostAt = null
        return {
          kind: 'connection lost',
          at: from,
          ms: entry.ms,
          asset: null,
          what: `${this.#lostWhy}made again after ${span(entry.ms)}`,
        }
      }
      case 'untold':
        return {
          kind: 'events not told',
          at,
          ms: 0,
          asset: null,
          what: 'the venue could no longer tell them',
        }
      case 'end':
        return entry.error === null ? null : { kind: 'failed', at, ms: 0, asset: null, what: entry.error }
      default:
        return null
    }
  }
}
