/** What a database says when it cannot be used, in a line, with what to do about it. */
import { UsageError } from './failure.ts'

/** By the code of PostgreSQL (its manual, appendix A) or of the system. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start it, or name another host in the URL',
  ENOTFOUND: 'name another host in the URL',
  '25006': 'name the primary in the URL, and have it take writes',
  '28000': 'name another role in the URL',
  '28P01': 'the password is taken from PGPASSWORD or PGPASSFILE',
  '3D000': 'make it, or name another in the URL',
  '42501': 'give the role that right, or name one in the URL that owns the database',
  '53100': 'make room on its disk',
  '53300': 'raise max_connections, of which a node takes up to 20',
}

/** @param what cannot be done with it, as `read`; the password of the URL is not repeated */
export function databaseFault(error: unknown, url: string, what: string): UsageError {
  const { message, code = '' } = error as Error & { readonly code?: string }
  const told = `the database cannot be ${what}: ${withoutPassword(message || code, url)}`
  const remedy = REMEDIES[code]
  return new UsageError(remedy === undefined ? told : `${told}; ${remedy}`)
}

/** No message says it today; none of a driver's future ones may. */
function withoutPassword(message: string, url: string): string {
  const password = /^\w+:\/\/[^:@/?#]*:([^@/?#]+)@/.exec(url)?.[1]
  return password === undefined ? message : message.replaceAll(password, '***')
}
