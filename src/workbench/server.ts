/** The workbench: a page for a folder of research, on this machine, that starts commands as a person would. */
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { JournalError } from '../backtest/live/journalText.ts'
import { commandText } from '../backtest/plan/commandText.ts'
import type { LiveAllowance } from './askedLive.ts'
import { askedRun, Refused } from './askedRun.ts'
import { comparisonPage } from './comparisonPage.ts'
import { Outside, placeIn } from './confined.ts'
import { Folder } from './contents.ts'
import { Doorkeeper } from './doorkeeper.ts'
import {
  RESULT_POLICY,
  WORKBENCH_FILES,
  WORKBENCH_PAGE,
  WORKBENCH_POLICY,
  type WorkbenchFileName,
  workbenchFile,
} from './files.ts'
import { streamJobs } from './jobStream.ts'
import { type Job, Jobs, type Program, QueueFull } from './jobs.ts'
import { journalPage } from './journalPage.ts'
import { describe } from './strategies.ts'
import { hasKeyInEnvironment } from './venueKeys.ts'

export interface WorkbenchOptions {
  /** The folder that is worked in, absolute. */
  readonly home: string
  readonly host: string
  readonly port: number
  readonly program: Program
  /** How many runs go on at a time. */
  readonly atOnce: number
  /** Venues that live runs may be started on; none where they may not be started at all. */
  readonly venues: readonly string[]
}

export interface ServedWorkbench {
  /** With the token. */
  readonly url: string
  /** Without. */
  readonly origin: string
  readonly token: string
  /** Live runs that go on. */
  readonly live: readonly Job[]
  /** Ends what it started, and serves nobody any more; a live run has ended as it was asked to end by then. */
  close(): Promise<void>
}

const BODY_LIMIT = 256 * 1024
const COMPARED = Type.Object({ places: Type.Array(Type.String(), { minItems: 2, maxItems: 8 }) })

export async function serveWorkbench(options: WorkbenchOptions): Promise<ServedWorkbench> {
  const { home, host, port, program, atOnce, venues } = options
  const allowed: LiveAllowance = { venues, hasKey: venues.length > 0 && hasKeyInEnvironment() }
  const doorkeeper = new Doorkeeper(host)
  const jobs = new Jobs(program, home, atOnce)
  const app = Fastify({ bodyLimit: BODY_LIMIT, exposeHeadRoutes: false, forceCloseConnections: true })
  // What a form of another page can send without asking first is not taken.
  app.removeContentTypeParser('text/plain')
  guard(app, doorkeeper)
  tellErrors(app)
  pageRoutes(app)
  resultRoutes(app, home, doorkeeper)
  app.register(async (api) => {
    api.addHook('onRequest', async ({ headers }, reply) => {
      if (!doorkeeper.knows(headers.authorization))
        return refuse(reply, 401, 'the token is not that of this workbench')
    })
    folderRoutes(api, options, new Folder(home, doorkeeper, allowed), doorkeeper)
    jobRoutes(api, home, jobs, allowed)
  })
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const origin = await app.listen({ host, port })
  return {
    origin,
    url: `${origin}/#${doorkeeper.token}`,
    token: doorkeeper.token,
    get live() {
      return jobs.live
    },
    close: async () => {
      await jobs.close()
      for (const socket of sockets) socket.destroy()
      await app.close()
    },
  }
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

function guard(app: FastifyInstance, doorkeeper: Doorkeeper): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    reply.headers(HEADERS)
    const { host, origin, 'sec-fetch-site': fetchSite } = headers
    const objection = doorkeeper.objection({ host, origin, fetchSite: [fetchSite].flat()[0] })
    if (objection !== null) return refuse(reply, 403, objection)
  })
}

function tellErrors(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'there is no such page'))
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Refused)
      return reply.code(400).send({ message: error.message, faults: error.faults })
    if (error instanceof Outside || error instanceof JournalError) return refuse(reply, 404, error.message)
    if (error instanceof QueueFull) return refuse(reply, 429, error.message)
    const { statusCode = 500, message } = error as { readonly statusCode?: number; readonly message: string }
    return refuse(reply, statusCode, message)
  })
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ message })
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': WORKBENCH_POLICY,
  'cross-origin-opener-policy': 'same-origin',
}

