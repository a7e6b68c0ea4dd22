/** What came of holding a host to the rules. */
import type { Difference, Exchange } from './exchange.ts'
import { NOT_ASKED, RULES, type RuleId } from './rules.ts'

/** A rule that does not hold: the requests that show it, and where the last answer differs. */
export interface Failure {
  /** The case, or that random programs came upon it. */
  readonly name: string
  readonly difference: Difference
  /** From the stage on; the last one is the one whose answer differs. */
  readonly exchanges: readonly Exchange[]
}

/** What is known of one rule. */
export interface RuleReport {
  readonly rule: RuleId
  readonly title: string
  readonly verdict: 'holds' | 'broken' | 'not asked'
  /** Cases that agreed. */
  readonly cases: number
  /** Why it was not asked. */
  readonly why: string | null
  readonly failures: readonly Failure[]
}

/** What came of it all. */
export interface ConformanceReport {
  readonly url: string
  readonly seed: string
  /** Whether every rule that was asked holds. */
  readonly ok: boolean
  readonly rules: readonly RuleReport[]
  /** Random programs that were run, the requests in them, and how many came upon a difference. */
  readonly programs: { readonly run: number; readonly requests: number; readonly differing: number }
}

/** Collects it. */
export class Findings {
  readonly #agreed = new Map<RuleId, number>()
  readonly #failures = new Map<RuleId, Failure[]>()
  readonly #reasons = new Map<RuleId, string>()

  agrees(rule: RuleId): void {
    this.#agreed.set(rule, (this.#agreed.get(rule) ?? 0) + 1)
  }

  fails(rule: RuleId, failure: Failure): void {
    this.#failures.set(rule, [...(this.#failures.get(rule) ?? []), failure])
  }

  hasFailed(rule: RuleId): boolean {
    return this.#failures.has(rule)
  }

  cannotAsk(rule: RuleId, why: string): void {
    if (!this.#reasons.has(rule)) this.#reasons.set(rule, why)
  }

  rules(): RuleReport[] {
    return (Object.keys(RULES) as RuleId[]).map((rule) => {
      const cases = this.#agreed.get(rule) ?? 0
      const failures = this.#failures.get(rule) ?? []
      const verdict = failures.length > 0 ? 'broken' : cases > 0 ? 'holds' : 'not asked'
      const why = verdict === 'not asked' ? this.#why(rule) : null
      return { rule, title: RULES[rule], verdict, cases, why, failures }
    })
  }

  #why(rule: RuleId): string {
    return this.#reasons.get(rule) ?? NOT_ASKED[rule] ?? 'no case of its own; random programs go through it'
  }
}
