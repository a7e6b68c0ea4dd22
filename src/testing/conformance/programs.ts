/**
 * Random programs: the intents of the generators, aimed at the edges by what the model knows, as requests to a host. What
 * differs is shown by as few requests as can be found.
 */
import { createHash } from 'node:crypto'
import type { Memory } from '../aim/scene.ts'
import { nextInstant } from '../aim/time.ts'
import { Dice } from '../dice.ts'
import { type Intent, type IntentKind, interpret, KINDS, type Program, ROLLS } from '../kinds.ts'
import { Model } from '../model.ts'
import { VENUE_ACCOUNTS, VENUE_MARKETS } from '../venue.ts'
import { attribution } from './attribution.ts'
import type { Exchange, Step } from './exchange.ts'
import { modelVenue } from './model.ts'
import { Play } from './play.ts'
import { requestFor } from './requests.ts'
import { STAGE } from './script.ts'
import type { Subject } from './subject.ts'

/** Intents of one program. */
const LENGTH = 40
/** How often a shorter list of requests is tried before the shortest so far is shown. */
const ATTEMPTS = 150

/** The program of a number: the same for the same seed. */
export function seededProgram(seed: string, number: number): Program {
  const kinds = Object.entries(KINDS) as [IntentKind, readonly [weight: number, unknown]][]
  const weights = kinds.map(([kind, [weight]]) => [weight, kind] as const)
  return Array.from({ length: LENGTH }, (_, at): Intent => {
    const digest = createHash('sha512').update(`${seed} ${number} ${at}`).digest()
    const rolls = Array.from({ length: ROLLS + 1 }, (_, roll) => digest.readUInt16BE(2 * roll))
    return { kind: new Dice(rolls).weighted(weights), dice: rolls.slice(1) }
  })
}

/** What was asked, up to the first difference; `differing` is false where there was none. */
export interface ProgramRun {
  readonly exchanges: readonly Exchange[]
  readonly differing: boolean
}

/** Runs a program against a host and a model that is begun for it. */
export async function runProgram(subject: Subject, program: Program): Promise<ProgramRun> {
  const play = await Play.begin(subject, { at: (at, users) => modelVenue(at, users, false) })
  const run = new RunningProgram(play, subject)
  try {
    await run.stage()
    for (const intent of program) await run.intend(intent)
    await run.look()
    return { exchanges: run.exchanges, differing: false }
  } catch (error) {
    if (error instanceof Differs) return { exchanges: run.exchanges, differing: true }
    throw error
  } finally {
    await play.end()
  }
}

class Differs extends Error {}

/** A program under way. */
class RunningProgram {
  readonly exchanges: Exchange[] = []
  readonly #play: Play
  readonly #subject: Subject
  readonly #model = new Model()
  readonly #memory: Memory = { keyed: [], home: new Map() }
  readonly #places = new Map<string, string>()
  #folded = 0

  constructor(play: Play, subject: Subject) {
    this.#play = play
    this.#subject = subject
  }

