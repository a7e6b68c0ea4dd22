// HTTP as bytes: for requests that no client library would send.

import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends bytes, closes the sending side, and reads until the server closes. Rejects when it takes too long. */
export function raw(url: string, bytes: string | Buffer, timeoutMs = 10_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer to ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}`))
    }, timeoutMs)
    socket.on('connect', () => socket.end(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(parse(Buffer.concat(chunks).toString('utf8')))
    })
  })
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const head = end === -1 ? text : text.slice(0, end)
  const rest = end === -1 ? '' : text.slice(end + 4)
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest }
}

/** A whole request with its length stated. */
export function request(line: string, headers: Record<string, string>, body: string | Buffer = ''): Buffer {
  const bytes = Buffer.from(body)
  const lines = Object.entries({
    host: 'venue',
    connection: 'close',
    ...(bytes.length > 0 && { 'content-length': String(bytes.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/**
 * Sends requests all at once over one connection, from an address of the sender's choice, and reads the answers in
 * their order. Every answer must state its length; answers to `bodiless` requests have none.
 */
export function rawSequence(
  url: string,
  requests: readonly { readonly bytes: string | Buffer; readonly bodiless: boolean }[],
  localAddress = '127.0.0.1',
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, localAddress })
    const answers: RawAnswer[] = []
    const chunks: Buffer[] = []
    /** Bytes that have come, and how many the answer that comes next is known to need. */
    let length = 0
    let needed = 0
    const cut = () =>
      new Error(`cut off: ${requests[answers.length]?.bytes.toString('latin1').slice(0, 200)}`)
    socket.setTimeout(10_000, () => socket.destroy(cut()))
    socket.on('connect', () => {
      for (const { bytes } of requests) socket.write(bytes)
    })
    socket.on('error', reject)
    socket.on('close', () => (answers.length === requests.length ? resolve(answers) : reject(cut())))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      length += chunk.length
      if (length < needed) return
      let pending = Buffer.concat(chunks.splice(0))
      needed = 0
      for (let whole = wholeAnswer(pending); whole !== null; whole = wholeAnswer(pending)) {
        if (pending.length < whole) {
          needed = whole
          break
        }
        answers.push(parse(pending.toString('utf8', 0, whole)))
        pending = pending.subarray(whole)
      }
      chunks.push(pending)
      length = pending.length
      if (answers.length === requests.length) socket.end()
    })

    function wholeAnswer(pending: Buffer): number | null {
      const end = pending.indexOf('\r\n\r\n')
      if (end === -1) return null
      const stated = /^content-length: (\d+)$/im.exec(pending.toString('latin1', 0, end))?.[1] ?? '0'
      return end + 4 + (requests[answers.length]?.bodiless ? 0 : Number(stated))
    }
  })
}
