// Every route there is, as Fastify was told of it: what is derived from this covers a new route by itself.

import Fastify from 'fastify'
import type { TSchema } from 'typebox'
import type { Access, OperatorRole } from '../../src/host/access.ts'
import { marginTradingApi } from '../../src/host/index.ts'
import { createEngine } from '../../src/index.ts'

export interface ListedRoute {
  readonly method: string
  /** With parameters as `:name`. */
  readonly path: string
  readonly access: Access | undefined
  readonly role: OperatorRole | undefined
  readonly schema: {
    readonly operationId?: string
    readonly params?: TSchema
    readonly querystring?: TSchema
    readonly body?: TSchema
    readonly response?: Readonly<
      Record<string, { readonly content: Readonly<Record<string, { readonly schema: TSchema }>> }>
    >
  }
}

/** Without what answers HEAD where there is a GET, because that is the same route; `heads`: with it. */
export async function routeTable({ heads = false } = {}): Promise<ListedRoute[]> {
  const routes: ListedRoute[] = []
  const app = Fastify({ exposeHeadRoutes: false })
  app.addHook('onRoute', ({ method, url, config, schema = {} }) => {
    if (method === 'HEAD' && !heads) return
    for (const one of [method].flat())
      routes.push({
        method: one as string,
        path: url,
        access: config?.access,
        role: config?.role,
        schema: schema as ListedRoute['schema'],
      })
  })
  const engine = createEngine({ at: 0 })
  await app.register(marginTradingApi, { engine, operatorToken: 'operator', startPage: true })
  await app.close()
  return routes
}

/** Whether its answer goes on for as long as somebody listens. */
export const isStream = (path: string) => path.endsWith('/stream')
