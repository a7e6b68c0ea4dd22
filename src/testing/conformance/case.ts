/** Rules, and requests whose answers tell whether they hold. */
import type { RuleId } from './rules.ts'
import type { Script, Stage } from './script.ts'

/** A rule, and requests whose answers tell whether it holds. */
export interface Case {
  readonly rule: RuleId
  /** What is looked at, as a sentence. */
  readonly name: string
  /** The fields in which a difference means this rule; a difference elsewhere is told under the rule of its field. */
  readonly looks: readonly string[]
  readonly stage?: Stage
  /** Writes the requests. */
  readonly script: (script: Script) => void
  /** It needs two users. */
  readonly strangers?: true
  /** It needs keys with the rate limits of the interface, and is not slowed down for them. */
  readonly hurried?: true
}
