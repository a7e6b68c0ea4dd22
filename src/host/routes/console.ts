/** The console and its files: for everybody, because they hold no account data; what it shows it asks for with the reader's token. */
import type { FastifyInstance } from 'fastify'
import { CONSOLE_FILES, type ConsoleFileName, consoleFile } from '../console/files.ts'
import { answer, type HostContext, reject } from '../context.ts'
import { CONSOLE_PAGE, CONSOLE_POLICY } from '../pages/console.ts'
import { type SignInTerms, signInOf } from '../signIn.ts'

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONSOLE_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

export function consoleRoutes(app: FastifyInstance, context: HostContext, terms: SignInTerms): void {
  const open = { exposeHeadRoute: true, config: { access: 'public' as const }, schema: { hide: true } }
  app.get('/console', open, async (_request, reply) => reply.headers(PAGE_HEADERS).send(CONSOLE_PAGE))
  app.get('/console/sign-in', open, async (request, reply) => {
    const found = signInOf(terms, request)
    if ('status' in found) return reject(context, reply, found)
    return answer(reply.header('cache-control', 'no-store'), JSON.stringify(found))
  })
  for (const [name, type] of Object.entries(CONSOLE_FILES))
    app.get(`/console/${name}`, open, async ({ headers }, reply) => {
      const { bytes, tag } = await consoleFile(name as ConsoleFileName)
      const sent = reply.headers({
        'content-type': type,
        'cache-control': 'no-cache',
        etag: tag,
        'x-content-type-options': 'nosniff',
      })
      return headers['if-none-match'] === tag ? sent.code(304).send() : sent.send(bytes)
    })
}
