/** What can happen to the venue as a whole. */

/** The first fact of every log. */
export interface EngineCreated {
  readonly type: 'engineCreated'
  /** Seeds the deterministic ids (A4). */
  readonly seed: string
  /** How days begin in this log (K15). */
  readonly dayBoundary: DayBoundary
}

/**
 * A UTC day began, for every account without a `dayStarted` of its own before this in the same commit: of those nothing
 * changes but the number of days that have passed (J7, K15).
 */
export interface DayBegan {
  readonly type: 'dayBegan'
}

/** A platform command that carries a `commandId` was refused: a second one under that id gets the same answer. */
export interface CommandRefused {
  readonly type: 'commandRefused'
  /** The code of the rejection. */
  readonly error: string
  /** The field at fault, where one is. */
  readonly field: string | null
}

/** What can happen to the venue as a whole. */
export type EngineEvent = EngineCreated | DayBegan | CommandRefused

/** Whether every account's day starts by an event of its own, as in the logs of 0.1.0, or only where it is judged. */
export type DayBoundary = 'account' | 'venue'
