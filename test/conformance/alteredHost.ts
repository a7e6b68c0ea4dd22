// A venue of ours behind a proxy that alters requests or answers: a host that keeps all rules but one.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CONFIGURATION, OPERATOR, startVenue } from '../host/venue.ts'

/** A request as it came, or as it goes on to the venue. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Alteration {
  /** Of the path and of the body of a request. */
  readonly request?: (body: string) => string
  /** Of the body of an answer. */
  readonly answer?: (body: string, request: Asked) => string
  /** Of everything: what is answered in place of the venue, which `ask` asks. */
  readonly reply?: (asked: Asked, ask: (asked: Asked) => Promise<Reply>) => Promise<Reply>
}

export interface AlteredHost {
  readonly url: string
  readonly operatorToken: string
  readonly keys: readonly string[]
  close(): Promise<void>
}

/** Without an alteration nothing stands before the venue. `rateLimit` null is a host without limits. */
export async function alteredHost(
  alteration: Alteration,
  rateLimit: object | null = null,
): Promise<AlteredHost> {
  const venue = await startVenue({ ...CONFIGURATION, rateLimit })
  const known = { operatorToken: OPERATOR, keys: ['mtk_alice', 'mtk_bob'] }
  if (Object.keys(alteration).length === 0)
    return { url: venue.venue.url, ...known, close: () => venue.venue.close() }
  const { request = (body) => body, answer = (body) => body, reply = (asked, ask) => ask(asked) } = alteration
  const ask = (asked: Asked) => replyOf(venue.venue.url, asked)
  const proxy = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const asked: Asked = {
      method: incoming.method as string,
      url: request(incoming.url ?? ''),
      headers: incoming.headers as Record<string, string>,
      body: request(Buffer.concat(chunks).toString()),
    }
    const { status, headers, body } = await reply(asked, ask)
    outgoing.writeHead(status, headers).end(answer(body, asked))
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    ...known,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((closed) => proxy.close(closed))
      await venue.venue.close()
    },
  }
}

const PASSED_ON = ['authorization', 'content-type', 'x-idempotency-key']

async function replyOf(venue: string, { method, url, headers, body }: Asked): Promise<Reply> {
  const passedOn = Object.entries(headers).filter(([name]) => PASSED_ON.includes(name))
  const response = await fetch(venue + url, {
    method,
    headers: Object.fromEntries(passedOn),
    ...(body !== '' && { body }),
  })
  const kept = [...response.headers].filter(
    ([name]) => !/^(content-length|connection|keep-alive)$/.test(name),
  )
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
}
