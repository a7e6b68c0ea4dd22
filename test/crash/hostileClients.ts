// Clients that nobody wants: they never read, send half of something or nothing that means anything, and come back.

import { connect, type Socket } from 'node:net'
import { ALICE } from '../host/venue.ts'
import type { Chance } from '../store/traffic.ts'

const KINDS = ['never reads', 'half a request', 'garbage', 'reconnects', 'slow'] as const

export type Hostility = (typeof KINDS)[number]

export const HOSTILITIES: readonly Hostility[] = KINDS

export class HostileClients {
  readonly seen = new Set<Hostility>()
  readonly #port: number
  readonly #chance: Chance
  readonly #sockets = new Set<Socket>()
  #going = true

  constructor(url: string, chance: Chance) {
    this.#port = Number(new URL(url).port)
    this.#chance = chance
  }

  /** Goes on until it is stopped; what the host does to a connection is its own affair. */
  async run(clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.#client()))
  }

  stop(): void {
    this.#going = false
    for (const socket of this.#sockets) socket.destroy()
  }

  async #client(): Promise<void> {
    while (this.#going) {
      const kind = this.#chance.of(KINDS)
      this.seen.add(kind)
      const socket = this.#connect()
      if (kind === 'never reads') {
        socket.pause()
        for (let request = 0; request < 50; request++)
          socket.write(get(`/orders/${ALICE.accountId}/BTC/history?limit=100`))
      }
      if (kind === 'half a request') socket.write(get('/v2/markets').slice(0, 20 + this.#chance.below(40)))
      if (kind === 'garbage')
        socket.write(Buffer.from(Array.from({ length: 400 }, () => this.#chance.below(256))))
      if (kind === 'slow')
        for (const character of get('/v2/markets').slice(0, 30)) await this.#write(socket, character)
      await sleep(kind === 'reconnects' ? 1 : 20)
      if (kind === 'reconnects' || this.#chance.below(2) === 0) socket.destroy()
    }
  }

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1')
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }

  async #write(socket: Socket, text: string): Promise<void> {
    if (!socket.destroyed) socket.write(text)
    await sleep(1)
  }
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: venue\r\nauthorization: Bearer ${ALICE.key}\r\n\r\n`
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
