/** What an option goes with, as it is said of each. */
import type { RuleSet } from '../backtest/evaluate/rules.ts'
import type { Feed } from '../backtest/feed/feed.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { PlanOptions } from './planOptions.ts'

/** What is known before the work begins. */
export interface Planned {
  readonly plan: RunPlan
  /** As the files of `--rules` say them. */
  readonly rules: readonly RuleSet[]
  /** Of each market; null where no option asks for them. */
  readonly kinds: readonly Feed['kind'][] | null
  /** Whether an option was typed. */
  readonly has: (option: string) => boolean
  readonly options: Pick<PlanOptions, 'data' | 'funding'>
}

/** What an option goes with; nothing of it is an option that always means something. */
export interface Partners {
  /** It goes with one of these. */
  readonly with?: readonly string[]
  /** What the person may have meant, where it stands without them. */
  readonly instead?: string
  /** Beside these it would mean nothing, and why. */
  readonly without?: Readonly<Record<string, string>>
  /** What is wrong with its value beside the others; null where nothing is. */
  readonly value?: (options: Readonly<Record<string, unknown>>) => string | null
  /** Why it means nothing for what is planned, as a sentence; null where it does mean something. */
  readonly on?: (planned: Planned) => string | null
}

/** By command and option: each that there is, those that always mean something with `{}`. */
export type PartnerTable = Readonly<Record<string, Readonly<Record<string, Partners>>>>