function pageRoutes(app: FastifyInstance): void {
  app.get('/', async (_request, reply) => reply.headers(PAGE_HEADERS).send(WORKBENCH_PAGE))
  for (const [name, type] of Object.entries(WORKBENCH_FILES))
    app.get(`/${name}`, async ({ headers }, reply) => {
      const { bytes, tag } = await workbenchFile(name as WorkbenchFileName)
      const sent = reply.headers({ 'content-type': type, 'cache-control': 'no-cache', etag: tag })
      return headers['if-none-match'] === tag ? sent.code(304).send() : sent.send(bytes)
    })
}

/** Pages of results: a link carries no header, so its address carries a ticket that is good for it alone. */
function resultRoutes(app: FastifyInstance, home: string, doorkeeper: Doorkeeper): void {
  const send = (reply: FastifyReply, page: string | Buffer) =>
    reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': RESULT_POLICY })
      .send(page)

  app.get('/pages/:ticket/*', async ({ params }, reply) => {
    const { ticket, '*': page } = params as { readonly ticket: string; readonly '*': string }
    if (!doorkeeper.admits(ticket, 'page', page) || !page.endsWith('.html'))
      return refuse(reply, 404, 'there is no such page')
    return send(reply, await readFile(await placeIn(home, page)))
  })
  app.get('/journals/:ticket/*', async ({ params }, reply) => {
    const { ticket, '*': place } = params as { readonly ticket: string; readonly '*': string }
    if (!doorkeeper.admits(ticket, 'journal', place)) return refuse(reply, 404, 'there is no such page')
    return send(reply, await journalPage(home, place))
  })
  app.get('/comparison/:ticket', async ({ params, query }, reply) => {
    const { ticket } = params as { readonly ticket: string }
    const { run } = query as { readonly run?: string | string[] }
    const places = [run ?? []].flat()
    if (!doorkeeper.admits(ticket, 'comparison', ...places))
      return refuse(reply, 404, 'there is no such page')
    return send(reply, await comparisonPage(home, places))
  })
}

function folderRoutes(
  api: FastifyInstance,
  { home, program }: WorkbenchOptions,
  folder: Folder,
  doorkeeper: Doorkeeper,
): void {
  api.get('/api/folder', async () => folder.contents())
  api.get('/api/strategy', async ({ query }, reply) => {
    const { name = '' } = query as { readonly name?: string }
    if (typeof name !== 'string') return refuse(reply, 400, 'one strategy has one name')
    try {
      if (/[./\\]/.test(name)) await placeIn(home, name)
      return await describe(name, program, home)
    } catch (error) {
      return refuse(reply, 400, (error as Error).message)
    }
  })
  api.post('/api/comparison', async ({ body }, reply) => {
    if (!Check(COMPARED, body)) return refuse(reply, 400, 'two runs or more are compared, eight at most')
    const { places } = body
    // That they can be is told here, to the page that asks.
    await comparisonPage(home, places)
    const query = places.map((place) => `run=${encodeURIComponent(place)}`).join('&')
    return {
      url: `/comparison/${doorkeeper.ticket('comparison', ...places)}?${query}`,
      command: commandText('npx', ['margin-core', 'compare', ...places, '--report', 'compare.html']),
    }
  })
}

function jobRoutes(api: FastifyInstance, home: string, jobs: Jobs, allowed: LiveAllowance): void {
  api.post('/api/jobs', async ({ body }: FastifyRequest) => {
    const form = await askedRun(home, body, allowed)
    const taken = jobs.all.find((job) => job.endedAt === null && job.form.out === form.out)
    if (taken !== undefined)
      throw new Refused([
        {
          field: 'out',
          message: `${form.out} is where another run is saved: name another ${form.kind === 'live' ? 'journal' : 'folder'}`,
        },
      ])
    return jobs.add(form)
  })
  api.post('/api/jobs/:id/cancel', async ({ params }, reply) => {
    const { id } = params as { readonly id: string }
    return jobs.cancel(Number(id)) ? { cancelled: true } : refuse(reply, 404, 'it has ended already')
  })
  api.get('/api/jobs', async (_request, reply) => {
    reply.hijack()
    streamJobs(jobs, reply.raw)
  })
}
