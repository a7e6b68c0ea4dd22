/**
 * Platform commands under an id: what became of the first is kept for a day of engine time, and answers every other under that
 * id instead of being done again. A rejection is kept too, as a commit of its own: the operator who repeats a command wants to
 * know what became of it, and not to have it done under other circumstances. What has not the form of a command is not kept.
 */
import { schemaRejection } from '../domain/commands/commandSchema.ts'
import type { Command, Repeatable } from '../events/command.ts'
import { COMMAND_FIELDS } from '../events/commandTable.ts'
import type { Commit } from '../events/commit.ts'
import type { CommandRefused } from '../events/engineEvents.ts'
import { type ErrorCode, invalid, type Rejection, rejection } from '../terms/errors.ts'
import type { Outcome } from './outcome.ts'
import { type KeptOutcome, OutcomeWindow } from './outcomeWindow.ts'

export const COMMAND_WINDOW_MS = 86_400_000

export interface CommandOutcome extends KeptOutcome {
  readonly commandId: string
  readonly seq: number
  /** Why it was refused; null where it was accepted. */
  readonly refused: { readonly error: string; readonly field: string | null } | null
}

export class CommandOutcomes extends OutcomeWindow<CommandOutcome> {
  constructor() {
    super(COMMAND_WINDOW_MS)
  }

  find(commandId: string, now: number): CommandOutcome | undefined {
    return this.under(commandId, now)
  }

  /** Keeps what became of a commit's command, where that has an id. */
  keepOf({ command, seq, at, events }: Commit): void {
    const commandId = commandIdOf(command)
    if (commandId === null) return
    const rejected = events.find((event) => event.type === 'commandRefused')
    const refused = rejected === undefined ? null : { error: rejected.error, field: rejected.field }
    this.keep({ commandId, seq, at, refused })
  }

  protected override nameOf({ commandId }: CommandOutcome): string {
    return commandId
  }
}

/** Takes anything: programs are not always typed. Null where there is no id, or the command can have none. */
export function commandIdOf(command: Command): string | null {
  const { commandId, type } = (command ?? {}) as Repeatable & { readonly type?: unknown }
  if (typeof commandId !== 'string' || typeof type !== 'string') return null
  return isRepeatable(type) ? commandId : null
}

function isRepeatable(type: string): boolean {
  return Object.hasOwn(COMMAND_FIELDS, type) && 'commandId' in COMMAND_FIELDS[type as Command['type']]
}

/** What is recorded of a rejection; null where nothing is. */
export function rejectionEvent(command: Command, { code, details }: Rejection): CommandRefused | null {
  if (commandIdOf(command) === null || schemaRejection(command) !== null) return null
  return { type: 'commandRefused', error: code, field: details?.[0] ?? null }
}

/** What a command under an id is answered whose outcome is kept. */
export function answerAgain({ seq, at, refused }: CommandOutcome): Outcome<Command> {
  if (refused === null) return { ok: true, value: null, events: [], seq, replayedFrom: at }
  const { error, field } = refused
  return { ok: false, error: field === null ? rejection(error as ErrorCode) : invalid(field) }
}
