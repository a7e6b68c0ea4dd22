/**
 * A receiver that is told of commits: each at least once, in the order of the log, the next only when the one before has been
 * taken or given up. It follows the log at its own pace, so nobody waits for it, and where it is stands in its cursor.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../engine/engine.ts'
import { reasonOf } from '../../engine/notices.ts'
import { VERSION } from '../../version.ts'
import { bodiesOf, type WebhookType } from './webhookEvents.ts'

/** A receiver as it is configured. */
export interface WebhookConfiguration {
  readonly url: string
  /** Signs what it is told. */
  readonly secret: string
  readonly types: readonly WebhookType[]
}

/** Where a receiver is, as it is kept. */
export interface Cursor {
  /** Everything up to this commit has been taken, or given up. */
  readonly seq: number
  /** When the delivery after it was first tried, epoch ms of the wall clock; null where it was not, or is taken. */
  readonly firstFailedAt: number | null
}

/** Where cursors are kept. */
export interface CursorKeeper {
  /** Null where there is none yet. */
  read(): Promise<Cursor | null>
  write(cursor: Cursor): Promise<void>
}

/** How long anything is waited for, ms. */
export interface WebhookPace {
  /** Before the second attempt; every further pause is twice as long. */
  readonly firstPause: number
  readonly longestPause: number
  /** An attempt that takes longer has failed. */
  readonly timeout: number
  /** A delivery that was first tried so long ago is given up. */
  readonly patience: number
  /** Between two times that a cursor is kept. */
  readonly keepEvery: number
}

const HOUR_MS = 3_600_000

export const WEBHOOK_PACE: WebhookPace = {
  firstPause: 1_000,
  longestPause: HOUR_MS,
  timeout: 10_000,
  patience: 72 * HOUR_MS,
  keepEvery: 1_000,
}

