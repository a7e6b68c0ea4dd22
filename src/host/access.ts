/** Who may call a route (K1). It is declared with the route and read off the route that matched, never off the URL. */
import type { FastifyInstance } from 'fastify'

/**
 * - `public`: everybody, and no account data is shown
 * - `trader`: an API key or the session of its user
 * - `session`: the interactive session alone
 * - `operator`: an operator's token, of at least the route's `role`
 * - `nobody`: whoever comes is answered as with a wrong token
 */
export type Access = 'public' | 'trader' | 'session' | 'operator' | 'nobody'

const ACCESSES: ReadonlySet<unknown> = new Set<Access>(['public', 'trader', 'session', 'operator', 'nobody'])

/** What an operator may do, from the least to the most; each may do what those before it may (K10). */
export const OPERATOR_ROLES = ['read', 'desk', 'admin'] as const

/** What an operator's token may do: `read` looks, `desk` acts on accounts and positions, `admin` does everything. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly access?: Access
    /** The least role of an operator; default: the highest. */
    readonly role?: OperatorRole
  }
}

/** Whether a method only looks: HEAD is GET without the body. */
export function isReading(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function mayActAs(held: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(held) >= OPERATOR_ROLES.indexOf(needed)
}

/** From here on a route without a declared access is refused, and with it the start of the server. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!ACCESSES.has(config?.access))
      throw new TypeError(`the route ${String(method)} ${url} does not declare who may call it`)
  })
}
