/** The URL of a database as somebody gives it. */
import { UsageError } from './failure.ts'

/** @throws UsageError, which does not repeat what was given: a password may stand in it. */
export function databaseUrl(given: string): string {
  if (!/^(?:postgres(?:ql)?:\/\/.|socket:|\/)/.test(given))
    throw new UsageError('what names the database is no URL such as postgres://user@host/database')
  return given
}