/** The clock of the machine; a test gives its own. */
export interface WebhookClock {
  /** Epoch ms. */
  readonly wall: () => number
  /** Resolves after so long, ms, or once the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const MACHINE: WebhookClock = {
  wall: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
}

/** How a receiver is told. */
export interface WebhookTerms {
  /** The shard whose log it is; default: there are none. */
  readonly shard?: number | undefined
  /** Default: {@link WEBHOOK_PACE}. */
  readonly pace?: WebhookPace | undefined
  /** Default: the machine's. */
  readonly clock?: WebhookClock | undefined
  /** Is told of a receiver that takes nothing, and of what is lost to it; default: nobody is. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** Failed attempts at one delivery, half a minute of them, until whoever runs the venue is told. */
const TOLD_AFTER = 6
/** Commits that nothing is told of are passed over for so long in one turn of the loop, ms. */
const PATIENCE_MS = 2

/** How a receiver stands. */
export interface WebhookStanding {
  /** Without query, which may hold a secret. */
  readonly url: string
  readonly types: readonly WebhookType[]
  /** Everything up to this commit has been taken, or given up. */
  readonly seq: number
  /** Durable commits after it. */
  readonly backlog: number
  /** Deliveries taken, and given up, since the process began. */
  readonly delivered: number
  readonly givenUp: number
  /** The commit of the last one that was given up since then; null: none was. */
  readonly givenUpSeq: number | null
  /** Attempts at the delivery that is due that have failed; 0 = none. */
  readonly attempts: number
  readonly firstFailedAt: number | null
  /** When it is tried again, epoch ms; null while nothing fails. */
  readonly nextAttemptAt: number | null
  /** What the last failure was, whether or not it has been overcome; null = there was none. */
  readonly lastError: string | null
  /** When that was, epoch ms. */
  readonly lastErrorAt: number | null
}

/** `t=SECONDS,v1=HEX`: HMAC-SHA256 under the secret of the seconds, a point and the body. */
function signatureOf(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

export class Webhook {
  readonly #engine: Engine
  readonly #configuration: WebhookConfiguration
  readonly #keeper: CursorKeeper
  /** Undefined where there are none. */
  readonly #shard: number | undefined
  readonly #pace: WebhookPace
  readonly #clock: WebhookClock
  readonly #onNotice: (notice: string) => void
  readonly #leaving = new AbortController()
  /** What ends the attempt that is made now, or was made last. */
  #underWay: AbortController | null = null
  #cursor: Cursor
  #kept: Cursor | null
  #keptAt = 0
  #delivered = 0
  #givenUp = 0
  #givenUpSeq: number | null = null
  #attempts = 0
  #nextAttemptAt: number | null = null
  #lastError: { readonly text: string; readonly at: number } | null = null
  readonly #running: Promise<void>

  private constructor(
    engine: Engine,
    configuration: WebhookConfiguration,
    keeper: CursorKeeper,
    { shard, pace = WEBHOOK_PACE, clock = MACHINE, onNotice = () => {} }: WebhookTerms,
    kept: Cursor | null,
  ) {
    this.#engine = engine
    this.#configuration = configuration
    this.#keeper = keeper
    this.#shard = shard
    this.#pace = pace
    this.#clock = clock
    this.#onNotice = onNotice
    this.#cursor = kept ?? { seq: engine.durableHead, firstFailedAt: null }
    this.#kept = kept
    this.#running = this.#run()
  }

  /** Goes on where its cursor is; one that has none is told what happens from now on. */
  static async begin(
    engine: Engine,
    configuration: WebhookConfiguration,
    keeper: CursorKeeper,
    terms: WebhookTerms = {},
  ): Promise<Webhook> {
    const webhook = new Webhook(engine, configuration, keeper, terms, await keeper.read())
    await webhook.#keep()
    return webhook
  }

  get standing(): WebhookStanding {
    return {
      url: this.#address,
      types: this.#configuration.types,
      seq: this.#cursor.seq,
      backlog: this.#engine.durableHead - this.#cursor.seq,
      delivered: this.#delivered,
      givenUp: this.#givenUp,
      givenUpSeq: this.#givenUpSeq,
      attempts: this.#attempts,
      firstFailedAt: this.#cursor.firstFailedAt,
      nextAttemptAt: this.#nextAttemptAt,
      lastError: this.#lastError?.text ?? null,
      lastErrorAt: this.#lastError?.at ?? null,
    }
  }

  /** Without query. */
  get #address(): string {
    const { origin, pathname } = new URL(this.#configuration.url)
    return origin + pathname
  }

  /** Breaks off what is under way, which is told again later, and keeps the cursor. */
  async stop(): Promise<void> {
    this.#leaving.abort()
    this.#underWay?.abort()
    await this.#running
    await this.#keep()
  }

  async #run(): Promise<void> {
    const { signal } = this.#leaving
    let began = performance.now()
    try {
      for await (const commit of this.#engine.follow({ from: this.#cursor.seq + 1, signal })) {
        for (const body of bodiesOf(commit, this.#configuration.types, this.#shard))
          if (!(await this.#deliver(commit.seq, body))) return
        this.#cursor = { seq: commit.seq, firstFailedAt: null }
        if (this.#clock.wall() - this.#keptAt >= this.#pace.keepEvery) await this.#keep()
        if (performance.now() - began < PATIENCE_MS) continue
        await new Promise((resolve) => setImmediate(resolve))
        began = performance.now()
      }
    } catch (error) {
      this.#failed(`nothing more is told: ${reasonOf(error)}`)
    }
  }

  /** False where it was broken off. */
  async #deliver(seq: number, body: string): Promise<boolean> {
    for (let pause = this.#pace.firstPause; ; pause = Math.min(2 * pause, this.#pace.longestPause)) {
      const now = this.#clock.wall()
      const { firstFailedAt } = this.#cursor
      const failure = await this.#attempt(seq, body)
      if (this.#leaving.signal.aborted && failure !== null) return false
      if (failure === null) this.#taken()
      else this.#failed(failure)
      const isOver = firstFailedAt !== null && now - firstFailedAt >= this.#pace.patience
      if (failure !== null && isOver) this.#giveUp(seq, failure)
      if (failure === null || isOver) {
        this.#attempts = 0
        this.#nextAttemptAt = null
        this.#cursor = { ...this.#cursor, firstFailedAt: null }
        return true
      }
      this.#attempts += 1
      if (this.#attempts === TOLD_AFTER)
        this.#onNotice(`webhook ${this.#address}: commit ${seq} is not taken, and is tried again: ${failure}`)
      this.#nextAttemptAt = this.#clock.wall() + pause
      this.#cursor = { ...this.#cursor, firstFailedAt: firstFailedAt ?? now }
      await this.#keep()
      await this.#clock.wait(pause, this.#leaving.signal)
      if (this.#leaving.signal.aborted) return false
    }
  }

  /** What went wrong; null where it was taken. */
  async #attempt(seq: number, body: string): Promise<string | null> {
    const { url, secret } = this.#configuration
    // A timer of its own: that of `AbortSignal.timeout` within `AbortSignal.any` is lost where garbage is collected meanwhile
    // (https://github.com/nodejs/node/issues/57736), and who never answers would be waited for.
    const late = new AbortController()
    const { timeout } = this.#pace
    const timer = setTimeout(() => late.abort(new Error(`timeout: no answer within ${timeout} ms`)), timeout)
    this.#underWay = late
    if (this.#leaving.signal.aborted) late.abort()
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'user-agent': `margin-core/${VERSION}`,
          'margin-core-id': String(seq),
          ...(this.#shard !== undefined && { 'margin-core-shard': String(this.#shard) }),
          'margin-core-signature': signatureOf(secret, Math.floor(this.#clock.wall() / 1_000), body),
        },
        body,
        signal: late.signal,
      })
      // What it says besides is not read; where it breaks off while saying it, it has answered all the same.
      response.body?.cancel().catch(() => {})
      return response.ok ? null : `it answered ${response.status}`
    } catch (error) {
      const { cause } = error as { cause?: unknown }
      return reasonOf(cause ?? error)
    } finally {
      clearTimeout(timer)
    }
  }

  #taken(): void {
    this.#delivered += 1
    if (this.#attempts >= TOLD_AFTER)
      this.#onNotice(`webhook ${this.#address}: it takes what it is told again`)
  }

  /** It is told no more of this delivery: whoever runs the venue is told that, and of which commit. */
  #giveUp(seq: number, failure: string): void {
    this.#givenUp += 1
    this.#givenUpSeq = seq
    this.#onNotice(
      `webhook ${this.#address}: what commit ${seq} holds for it was given up after ${this.#pace.patience / HOUR_MS} hours: ${failure}`,
    )
  }

  /** A cursor that cannot be kept is only older than it need be: what came after it is told again. */
  async #keep(): Promise<void> {
    const { seq, firstFailedAt } = this.#cursor
    if (seq === this.#kept?.seq && firstFailedAt === this.#kept.firstFailedAt) return
    this.#kept = this.#cursor
    this.#keptAt = this.#clock.wall()
    try {
      await this.#keeper.write({ seq, firstFailedAt })
    } catch (error) {
      this.#failed(`its cursor could not be kept: ${reasonOf(error)}`)
    }
  }

  #failed(text: string): void {
    this.#lastError = { text, at: this.#clock.wall() }
  }
}
