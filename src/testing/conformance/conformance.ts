/**
 * Holds any host to the rules of the venue: the same requests go to it and to the venue of this package, and the answers
 * have to agree in all but the ids a host gives. What is asked is asked on accounts and markets of its own, listed and opened
 * through the operator surface, with the clock moved by hand; use a host that is there for it.
 */
import { attribution } from './attribution.ts'
import type { Case } from './case.ts'
import { CASES } from './cases/index.ts'
import type { HostAddress } from './conversation.ts'
import type { Exchange } from './exchange.ts'
import { KeptModel } from './model.ts'
import { Play } from './play.ts'
import { runProgram, seededProgram, shortest } from './programs.ts'
import { type ConformanceReport, Findings } from './report.ts'
import { RULES } from './rules.ts'
import { Script, STAGE } from './script.ts'
import { Subject } from './subject.ts'

/** How {@link conformance} goes about it. */
export interface ConformanceOptions {
  readonly host: HostAddress
  /** What the random programs follow from, and the ids of the stages. Default: `conformance`. */
  readonly seed?: string
  /** Only the cases of these rules; default: all. */
  readonly only?: readonly string[]
  /** Random programs, of some forty inputs each. Default: 20; none without keys. */
  readonly runs?: number
  /** Go on with random programs for so many minutes instead. */
  readonly minutes?: number
  /** Is told what is being asked. */
  readonly onProgress?: (progress: ConformanceProgress) => void
}

/** Where a run stands. */
export interface ConformanceProgress {
  /** Cases that have ended; later, random programs. */
  readonly done: number
  /** Of how many. */
  readonly total: number
  readonly doing: string
}

/**
 * Asks a host for every rule that requests can decide.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const steered = { clock: { mode: 'manual', start: at }, feed: null, rateLimit: null, operatorToken: 'mine' } as const
 * const served = await serveVenue({ configuration: { ...configuration, ...steered }, port: 0 })
 * const host = { url: served.url, operatorToken: 'mine', keys: [apiKey] }
 * const report = await conformance({ host, only: ['F9'], runs: 0 })
 * await served.close()
 * report.ok // → true
 * ```
 *
 * @throws NotAskable when the host cannot be asked as it is, NoAnswer when it does not answer, RangeError for a rule in `only`
 *   that is none, or that no case decides.
 */
export async function conformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { host, seed = 'conformance', only = null, runs = 20, minutes, onProgress = () => {} } = options
  const cases = casesOf(only)
  const subject = await Subject.meet(host, seed)
  const findings = new Findings()
  const model = new KeptModel()
  try {
    for (const [done, one] of cases.entries()) {
      onProgress({ done, total: cases.length, doing: `${one.rule} ${one.name}` })
      const why = unaskable(one, subject)
      if (why === null) await decide(one, subject, model, findings)
      else findings.cannotAsk(one.rule, why)
    }
  } finally {
    await model.close()
  }
  const until = minutes === undefined ? null : Date.now() + minutes * 60_000
  const programs =
    host.keys.length === 0
      ? NO_PROGRAMS
      : await runPrograms(subject, findings, { seed, runs, until, onProgress })
  const rules = findings.rules()
  return {
    url: subject.host.url,
    seed,
    ok: rules.every(({ verdict }) => verdict !== 'broken'),
    rules,
    programs,
  }
}

function casesOf(only: readonly string[] | null): readonly Case[] {
  if (only === null) return CASES
  const none = only.filter((rule) => !(rule in RULES))
  if (none.length > 0) throw new RangeError(`no rule ${none.join(', ')}; docs/rules.md lists all`)
  const undecided = only.filter((rule) => !CASES.some((one) => one.rule === rule))
  if (undecided.length > 0) throw new RangeError(`no case decides ${undecided.join(', ')}`)
  return CASES.filter(({ rule }) => only.includes(rule))
}

const NO_PROGRAMS = { run: 0, requests: 0, differing: 0 }

interface ProgramOptions {
  readonly seed: string
  readonly runs: number
  /** Epoch ms; null = as many as `runs` says. */
  readonly until: number | null
  readonly onProgress: (progress: ConformanceProgress) => void
}

/**
 * What a program comes upon is told under the rule of its field, by the fewest requests, once for each rule; not where a case
 * has already shown that a rule does not hold: what a program finds then is mostly that again.
 */
async function runPrograms(
  subject: Subject,
  findings: Findings,
  { seed, runs, until, onProgress }: ProgramOptions,
) {
  const explained = findings.rules().some(({ verdict }) => verdict === 'broken')
  const count = { run: 0, requests: 0, differing: 0 }
  while (until === null ? count.run < runs : Date.now() < until) {
    onProgress({ done: count.run, total: Math.max(runs, count.run), doing: 'random programs' })
    const { exchanges, differing } = await runProgram(subject, seededProgram(seed, count.run))
    count.run += 1
    count.requests += exchanges.length
    if (!differing) continue
    count.differing += 1
    if (explained) continue
    const { rule } = attribution(exchanges.at(-1) as Exchange)
    if (findings.hasFailed(rule)) continue
    const fewest = await shortest(subject, exchanges)
    const { difference } = attribution(fewest.at(-1) as Exchange)
    findings.fails(rule, { name: `random program ${count.run}`, difference, exchanges: fewest })
  }
  return count
}

function unaskable({ strangers, hurried }: Case, { host, users, rateLimited }: Subject): string | null {
  if (host.keys.length === 0) return 'it takes an API key: --key KEY'
  if (strangers && users.user === users.other) return 'it takes keys of two users: --key KEY --key KEY'
  return hurried && !rateLimited ? 'the host has no rate limit' : null
}

async function decide(one: Case, subject: Subject, model: KeptModel, findings: Findings): Promise<void> {
  const script = new Script(one.stage)
  one.script(script)
  const play = await Play.begin(subject, model, one.hurried === true)
  const exchanges: Exchange[] = []
  try {
    for (const step of script.steps) {
      const exchange = await play.ask(step)
      exchanges.push(exchange)
      if (exchange.differences.length > 0) break
    }
  } finally {
    await play.end()
  }
  const last = exchanges.at(-1)
  if (last === undefined || last.differences.length === 0) return findings.agrees(one.rule)
  const own = last.differences.find(({ field }) => one.looks.includes(field))
  if (last.step.label !== STAGE && own !== undefined)
    return findings.fails(one.rule, { name: one.name, difference: own, exchanges })
  const { rule, difference } = attribution(last)
  findings.fails(rule, { name: one.name, difference, exchanges })
  findings.cannotAsk(one.rule, `an answer on the way to it breaks ${rule}`)
}
