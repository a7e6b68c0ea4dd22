// A venue of ours behind a proxy that alters requests or answers: a host that keeps all rules but one.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CONFIGURATION, OPERATOR, startVenue } from '../host/venue.ts'

export interface Alteration {
  /** Of the path and of the body of a request. */
  readonly request?: (body: string) => string
  /** Of the body of an answer. */
  readonly answer?: (body: string, request: IncomingMessage) => string
}

export interface AlteredHost {
  readonly url: string
  readonly operatorToken: string
  readonly keys: readonly string[]
  close(): Promise<void>
}

/** `rateLimit` null is a host without limits. */
export async function alteredHost(
  { request = (body) => body, answer = (body) => body }: Alteration,
  rateLimit: object | null = null,
): Promise<AlteredHost> {
  const venue = await startVenue({ ...CONFIGURATION, rateLimit })
  const proxy = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { authorization, ...others } = incoming.headers
    const key = others['x-idempotency-key']
    const body = request(Buffer.concat(chunks).toString())
    const response = await fetch(venue.venue.url + request(incoming.url ?? ''), {
      method: incoming.method as string,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(others['content-type'] !== undefined && { 'content-type': others['content-type'] }),
        ...(key !== undefined && { 'x-idempotency-key': String(key) }),
      },
      ...(body !== '' && { body }),
    })
    const text = answer(await response.text(), incoming)
    const kept = [...response.headers].filter(
      ([name]) => !/^(content-length|connection|keep-alive)$/.test(name),
    )
    outgoing.writeHead(response.status, Object.fromEntries(kept)).end(text)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    operatorToken: OPERATOR,
    keys: ['mtk_alice', 'mtk_bob'],
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((closed) => proxy.close(closed))
      await venue.venue.close()
    },
  }
}
