// A live run on a venue in this process, whose clock and prices are the test's: nothing happens between two steps of it.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import type { JournalEntry } from '../../../../src/backtest/live/journal.ts'
import { JournalFile } from '../../../../src/backtest/live/journalFile.ts'
import { LiveContext } from '../../../../src/backtest/live/liveContext.ts'
import type { LiveOptions } from '../../../../src/backtest/live/liveOptions.ts'
import { journalBegin, runLive } from '../../../../src/backtest/live/liveRun.ts'
import { resumedHead } from '../../../../src/backtest/live/resumedHead.ts'
import { streamOf } from '../../../../src/backtest/live/streamOf.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { MarginTradingClient } from '../../../../src/client/index.ts'
import type { Event } from '../../../../src/events/event.ts'
import { fp9 } from '../../../../src/index.ts'
import { ALICE, BTC, CONFIGURATION, market, startVenue, type VenueUnderTest } from '../../../host/venue.ts'

const MINUTE_MS = 60_000
const SETTINGS = {
  ...{ spread: '300000', feeRate: '800000', scalpingWindowMs: 180_000, scalpingCoefficient: '1500000000' },
  ...{ maxPriceAgeMs: 600_000, fundingIntervalMs: 3_600_000, fundingRate: '1000000', minNotional: '0' },
}
const TOLD: ReadonlySet<Event['type']> = new Set([
  ...(['orderPlaced', 'orderExecuted', 'orderCanceled', 'orderFailed', 'increasePosition'] as const),
  ...(['closePosition', 'addMargin', 'removeMargin', 'payFunding', 'liquidate', 'forceClose'] as const),
])

/** Between two prices of a market that a stream tells, ms. */
const PACE_MS = 250

/** The clock by which venues pace the prices that they tell: that of the process, which each price of a rig takes further. */
const pace = {
  rigs: 0,
  aheadMs: 0,
  begin(): void {
    if (this.rigs++ > 0) return
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + this.aheadMs)
  },
  step(): void {
    this.aheadMs += PACE_MS
  },
  end(): void {
    if (--this.rigs === 0) vi.mocked(performance.now).mockRestore()
  },
}

