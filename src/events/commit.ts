/** One accepted input and what it caused, appended to the log atomically. */
import type { Command } from './command.ts'
import type { Event } from './event.ts'

/** One accepted input and what it caused, appended to the log atomically. */
export interface Commit {
  /** Sequence: 1 for the first commit of a log, then without gaps. */
  readonly seq: number
  /** Engine time of the command, epoch ms; never decreases along a log. */
  readonly at: number
  /** Absent where nobody in particular is behind it: time, feeds, the embedding program, and logs of 0.1.0. */
  readonly by?: CausedBy
  /** Kept so that a log can be decided again and compared. */
  readonly command: Command
  /** What it caused, in order; empty where only time passed. */
  readonly events: readonly Event[]
}

/** Who caused a commit (K10). A record for those who ask later: no rule and no state depends on it. */
export type CausedBy =
  | {
      readonly type: 'user'
      readonly userId: string
      /** The API key they came with; null for an interactive session, or where the caller did not say. */
      readonly keyId: string | null
    }
  | {
      readonly type: 'operator'
      /** The name of the operator's token. */
      readonly name: string
    }
