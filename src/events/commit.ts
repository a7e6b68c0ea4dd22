/** One accepted input and what it caused, appended to the log atomically. */
import type { Command } from '../domain/command.ts'
import type { Event } from './event.ts'

export interface Commit {
  /** 1 for the first commit of a log, then without gaps. */
  readonly seq: number
  /** Engine time of the command, epoch ms; never decreases along a log. */
  readonly at: number
  /** Kept so that a log can be decided again and compared. */
  readonly command: Command
  readonly events: readonly Event[]
}