  async stage(): Promise<void> {
    for (const market of VENUE_MARKETS) await this.#give({ type: 'configureMarket', market }, STAGE)
    for (const account of VENUE_ACCOUNTS) await this.#give({ type: 'openAccount', account }, STAGE)
    for (const { id, indexPrice } of this.#model.markets.values()) this.#memory.home.set(id, indexPrice)
  }

  async intend(intent: Intent): Promise<void> {
    const model = this.#model
    const dice = new Dice(intent.dice)
    const at = nextInstant(model, dice, this.#memory)
    for (const input of interpret(intent, { model, dice, memory: this.#memory, at })) {
      if (input.at > this.#play.now) await this.#give({ type: 'advanceTime', ms: input.at - this.#play.now })
      const { command, caller } = input
      await this.#give(command, undefined, caller)
    }
    await this.#lookAtOne()
  }

  /** Everything there is to read, of every account. */
  async look(): Promise<void> {
    for (const name of this.#accounts()) {
      await this.#read(name, `/accounts/{${name}}/risk-status`)
      await this.#read(name, `/positions/{${name}}/portfolio/history`)
      for (const market of VENUE_MARKETS)
        await this.#read(name, `/orders/{${name}}/{asset${market.baseAsset}}/history`)
    }
  }

  /** The orders and positions of the account of the last commit, or of each in turn. */
  async #lookAtOne(): Promise<void> {
    const touched = this.#play.model.commits.at(-1)?.events.find((event) => 'accountId' in event)
    const all = this.#accounts()
    const names = this.#play.names.ids
    const last = all.find((name) => touched !== undefined && names.get(name) === accountOf(touched))
    const name = last ?? (all[this.exchanges.length % all.length] as string)
    await this.#read(name, `/orders/{${name}}/active`)
    await this.#read(name, `/positions/{${name}}/active`)
    await this.#read(name, `/accounts/{${name}}/risk-status`)
  }

  #accounts(): string[] {
    return [...this.#play.names.ids.keys()].filter((name) => name.startsWith('account'))
  }

  async #read(account: string, path: string): Promise<void> {
    const id = this.#play.names.ids.get(account) as string
    const owner = this.#model.accounts.get(id)?.parameters.userId
    const as = owner === this.#subject.users.other ? 'other' : 'trader'
    await this.#ask({ label: this.#label(), as, method: 'GET', path })
  }

  async #give(
    command: Parameters<typeof requestFor>[1]['command'],
    label = this.#label(),
    caller?: Parameters<typeof requestFor>[1]['caller'],
  ): Promise<void> {
    const { users } = this.#subject
    const nameOf = (id: string) => this.#nameOf(id)
    const step = requestFor(
      label,
      { command, ...(caller && { caller }) },
      { model: this.#model, users, nameOf },
    )
    if (step !== null) await this.#ask(step)
  }

  #label(): string {
    return `r${this.exchanges.length}`
  }

  #nameOf(id: string): string | undefined {
    for (const [name, given] of this.#play.names.ids) if (given === id) return `{${name}}`
    const { user, other } = this.#subject.users
    if (id === user) return '{user}'
    return id === other ? '{other}' : this.#places.get(id)
  }

  async #ask(step: Step): Promise<void> {
    const exchange = await this.#play.ask(step)
    this.exchanges.push(exchange)
    if (exchange.differences.length > 0) throw new Differs()
    this.#remember(exchange.expected.body, step.label)
    this.#fold()
  }

  /** Where ids are first answered is what they are called. */
  #remember(value: unknown, place: string): void {
    if (typeof value === 'string') {
      if (/^[0-9a-f-]{36}$/.test(value) && !this.#places.has(value)) this.#places.set(value, `{${place}}`)
    } else if (typeof value === 'object' && value !== null)
      for (const [name, held] of Object.entries(value)) this.#remember(held, `${place}.${name}`)
  }

  #fold(): void {
    const { commits } = this.#play.model
    for (const { at, events, seq } of commits.slice(this.#folded)) {
      for (const event of events) this.#model.fold(event, at)
      this.#model.seq = seq
      this.#model.now = at
    }
    this.#folded = commits.length
  }
}

function accountOf(event: object): unknown {
  return (event as { readonly accountId?: unknown }).accountId
}

/**
 * Fewer requests that come upon the same rule: parts of the list are left out, large ones first, as long as what is left still
 * does. Every attempt is a play of its own.
 */
export async function shortest(subject: Subject, found: readonly Exchange[]): Promise<readonly Exchange[]> {
  const { rule } = attribution(found.at(-1) as Exchange)
  let best = found
  let attempts = 0
  for (let part = Math.ceil(best.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let end = best.length - 1; end > 0 && attempts < ATTEMPTS; end -= part) {
      const from = Math.max(0, end - part)
      const steps = best.filter((_, at) => at < from || at >= end).map(({ step }) => step)
      attempts += 1
      const again = await replay(subject, steps)
      const last = again.at(-1)
      if (last !== undefined && last.differences.length > 0 && attribution(last).rule === rule) {
        best = again
        end = Math.min(end, best.length - 1 + part)
      }
    }
  }
  return best
}

async function replay(subject: Subject, steps: readonly Step[]): Promise<Exchange[]> {
  const play = await Play.begin(subject, { at: (at, users) => modelVenue(at, users, false) })
  const exchanges: Exchange[] = []
  try {
    for (const step of steps) {
      const exchange = await play.ask(step)
      exchanges.push(exchange)
      if (exchange.differences.length > 0) break
    }
    return exchanges
  } finally {
    await play.end()
  }
}
