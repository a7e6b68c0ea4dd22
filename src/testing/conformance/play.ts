/** The same requests to a host and to the model, one after the other, on accounts and markets that nobody else uses. */
import { differencesOf, Pairs } from './comparing.ts'
import { Conversation } from './conversation.ts'
import { type Answer, type Exchange, type Step, withNames } from './exchange.ts'
import { type Models, type ModelVenue, modelVenue } from './model.ts'
import { Names } from './names.ts'
import type { Subject } from './subject.ts'

const [SECOND, MINUTE] = [1_000, 60_000]
/** The rate limits of the interface (I5). */
const LIMITS = { second: 10, minute: 60 }

/** A play under way. */
export class Play {
  readonly #model: ModelVenue
  readonly #modelSide: Conversation
  readonly #hostSide: Conversation
  readonly #pairs = new Pairs()
  readonly #names: Names
  readonly #paced: boolean
  readonly #counted = new Map<
    string,
    { second: number; inSecond: number; minute: number; inMinute: number }
  >()
  #now: number

  private constructor(subject: Subject, model: ModelVenue, names: Names, now: number, hurried: boolean) {
    this.#model = model
    this.#names = names
    this.#now = now
    this.#paced = subject.rateLimited && !hurried
    this.#modelSide = new Conversation(model.host, names.of)
    this.#hostSide = new Conversation(subject.host, names.of)
    for (const id of Object.values(subject.users)) this.#pairs.same(id)
  }

  /**
   * Begins at a full minute of the host's clock, with the rates of all keys unused. Where the host has rate limits, time
   * passes before they are reached, unless the play is `hurried`: then the model has them too.
   */
  static async begin(subject: Subject, models: Models, hurried = false): Promise<Play> {
    const { at, nonce } = await subject.nextStage()
    const model = await (hurried ? modelVenue(at, subject.users, true) : models.at(at, subject.users))
    return new Play(subject, model, new Names(nonce, subject.users), at, hurried)
  }

  /** The time of the venue, epoch ms. */
  get now(): number {
    return this.#now
  }

  get names(): Names {
    return this.#names
  }

  get model(): ModelVenue {
    return this.#model
  }

  /** @throws NoAnswer when the host gives none. */
  async ask(step: Step): Promise<Exchange> {
    if (this.#paced) await this.#keepToTheRate(step)
    const sent = { ...step, body: this.#timed(step.body) }
    const [expected, got] = await Promise.all([this.#modelSide.ask(sent), this.#hostSide.ask(sent)])
    for (const id of this.#names.ids.values()) this.#pairs.same(id)
    this.#now += elapsed(sent.body, expected)
    const compared = {
      expected: this.#ofTheStage(expected, step.among),
      got: this.#ofTheStage(got, step.among),
    }
    const differences = differencesOf(compared.expected, compared.got, this.#pairs)
    return { step: sent, ...compared, differences }
  }

  end(): Promise<void> {
    return this.#model.close()
  }

  /** `{until 86400000 -1}` is the milliseconds to the next full day, less one. */
  #timed(body: unknown): unknown {
    return typeof body === 'string'
      ? body
      : withNames(body, (name) => {
          const [, every, offset] = /^until (\d+) (-?\d+)$/.exec(name) ?? []
          if (every === undefined) return `{${name}}`
          return (Math.floor(this.#now / Number(every)) + 1) * Number(every) + Number(offset) - this.#now
        })
  }

  #ofTheStage(answer: Answer, among: string | undefined): Answer {
    if (among === undefined || !Array.isArray(answer.body)) return answer
    const staged = new Set(this.#names.ids.values())
    return { ...answer, body: answer.body.filter((item) => staged.has(item?.[among])) }
  }

  /** Lets time pass before a request that the rate limit would refuse. */
  async #keepToTheRate({ as, method }: Step): Promise<void> {
    if (as === 'operator' || as === 'nobody') return
    const bucket = `${as} ${method === 'GET' ? 'read' : 'write'}`
    const used = this.#usedNow(bucket)
    const full = used.inMinute >= LIMITS.minute ? MINUTE : used.inSecond >= LIMITS.second ? SECOND : null
    if (full !== null) {
      const ms = full - (this.#now % full)
      const wait: Step = {
        label: 'pause',
        as: 'operator',
        method: 'POST',
        path: '/operator/commands',
        body: { type: 'advanceTime', ms },
      }
      await this.#modelSide.ask(wait)
      await this.#hostSide.ask(wait)
      this.#now += ms
    }
    const counted = this.#usedNow(bucket)
    counted.inSecond += 1
    counted.inMinute += 1
  }

  #usedNow(bucket: string) {
    const [second, minute] = [Math.floor(this.#now / SECOND), Math.floor(this.#now / MINUTE)]
    const held = this.#counted.get(bucket) ?? { second, inSecond: 0, minute, inMinute: 0 }
    if (held.second !== second) Object.assign(held, { second, inSecond: 0 })
    if (held.minute !== minute) Object.assign(held, { minute, inMinute: 0 })
    this.#counted.set(bucket, held)
    return held
  }
}

/** How far a request has moved the clock. */
function elapsed(body: unknown, { body: answered }: Answer): number {
  const { type, ms } = (body ?? {}) as { type?: unknown; ms?: unknown }
  if (type !== 'advanceTime' || typeof ms !== 'number') return 0
  const { results } = answered as { results?: readonly { ok?: boolean }[] }
  return results?.[0]?.ok === true ? ms : 0
}
