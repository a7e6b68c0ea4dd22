/** The URL of a database as somebody gives it. */
import { CommitsArchived, StoreDamaged } from '../store/store.ts'
import { databaseFault } from './databaseFault.ts'
import { UsageError } from './failure.ts'

/** @throws UsageError, which does not repeat what was given: a password may stand in it. */
export function databaseUrl(given: string): string {
  if (!/^(?:postgres(?:ql)?:\/\/.|socket:|\/)/.test(given))
    throw new UsageError('what names the database is no URL such as postgres://user@host/database')
  return given
}

/** Kinds of errors that say for themselves what is wrong. */
const TOLD = [RangeError, UsageError, StoreDamaged, CommitsArchived]

/** Works with a database. @throws UsageError, without the password, where that cannot be reached or read. */
export async function withinDatabase<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw TOLD.some((kind) => error instanceof kind) ? error : databaseFault(error, url, 'read')
  }
}
