/**
 * Whether whoever asked for something is still there when it is carried out. A client that gives up closes its connection and asks again,
 * perhaps at another node; what it asked before must not be carried out behind that. The system tells of the end of a connection behind
 * what came on it: a loop that stood still meanwhile reads a request first, and in its next turn that nobody waits for the answer.
 */
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { isReading } from './access.ts'
import { hasSentAll } from './portionedSocket.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When it was read, on the clock of `performance`. */
    cameAt: number
  }
}

/** No client gives up sooner, ms: whoever sends no more after less has ended their half, and waits for the answer. */
export const PATIENCE_MS = 500
/** How often the loop is seen to turn, ms. */
const BEAT_MS = 250

/** Whoever sent a command has closed the connection meanwhile, or sends no more on it. Nothing was decided. */
export class ClientGone extends Error {}

/** What time it is, ms: the monotonic clock stands still itself while a machine is suspended. */
interface Clocks {
  readonly monotonic: () => number
  readonly wall: () => number
}

/** Where a loop has stood still: its process was stopped, had no processor, or did something else. */
export class Stalls {
  readonly #clocks: Clocks
  #monotonic: number
  #wall: number
  /** By then what came meanwhile is read, on the monotonic clock. */
  #until = Number.NEGATIVE_INFINITY

  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.#monotonic = clocks.monotonic()
    this.#wall = clocks.wall()
  }

  /** To be called every {@link BEAT_MS}. */
  beat(): void {
    const [monotonic, wall] = [this.#clocks.monotonic(), this.#clocks.wall()]
    const stood = Math.max(monotonic - this.#monotonic, wall - this.#wall)
    // What has gathered takes no longer to be read than it took to come.
    if (stood >= PATIENCE_MS) this.#until = monotonic + stood
    this.#monotonic = monotonic
    this.#wall = wall
  }

  /** Whether what is read now may have come so long ago that its client has gone. The loop may read before it beats again. */
  get areRecent(): boolean {
    const now = this.#clocks.monotonic()
    return (
      now < this.#until ||
      now - this.#monotonic >= PATIENCE_MS ||
      this.#clocks.wall() - this.#wall >= PATIENCE_MS
    )
  }
}

/** Of this process, which has one loop, however many servers are on it. */
const stalls = new Stalls({ monotonic: () => performance.now(), wall: () => Date.now() })
let isWatched = false

/** Has it noticed from now on where the loop stands still. */
function watchLoop(): void {
  if (isWatched) return
  isWatched = true
  setInterval(() => stalls.beat(), BEAT_MS).unref()
}

/**
 * Null where whoever asks on a connection, in a request that was read at `cameAt`, is there as far as that can be known. Where the loop
 * stood still it is known once the loop has turned: the promise resolves then.
 *
 * @throws ClientGone, or has it rejected with that, where they have closed the connection, or sent nothing more while they had to wait:
 * nothing tells who waits for an answer from who does not before there is one.
 */
export function stillThere(connection: Duplex, cameAt: number): Promise<void> | null {
  refuseGone(connection, cameAt)
  return stalls.areRecent ? onceRead().then(() => refuseGone(connection)) : null
}

/**
 * As far as it is known in this turn of the loop.
 *
 * @throws ClientGone
 */
export function refuseGone(connection: Duplex, cameAt = Number.NEGATIVE_INFINITY): void {
  const sendsNoMore = performance.now() - cameAt >= PATIENCE_MS && hasSentAll(connection)
  if (connection.destroyed || sendsNoMore) throw new ClientGone()
}

/** The same for whoever had to wait for something, however short it was. */
export async function stillThereAfter(waiting: Promise<unknown>, connection: Duplex): Promise<void> {
  await waiting
  if (stalls.areRecent) await onceRead()
  refuseGone(connection)
}

/** Has a server know when each request came. To be called before the hooks that have requests wait. */
export function noteWhenTheyCame(app: FastifyInstance): void {
  watchLoop()
  app.decorateRequest('cameAt', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.cameAt = performance.now()
    done()
  })
}

/** Has commands wait, after a stall, until it is known who is there. To be called behind the hooks that have requests read. */
export function waitForWhoIsThere(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (isReading(request.method)) return done()
    const looking = stillThere(request.raw.socket, request.cameAt)
    if (looking === null) done()
    else looking.then(() => done(), done)
  })
}

/** Has commands carried out for those alone who are there. To be called behind all hooks that have commands wait, for which the loop has turned. */
export function carryOutForWhoIsThere(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isReading(request.method)) refuseGone(request.raw.socket, request.cameAt)
    done()
  })
}

/** The loop is in the middle of reading its connections: all that has come by now is read at the end of its next turn. */
async function onceRead(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
