/** The API description, its browser page and a start page: for everybody, with no account data. */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../../version.ts'
import { JSON_TYPE } from '../context.ts'
import { DOCS_PAGE } from '../pages/docs.ts'
import { START_PAGE } from '../pages/start.ts'

const HTML = 'text/html; charset=utf-8'

/** Collects the routes that are added after it. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Margin Trading API',
        version: '4209b13',
        description: `Served by margin-core ${VERSION}. Amounts, prices, leverages and rates are fp9: integer strings scaled by 10^9. Operations marked as extensions are named by the interface without being shown.`,
      },
      components: {
        securitySchemes: {
          trader: { type: 'http', scheme: 'bearer', description: 'API key, or the session of its user' },
          session: { type: 'http', scheme: 'bearer', description: "the user's interactive session" },
          operator: { type: 'http', scheme: 'bearer', description: 'operator token, with the role it needs' },
        },
      },
    },
  })
}

export function documentationRoutes(app: FastifyInstance, startPage: boolean): void {
  const open = { config: { access: 'public' as const }, schema: { hide: true } }
  let description: string | undefined
  app.get('/openapi.json', open, async (_request, reply) => {
    description ??= JSON.stringify(app.swagger())
    return reply.header('content-type', JSON_TYPE).send(description)
  })
  app.get('/docs', open, async (_request, reply) => reply.header('content-type', HTML).send(DOCS_PAGE))
  if (startPage)
    app.get('/', open, async (_request, reply) => reply.header('content-type', HTML).send(START_PAGE))
}
