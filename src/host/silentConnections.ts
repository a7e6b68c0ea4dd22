/**
 * Connections over which nothing has come yet. Browsers and clients open them before they have anything to ask, and Node takes them for
 * busy: a server that closes would wait for a request that nobody sends.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** What was sent just before a server closes has come in by then, ms. */
export const HUSH_MS = 100

/** To be called before the server listens. @returns what is to be called when it closes: whoever stays silent is let go of from then on. */
export function silentLetGo(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    const sweep = setInterval(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, HUSH_MS)
    server.once('close', () => clearInterval(sweep))
  }
}
