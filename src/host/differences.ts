/** What a configuration says otherwise than the log: the log is the truth, and none of it is applied (K11). */

import type { AccountConfiguration, MarketConfiguration } from '../events/command.ts'
import type { Reader } from '../projections/reader.ts'
import { type FieldKind, type FieldKinds, isNested, isQuantity, partsOf } from '../terms/fieldKinds.ts'
import {
  ACCOUNT_PARAMETERS,
  MARKET_PARAMETERS,
  NULLABLE_MARKET_PARAMETERS,
} from '../terms/parameterFields.ts'
import type { VenueConfiguration } from './configuration.ts'
import { written } from './writtenQuantity.ts'

/**
 * A line for each parameter, status and switch that the file names and the log knows otherwise. What the file leaves
 * out it says nothing of, and neither does null where null is no value but stands for the default (A6). Prices are not
 * compared: they move. A market or account that the log does not know could not be added.
 */
export function differences({ markets, accounts }: VenueConfiguration, read: Reader): string[] {
  return [
    ...markets.flatMap((market) => marketDifferences(market, read)),
    ...accounts.flatMap((account) => accountDifferences(account, read)),
  ]
}

function marketDifferences(configured: MarketConfiguration, read: Reader): string[] {
  if (read.marketStatus(configured.id) === undefined) return [missing(`market ${configured.id}`)]
  const known = { ...read.marketParameters(configured.id), status: read.marketStatus(configured.id) }
  const subject = `market ${configured.id}`
  return differing(subject, configured, known, MARKET_PARAMETERS, NULLABLE_MARKET_PARAMETERS)
}

const NULLABLE_OF_ACCOUNT: ReadonlySet<string> = new Set(['phase', 'maxActiveOrders'])

function accountDifferences(configured: AccountConfiguration, read: Reader): string[] {
  if (read.accountParameters(configured.id) === undefined) return [missing(`account ${configured.id}`)]
  const known = { ...read.accountParameters(configured.id), ...read.accountStanding(configured.id) }
  const subject = `account ${configured.id}`
  return differing(subject, configured, known, ACCOUNT_PARAMETERS, NULLABLE_OF_ACCOUNT)
}

function differing(
  subject: string,
  configured: object,
  known: object,
  kinds: FieldKinds,
  nullable: ReadonlySet<string>,
): string[] {
  const wanted = configured as Record<string, unknown>
  return Object.entries(known).flatMap(([field, value]) => {
    const want = wanted[field]
    const silent = want === undefined || (want === null && !nullable.has(field))
    // Texts of all that 40,000 accounts have take a second, and mostly none differs.
    if (silent || value === want) return []
    const [logged, asked] = [value, want].map((one) => shown(one, kinds[field]))
    if (logged === asked) return []
    return [`${subject}: ${field} is ${logged} in the log, ${asked} was not applied`]
  })
}

function missing(subject: string): string {
  return `${subject}: is not in the log, and was not added`
}

/** As the file has it: quantities with their unit. The order of a list says nothing. */
function shown(value: unknown, kind?: FieldKind): string {
  if (typeof value === 'bigint' && kind !== undefined && !isNested(kind)) {
    const { stem } = partsOf(kind)
    if (isQuantity(stem)) return written(value, stem)
  }
  return Array.isArray(value) ? `[${[...value].sort().join()}]` : String(value)
}
