/** The API description, its browser page and a start page: for everybody, with no account data. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../context.ts'
import { DOCS_FILES, DOCS_PAGE, DOCS_POLICY } from '../pages/docs.ts'
import { inOlderWords } from '../pages/olderDescription.ts'
import { START_PAGE } from '../pages/start.ts'

const HTML = 'text/html; charset=utf-8'

export function documentationRoutes(app: FastifyInstance, startPage: boolean): void {
  const open = { exposeHeadRoute: true, config: { access: 'public' as const }, schema: { hide: true } }
  const described = (as: (description: object) => object) => {
    let bytes: Buffer | undefined
    return async (_request: FastifyRequest, reply: FastifyReply) => {
      bytes ??= Buffer.from(JSON.stringify(as(app.swagger())))
      return reply.header('content-type', JSON_TYPE).send(bytes)
    }
  }
  app.get(
    '/openapi.json',
    open,
    described((description) => description),
  )
  app.get('/docs/openapi.json', open, described(inOlderWords))
  app.get('/docs', open, async (_request, reply) =>
    reply.header('content-type', HTML).header('content-security-policy', DOCS_POLICY).send(DOCS_PAGE),
  )
  for (const [name, { type, bytes }] of Object.entries(DOCS_FILES))
    app.get(`/docs/${name}`, open, async (_request, reply) =>
      reply
        .header('content-type', type)
        .header('cache-control', 'max-age=3600')
        .send(await bytes()),
    )
  if (startPage)
    app.get('/', open, async (_request, reply) => reply.header('content-type', HTML).send(START_PAGE))
}
