/** Server-Sent Events on an answer that goes on: what a browser's `EventSource`, `curl -N` and every HTTP client reads. */
import type { FastifyReply } from 'fastify'
import type { StreamConnection } from './listener.ts'
import type { Message } from './message.ts'
import { taken } from './taken.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A reverse proxy that gathers answers would hold the stream back.
  'x-accel-buffering': 'no',
}

/** What was sent before the end may be on its way for so long, ms. */
const LINGER_MS = 2_000

export class EventStream implements StreamConnection {
  readonly #response: FastifyReply['raw']
  onGone = () => {}

  /** Answers with a stream. */
  constructor(reply: FastifyReply) {
    this.#response = reply.raw
    const headers = reply.getHeaders()
    reply.hijack()
    this.#response.once('close', () => this.onGone())
    this.#response.on('error', () => {})
    this.#response.writeHead(200, { ...(headers as Record<string, string>), ...HEADERS })
    this.#response.flushHeaders()
  }

  get unsent(): number {
    return this.#response.writableLength
  }

  /** The id stands with the last message of its commit: what came without one comes again to who resumes. */
  send(messages: readonly Message[], complete: number | null): void {
    if (messages.length === 0) return
    const parts = messages.map(({ event }) => event)
    if (complete !== null) parts.splice(-1, 0, Buffer.from(`id: ${complete}\n`))
    this.#response.write(parts.length === 1 ? parts[0] : Buffer.concat(parts))
  }

  end(): void {
    this.#response.end()
    setTimeout(() => this.#response.destroy(), LINGER_MS).unref()
  }

  taken(ms: number): Promise<boolean> {
    return taken(this.#response, ms)
  }
}