export class LiveRig {
  readonly venue: VenueUnderTest
  readonly entries: JournalEntry[] = []
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'margin-core-rig-'))
  readonly file = path.join(this.#folder, 'live.jsonl')
  readonly #sleepers = new Set<() => void>()
  #journal: JournalFile | null = null
  #happened = 0
  #toldBefore = 0
  /** Hooks that are running. */
  #busy = 0

  private constructor(venue: VenueUnderTest) {
    this.venue = venue
    venue.venue.engine.subscribe(({ events }) => {
      for (const event of events)
        if (TOLD.has(event.type) && 'accountId' in event && event.accountId === ALICE.accountId)
          this.#happened += 1
    }, 'rig')
  }

  static async start(price = '50000'): Promise<LiveRig> {
    pace.begin()
    const markets = [market(BTC, 'BTC', 'crypto', SETTINGS)]
    const rig = new LiveRig(await startVenue({ ...CONFIGURATION, markets, rateLimit: null }))
    await rig.unseen(price)
    return rig
  }

  get now(): number {
    return this.venue.venue.engine.now
  }

  /** Runs a strategy while `script` moves the venue. */
  async run(strategy: Strategy, script: () => Promise<void>, more: Partial<LiveOptions> = {}): Promise<void> {
    const client = new MarginTradingClient({
      baseUrl: this.venue.venue.url,
      token: ALICE.key,
      retry: { wait: async () => {} },
    })
    const [stop, over] = [new AbortController(), new AbortController()]
    const context = await LiveContext.open(client, () => this.now)
    const stream = await streamOf(client, context.accountId, over.signal)
    if (stream === null) throw new Error('the venue has a stream')
    const head = existsSync(this.file) ? await resumedHead(this.file, undefined) : null
    const streamFrom = (from: number) =>
      client.stream({ accountIds: [context.accountId], from, signal: over.signal })
    const options: LiveOptions = {
      ...(head === null ? {} : { resume: { head, streamFrom } }),
      ...{ context, stream, assets: ['BTC'], intervalMs: MINUTE_MS, signal: stop.signal },
      strategy: this.#watched(strategy),
      sleep: () => new Promise((resolve) => this.#sleepers.add(resolve)),
      onEntry: (entry) => this.note(entry),
      ...more,
    }
    this.#journal = new JournalFile(this.file, (head) => journalBegin(options, head, true))
    const before = this.entries.length
    const run = runLive(options)
    try {
      await Promise.race([run, this.#begun(before).then(script)])
    } finally {
      stop.abort()
    }
    await run
    over.abort()
    this.#journal.close()
  }

  /** A price, which the run is told. */
  async price(text: string, ms = 10_000): Promise<void> {
    await this.unseen(text, ms)
    const [at, price] = [this.now, fp9(text)]
    await this.until(() =>
      this.entries.some((entry) => entry.type === 'price' && entry.at === at && entry.price === price),
    )
  }

  /** Something befalls the run that only whoever runs it knows of. */
  note(entry: JournalEntry): void {
    this.entries.push(entry)
    this.#journal?.add(entry)
  }

  /** The journal is gone. */
  forget(): void {
    rmSync(this.file)
    this.#toldBefore += this.entries.filter(({ type }) => type === 'event').length
    this.entries.length = 0
  }

  /** Time goes on to the end of the bar, without a price. */
  async endBar(): Promise<void> {
    const bars = this.#bars
    await this.advance(MINUTE_MS - (this.now % MINUTE_MS))
    await this.until(() => this.#bars > bars)
  }

  /** A price that another may have taken the place of before it is told. */
  async unseen(text: string, ms = 1_000): Promise<void> {
    pace.step()
    await this.venue.operate(
      { type: 'advanceTime', ms },
      { type: 'updatePrice', marketId: BTC, indexPrice: fp9(text).toString() },
    )
    this.#moved()
  }

  async advance(ms: number): Promise<void> {
    await this.venue.advance(ms)
    this.#moved()
  }

  /** Until something holds, everything that happened is told and no hook is running. */
  async until(holds: () => boolean): Promise<void> {
    await vi.waitFor(
      () => {
        if (!this.#isQuiet || !holds()) throw new Error('it does not hold')
      },
      { timeout: 20_000, interval: 20 },
    )
  }

  async close(): Promise<void> {
    await this.venue.venue.close()
    pace.end()
    rmSync(this.#folder, { recursive: true })
  }

  get #isQuiet(): boolean {
    const told = this.entries.reduce((count, { type }) => count + Number(type === 'event'), 0)
    return this.#busy === 0 && told === this.#happened - this.#toldBefore
  }

  get #bars(): number {
    return this.entries.filter(({ type }) => type === 'bar').length
  }

  #begun(since: number): Promise<void> {
    return this.until(() => this.entries.slice(since).some(({ type }) => type === 'price'))
  }

  /** Everything that waits for the clock looks at it. */
  #moved(): void {
    const sleepers = [...this.#sleepers]
    this.#sleepers.clear()
    for (const wake of sleepers) wake()
  }

  #watched(strategy: Strategy): Strategy {
    const busy = async (hook: () => unknown) => {
      this.#busy += 1
      try {
        await hook()
      } finally {
        this.#busy -= 1
      }
    }
    return {
      name: strategy.name,
      onStart: (context) => busy(() => strategy.onStart?.(context)),
      onTick: (tick, context) => busy(() => strategy.onTick?.(tick, context)),
      onBar: (bar, context) => busy(() => strategy.onBar?.(bar, context)),
      onEvent: (event, context) => busy(() => strategy.onEvent?.(event, context)),
      onEnd: (context) => busy(() => strategy.onEnd?.(context)),
    }
  }
}
