// What lies between a node and its database servers, and may be cut or stall.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class DatabaseLink {
  /** Where the node finds the servers, as a connection URL has it. */
  readonly url: string
  readonly #listening: readonly Server[]
  readonly #sockets = new Set<Socket>()
  #state: 'open' | 'cut' | 'stalled' = 'open'

  private constructor(listening: readonly Server[]) {
    this.#listening = listening
    const hosts = listening.map((server) => `127.0.0.1:${(server.address() as { port: number }).port}`)
    this.url = `postgres://postgres@${hosts.join(',')}/postgres`
  }

  /** To servers by their `host:port`. */
  static async to(...hosts: readonly string[]): Promise<DatabaseLink> {
    let link: DatabaseLink
    const listening = hosts.map((host) => createServer((socket) => link.#join(socket, host)))
    for (const server of listening) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    link = new DatabaseLink(listening)
    return link
  }

  /** Every connection ends, and none is made until it is opened. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Nothing comes through in either direction, and nobody is told. */
  stall(): void {
    this.#state = 'stalled'
    for (const socket of this.#sockets) socket.pause()
  }

  /** What stalled comes through now. */
  open(): void {
    this.#state = 'open'
    for (const socket of this.#sockets) socket.resume()
  }

  close(): void {
    this.cut()
    for (const server of this.#listening) server.close()
  }

  #join(near: Socket, host: string): void {
    if (this.#state === 'cut') return void near.destroy()
    const [name, port] = host.split(':') as [string, string]
    const far = connect(Number(port), name)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      // Not piped: that would resume what stalls.
      from.on('data', (chunk) => to.write(chunk))
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#state === 'stalled') from.pause()
    }
  }
}
