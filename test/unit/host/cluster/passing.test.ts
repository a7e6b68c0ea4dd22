// How requests pass through a node: where they are meant for, what of them is told on, and how long a body may be.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import {
  bodyOf,
  LongBody,
  relay,
  relayInjected,
  sentAs,
  socketUrlAt,
  targetOf,
  tell,
  toldOf,
} from '../../../../src/host/cluster/passing.ts'

const request = (url?: string) =>
  ({ ...(url !== undefined && { url }), headers: { a: 'b' } }) as unknown as IncomingMessage

test.each([
  [undefined, '/', '/', null],
  ['/a', '/a', '/a', null],
  ['/a%20b?c=d', '/a b', '/a%20b', 'c=d'],
  ['/a?c=d?e', '/a', '/a', 'c=d%3Fe'],
  ['/a?', '/a', '/a', ''],
  ['/%zz', '/%zz', '/%zz', null],
  ['http://other/a?c=1', '/a', '/a', 'c=1'],
  ['HTTPS://other:1?c=1', '', '', 'c=1'],
])('%s is meant for %s', (url, path, written, query) => {
  const target = targetOf(request(url))
  expect([target.path, target.written, target.query === null ? null : String(target.query)]).toEqual([
    path,
    written,
    query,
  ])
})

test.each([
  ['http://node:1', '/stream?from=7', 'ws://node:1/stream?from=7'],
  ['https://node', '/stream', 'wss://node/stream'],
  ['http://node', 'http://elsewhere/stream', 'ws://node/stream'],
])('the same at %s of %s is %s', (node, url, there) => {
  expect(socketUrlAt(node, request(url))).toBe(there)
})

test('what is sent on is as it came, and says where it came to', () => {
  const body = Buffer.from('x')
  expect(sentAs(request('/a'), body, 'main')).toEqual({ method: 'GET', url: '/a', headers: { a: 'b' }, body })
  const told = toldOf('operators')
  expect([toldOf('main'), Object.values(told)]).toEqual([{}, ['1']])
  const post = { ...request(), method: 'POST' } as IncomingMessage
  expect(sentAs(post, body, 'operators')).toEqual({
    method: 'POST',
    url: '/',
    headers: { a: 'b', ...told },
    body,
  })
})

describe('a body', () => {
  const message = (parts: readonly string[], headers = {}) =>
    Object.assign(Readable.from(parts.map((part) => Buffer.from(part))), {
      headers,
    }) as unknown as IncomingMessage

  test('is whole up to its bound, and refused beyond', async () => {
    expect((await bodyOf(message(['ab', 'c']))).toString()).toBe('abc')
    expect((await bodyOf(message(['ab', 'c']), 3)).toString()).toBe('abc')
    await expect(bodyOf(message(['ab', 'c']), 2)).rejects.toThrow(LongBody)
  })

  test('whose length says that it is too long is not begun', async () => {
    const long = message(['ab'], { 'content-length': '3' })
    await expect(bodyOf(long, 2)).rejects.toThrow(LongBody)
    expect((long as unknown as Readable).readableDidRead).toBe(false)
    expect((await bodyOf(message(['abc'], { 'content-length': '3' }), 3)).toString()).toBe('abc')
  })
})

/** What was written to a response. */
function response(headersSent = false) {
  const written: unknown[] = []
  const out = Object.assign(new PassThrough(), {
    headersSent,
    writeHead: (status: number, headers: object) => written.push(status, headers),
    flushHeaders: () => written.push('flushed'),
  })
  return { written, out, response: out as unknown as ServerResponse }
}

const textOf = async (stream: Readable) => (await stream.toArray()).join('')

test('what a node says itself is JSON of the length it says', async () => {
  const { written, out, response: answer } = response()
  tell(answer, 503, { message: 'é' }, { 'retry-after': '1' })
  const text = await textOf(out)
  expect(text).toBe('{"message":"é"}')
  expect(written).toEqual([
    503,
    {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'retry-after': '1',
    },
  ])
  const begun = response(true)
  tell(begun.response, 500, {})
  expect([begun.written, begun.out.destroyed]).toEqual([[], true])
})

describe('an answer of another node', () => {
  const answer = (type?: string) =>
    Object.assign(new PassThrough(), { statusCode: 201, headers: { 'content-type': type } })

  test('is given as it comes', async () => {
    const { written, out, response: to } = response()
    const from = answer('application/json')
    relay(from as unknown as IncomingMessage, to)
    from.end('{}')
    expect(await textOf(out)).toBe('{}')
    expect(written).toEqual([201, from.headers])
  })

  test('that breaks breaks, and ends with whoever asked', async () => {
    const { out, response: to } = response()
    const from = answer()
    relay(from as unknown as IncomingMessage, to)
    from.emit('error', new Error('lost'))
    expect(out.destroyed).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    expect(from.destroyed).toBe(true)
  })

  test('for somebody who has gone is let go of', () => {
    const { written, out, response: to } = response()
    out.destroy()
    const from = answer('application/json')
    relay(from as unknown as IncomingMessage, to)
    expect([written, from.destroyed]).toEqual([[], true])
  })

  test('that is a stream is begun at once, and told whole event by whole event, also where it breaks', async () => {
    const { written, out, response: to } = response()
    const from = answer('text/event-stream; charset=utf-8')
    relay(from as unknown as IncomingMessage, to)
    expect(written).toEqual([201, from.headers, 'flushed'])
    from.write('data: 1\n\nda')
    await new Promise((resolve) => setImmediate(resolve))
    expect(String(out.read())).toBe('data: 1\n\n')
    from.emit('error', new Error('lost'))
    expect(out.destroyed).toBe(false)
    out.destroy()
  })
})

test('the answer to what was read for another node is told as it is', async () => {
  const { written, out, response: to } = response()
  const answer = { statusCode: 202, headers: { h: '1' }, rawPayload: Buffer.from('ok') }
  relayInjected(answer as unknown as Parameters<typeof relayInjected>[0], to)
  expect([...written, await textOf(out)]).toEqual([202, { h: '1' }, 'ok'])
})
