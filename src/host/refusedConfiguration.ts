/** What of a configuration the engine refuses, told as the rest of its faults are. */
import type { Command } from '../events/command.ts'
import { ACCOUNT_FIELDS, MARKET_FIELDS } from '../events/commandTable.ts'
import { MEANINGS } from '../resources/meanings.ts'
import type { Rejection } from '../terms/errors.ts'
import { type FieldKinds, isNested, isQuantity, partsOf } from '../terms/fieldKinds.ts'
import { ConfigurationError } from './configuration.ts'
import { shown } from './expectedForm.ts'
import { written } from './writtenQuantity.ts'

/** `path` is where in the file the refused command comes from. */
export function refused(path: string, command: Command, rejection: Rejection): ConfigurationError {
  const field = rejection.details?.[0]?.replace(/^[^.]*\.?/, '') ?? ''
  const where = field === '' ? path : `${path}.${field}`
  return new ConfigurationError(
    `configuration: ${where}: the engine refuses it${whyOf(command, field) ?? ` (${rejection.code})`}`,
  )
}

/** The value of the field, and what the field means: the rule is found beside that (docs/configuration.md). */
function whyOf(command: Command, field: string): string | null {
  if (command.type === 'configureMarket') return told(command.market, MARKET_FIELDS, MEANINGS.market, field)
  if (command.type === 'openAccount') return told(command.account, ACCOUNT_FIELDS, MEANINGS.account, field)
  return null
}

function told(
  configured: object,
  kinds: FieldKinds,
  meanings: Readonly<Record<string, string>>,
  field: string,
): string | null {
  const [kind, meaning] = [kinds[field], meanings[field]]
  if (kind === undefined || meaning === undefined || isNested(kind)) return null
  const value: unknown = (configured as Readonly<Record<string, unknown>>)[field]
  const { stem } = partsOf(kind)
  const is = typeof value === 'bigint' && isQuantity(stem) ? written(value, stem) : shown(value)
  return ` as ${is}: ${meaning}`
}
