/** How many connections one address may have open, so that nobody takes all there are (K4). */
import type { Socket } from 'node:net'
import { networkOf } from './network.ts'

/** Where a connection comes from. */
export type Remote = Pick<Socket, 'remoteAddress' | 'remotePort'>

export class ConnectionBound {
  readonly #most: number
  /** Of each network, its connections that count. */
  readonly #counted = new Map<string, Set<string>>()

  /** Of IPv6 it is a network that may have so many. */
  constructor(most: number) {
    this.#most = most
  }

  /** Lets a connection in, or ends it. */
  take(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '')
    const counted = this.#counted.get(network) ?? new Set()
    if (counted.size >= this.#most) return void socket.destroy()
    const remote = keyOf(socket)
    this.#counted.set(network, counted.add(remote))
    socket.once('close', () => this.#forget(network, remote))
  }

  /** It counts no longer: what comes over it is bounded elsewhere. */
  trust(connection: Remote): void {
    this.#forget(networkOf(connection.remoteAddress ?? ''), keyOf(connection))
  }

  #forget(network: string, remote: string): void {
    const counted = this.#counted.get(network)
    counted?.delete(remote)
    if (counted?.size === 0) this.#counted.delete(network)
  }
}

/** No two connections that are open have the same. */
function keyOf({ remoteAddress, remotePort }: Remote): string {
  return `${remoteAddress} ${remotePort}`
}
