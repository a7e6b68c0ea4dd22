/** The URL of a database as somebody gives it. */
import { CommitsArchived, StoreDamaged } from '../store/store.ts'
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
    if (TOLD.some((kind) => error instanceof kind)) throw error
    const { message, code } = error as Error & { readonly code?: string }
    throw new UsageError(`the database cannot be read: ${withoutPassword(message || `${code}`, url)}`)
  }
}

/** No message says it today; none of a driver's future ones may. */
function withoutPassword(message: string, url: string): string {
  const password = /^\w+:\/\/[^:@/?#]*:([^@/?#]+)@/.exec(url)?.[1]
  return password === undefined ? message : message.replaceAll(password, '***')
}
