/** Server-Sent Events on an answer that goes on: what a browser's `EventSource`, `curl -N` and every HTTP client reads. */
import type { Writable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { outOf, unsentOf } from '../portionedSocket.ts'
import type { StreamConnection } from './listener.ts'
import { endsCommit, type Message } from './message.ts'
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
    // The answer ends with its connection: what is told goes out as it is written, once for everybody, and not in chunks.
    this.#response.useChunkedEncodingByDefault = false
    // Given to `writeHead` they could not be read again, and whoever waits for answers under way would wait for a stream.
    for (const [name, value] of Object.entries({ ...headers, ...HEADERS }))
      if (value !== undefined) this.#response.setHeader(name, value)
    this.#response.writeHead(200)
    this.#response.flushHeaders()
  }

  get unsent(): number {
    const { socket } = this.#response
    return socket === null ? this.#response.writableLength : unsentOf(socket)
  }

  /** An id stands with the last message of each commit: what came without one comes again to who resumes. */
  send(messages: readonly Message[], complete: number | null): void {
    const last = messages.at(-1)
    if (last === undefined || this.#response.writableEnded || !this.#out.writable) return
    // One message alone, as prices are, is one text for everybody who is told.
    const text = messages.length === 1 ? endOf(last, complete) : textOf(messages, endOf(last, complete))
    // As nearly all of it is ASCII, Node can give a text to the system as it is; of any other it would make room for three times its length.
    if (Buffer.byteLength(text) === text.length) this.#out.write(text, 'latin1')
    else this.#out.write(Buffer.from(text))
  }

  /** An answer that waits for an earlier one of its connection has none yet, and keeps what it is to say. */
  get #out(): Writable {
    const { socket } = this.#response
    return socket === null ? this.#response : outOf(socket)
  }

  end(): void {
    this.#response.end()
    setTimeout(() => this.#response.destroy(), LINGER_MS).unref()
  }

  taken(ms: number): Promise<boolean> {
    return taken(this.#out, ms)
  }
}

function textOf(messages: readonly Message[], end: string): string {
  let text = ''
  for (let at = 0; at < messages.length - 1; at++) {
    const message = messages[at] as Message
    text += endsCommit(messages, at) ? message.lastEvent : message.event
  }
  return text + end
}

function endOf(last: Message, complete: number | null): string {
  if (complete === null) return last.event
  return complete === last.seq ? last.lastEvent : `id: ${complete}\n${last.event}`
}
