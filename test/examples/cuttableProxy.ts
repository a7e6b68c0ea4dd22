// A way to a server that can be cut: everything that is open on it is, and whoever comes again is let through.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class CuttableProxy {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  /** Connections that were cut. */
  cuts = 0
  /** Pieces with a price in them that the server's side sent. */
  prices = 0

  constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1')
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(one)
        one.on('error', () => {})
        one.once('close', () => {
          this.#open.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
      far.on('data', (piece) => {
        if (piece.includes('"type":"price"')) this.prices += 1
      })
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  cut(): void {
    this.cuts += this.#open.size / 2
    for (const socket of this.#open) socket.destroy()
  }

  close(): Promise<unknown> {
    this.cut()
    return new Promise((closed) => this.#server.close(closed))
  }
}
