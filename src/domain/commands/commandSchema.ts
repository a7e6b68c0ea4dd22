/**
 * The form of every command (A1, A6): which fields it has and of what kind. A field nobody declared is rejected, because
 * a misspelt stop-loss must not be dropped silently; what the values mean is checked by the rules, not here.
 */

import type { Command } from '../../events/command.ts'
import { COMMAND_FIELDS } from '../../events/commandTable.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import { FieldCheck } from './fieldCheck.ts'

const CHECKS = new Map<string, FieldCheck>(
  Object.entries(COMMAND_FIELDS).map(([type, kinds]) => [type, new FieldCheck(kinds)]),
)

/** `validation_failed` naming the first field at fault, or null. Takes anything: programs are not always typed. */
export function schemaRejection(command: Command): Rejection | null {
  if (typeof command !== 'object' || command === null) return invalid('command')
  const check = CHECKS.get(command.type)
  if (check === undefined) return invalid('type')
  const fault = check.fault(command, 'type')
  return fault === null ? null : invalid(fault)
}
