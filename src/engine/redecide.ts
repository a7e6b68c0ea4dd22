/** Deciding the commands of a log again, each at its own time and under its own sequence. */

import { decide } from '../domain/commands/decide.ts'
import { moveClock } from '../domain/evolve/clock.ts'
import { Decision } from '../domain/flows/decision.ts'
import type { Command } from '../events/command.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import type { Rejection } from '../terms/errors.ts'
import { placedBy } from './answerRecord.ts'
import { rejectionEvent } from './commandOutcomes.ts'
import type { Folded } from './fold.ts'

/** What became of a command that was decided again. */
export interface Redecided {
  readonly events: readonly Event[]
  readonly rejection: Rejection | null
}

/** Ids of what falls due beside the log begin here, per instant: no command makes that many (A4). */
const IDS_PER_STEP = 1 << 24

/**
 * Decides a commit's command on the state before it, and brings the state to after it. The sequence is the commit's
 * whatever was refused before: ids derive from it, so the commands that follow still name the right orders.
 */
export function redecide(folded: Folded, { seq, at, command }: Commit): Redecided {
  const { world } = folded
  world.seq = seq - 1
  const decision = new Decision(world)
  decision.begin(at)
  const ruling = decide(decision, command, null)
  if (ruling.rejected !== null) {
    const rejected = rejectionEvent(command, ruling.rejected)
    if (rejected === null) world.seq = seq
    else {
      decision.emit(rejected)
      folded.complete({ seq, at, command, events: [rejected] }, null)
    }
    return { events: rejected === null ? [] : [rejected], rejection: ruling.rejected }
  }
  if (decision.isSilent) moveClock(world, at)
  const events = decision.events()
  folded.complete({ seq, at, command, events }, placedBy(command, ruling))
  return { events, rejection: null }
}

/**
 * What falls due before a commit and is not in the log, because other funding instants were in force when it was
 * written. It belongs to the commit's sequence, with ids of its own.
 */
export function runDueBefore(folded: Folded, { seq, at, command }: Commit): Event[] {
  const { world } = folded
  const events: Event[] = []
  world.seq = seq - 1
  const decision = new Decision(world)
  for (let instant = 1; isDue(world.nextDueAt, at, command); instant++) {
    decision.begin(world.nextDueAt, instant * IDS_PER_STEP)
    decide(decision, { type: 'advanceTime', ms: world.nextDueAt - world.now }, null)
    if (decision.isSilent) moveClock(world, decision.at)
    const caused = decision.events()
    folded.tell({ seq, at: decision.at, events: caused })
    events.push(...caused)
  }
  return events
}

function isDue(nextDueAt: number, at: number, command: Command): boolean {
  return nextDueAt < at || (nextDueAt === at && command.type !== 'advanceTime')
}
