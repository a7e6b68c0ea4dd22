// What a hostile client is made of: many connections from an address of its own, each busy, deaf, slow or half open, until
// it is told to stop. What it did is told in words, and what it was answered by status.

import { Agent, request } from 'node:http'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Target {
  readonly url: string
  /** Of the process that is attacked. */
  readonly pid: number
  /** The attacker's position with 20,000 events. */
  readonly positionId: string
}

export interface Deed {
  /** What was done, and how often. */
  readonly words: string
  /** How often each status was answered, 0 where there was no answer; of those who do not read, to the first request. */
  readonly answers: ReadonlyMap<number, number>
}

/** Goes on until it is told to stop, and says what it did. */
export type Run = (target: Target, until: AbortSignal) => Promise<Deed>

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: object | string
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number
  readonly text: string
}

export const CONNECTIONS = 20
const PIPELINED = 2_000
/** Not the victim's: what a host allows an address is the attacker's alone to use up. */
const ADDRESS = '127.0.0.2'

/** Clients that ask again and again, each when it has its answer. */
export function busily(next: (target: Target, n: number) => Request): Run {
  let n = 0
  return clients(async (ask, target) => {
    await ask(next(target, n++))
  })
}

/** Clients that do the same work over and over; each has a connection. */
export function clients(
  work: (ask: (request: Request) => Promise<Answer>, target: Target) => Promise<void>,
  count = CONNECTIONS,
): Run {
  return async (target, until) => {
    const agent = new Agent({ keepAlive: true })
    const answers = new Map<number, number>()
    const ask = async (question: Request) => {
      const answer = await answered(target, agent, question)
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
      return answer
    }
    const client = async () => {
      while (!until.aborted) await work(ask, target)
    }
    await Promise.all(Array.from({ length: count }, client))
    agent.destroy()
    const words = [...answers].map(([status, times]) => `${named(times)} × ${status || 'cut'}`)
    return { words: words.join(', '), answers }
  }
}

const named = (count: number) => count.toLocaleString('en')

function answered({ url }: Target, agent: Agent, { method, path, headers, body }: Request): Promise<Answer> {
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '')
  const type = text !== '' && { 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const options = { method, agent, localAddress: ADDRESS, headers: { ...headers, ...type } }
    const sent = request(`${url}${path}`, options, (response) => {
      const parts: string[] = []
      response.setEncoding('latin1').on('data', (part: string) => {
        if (parts.length < 1_000) parts.push(part)
      })
      response.once('close', () => resolve({ status: response.statusCode ?? 0, text: parts.join('') }))
    })
    sent.once('error', () => resolve({ status: 0, text: '' }))
    sent.end(text)
  })
}

/** Writes as many requests as it may on connections it never reads, and comes again when it is cut off. */
export function deafly(bytes: (target: Target, n: number) => string, most = PIPELINED): Run {
  return pipelining(bytes, most, (socket) => socket.pause())
}

/** The same with one request on each, whose words have to be found first. */
export function silently(bytes: (target: Target) => Promise<string>): Run {
  return async (target, until) => {
    const said = await bytes(target)
    return deafly(() => said, 1)(target, until)
  }
}

/** The same, and reads every answer. */
export function eagerly(bytes: (target: Target, n: number) => string): Run {
  return pipelining(bytes, Number.POSITIVE_INFINITY, (socket) => socket.resume())
}

/** The same, and reads a KiB ten times a second, so that no answer waits too long for a reader. */
export function sluggishly(bytes: (target: Target, n: number) => string, most = PIPELINED): Run {
  const buffer = Buffer.alloc(1_024)
  const sips = { onread: { buffer, callback: () => false } }
  return pipelining(
    bytes,
    most,
    (socket) => {
      const sip = setInterval(() => socket.resume(), 100)
      socket.once('close', () => clearInterval(sip))
    },
    sips,
  )
}

function pipelining(
  bytes: (target: Target, n: number) => string,
  most: number,
  reading: (socket: Socket) => void,
  options: Partial<TcpNetConnectOpts> = {},
): Run {
  return async (target, until) => {
    const answers = await firstAnswer(target, bytes(target, 0))
    let [written, connections] = [0, 0]
    const client = async () => {
      while (!until.aborted) {
        const socket = connected(target, options)
        reading(socket)
        connections += 1
        for (let n = 0; n < most && !socket.destroyed && !until.aborted; n++) {
          written += 1
          if (!socket.write(bytes(target, written))) await sleep(5)
        }
        while (!socket.destroyed && !until.aborted) await sleep(20)
        socket.destroy()
        await sleep(10)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, client))
    return { words: `${named(written)} requests on ${named(connections)} connections`, answers }
  }
}

/** What the same request is answered where somebody reads. */
async function firstAnswer(target: Target, bytes: string): Promise<ReadonlyMap<number, number>> {
  const socket = connected(target)
  socket.write(bytes)
  const status = await new Promise<number>((resolve) => {
    socket.once('data', (data) => resolve(Number(data.toString('latin1').split(' ')[1])))
    socket.once('close', () => resolve(0))
  })
  socket.destroy()
  return new Map([[status, 1]])
}

/** Opens many connections, and on each writes the same beginning and then a piece ten times a second. */
export function slowly(count: number, beginning: string, piece: string): Run {
  return async (target, until) => {
    const sockets = Array.from({ length: count }, () => connected(target).resume())
    for (const socket of sockets) socket.write(beginning)
    while (!until.aborted) {
      for (const socket of sockets) socket.write(piece)
      await sleep(100)
    }
    const left = sockets.filter(({ destroyed }) => !destroyed).length
    for (const socket of sockets) socket.destroy()
    return { words: `${named(count)} connections, ${named(left)} of them to the end`, answers: new Map() }
  }
}

/** Connects, says something, and is gone. */
export function hastily(bytes: string): Run {
  return async (target, until) => {
    const answers = await firstAnswer(target, bytes)
    return leaving(target, until, answers, (socket) => {
      socket.once('connect', () => socket.write(bytes, () => socket.destroy()))
    })
  }
}

/** Connects, says something, and is gone when it begins to be answered. */
export function briefly(bytes: (target: Target) => Promise<string>): Run {
  return async (target, until) => {
    const said = await bytes(target)
    const answers = await firstAnswer(target, said)
    return leaving(target, until, answers, (socket) => {
      socket.once('connect', () => socket.write(said))
      socket.once('data', () => socket.destroy())
    })
  }
}

async function leaving(
  target: Target,
  until: AbortSignal,
  answers: Deed['answers'],
  begin: (socket: Socket) => void,
): Promise<Deed> {
  let connections = 0
  const client = async () => {
    while (!until.aborted) {
      const socket = connected(target)
      const gone = new Promise((resolve) => socket.once('close', resolve))
      begin(socket)
      await gone
      connections += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return { words: `${named(connections)} connections`, answers }
}

function connected({ url }: Target, options: Partial<TcpNetConnectOpts> = {}): Socket {
  const { hostname, port } = new URL(url)
  return connect({ port: Number(port), host: hostname, localAddress: ADDRESS, ...options }).on(
    'error',
    () => {},
  )
}

/** A request as it goes over the wire. */
export function text(line: string, headers: Record<string, string>, body = ''): string {
  const length = body !== '' && { 'content-type': 'application/json', 'content-length': String(body.length) }
  const lines = Object.entries({ host: 'venue', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
