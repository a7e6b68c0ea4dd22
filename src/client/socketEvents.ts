/** The stream over a WebSocket: the token is in the first message, because browsers give a WebSocket no headers. */
import type { ErrorBody } from '../resources/errorBody.ts'
import { ApiError } from './apiError.ts'
import type { SentEvent } from './sentEvent.ts'

/** A WebSocket as browsers, Node from version 22 and the package `ws` have it. */
export interface StreamSocket {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  send(text: string): void
  close(): void
}

/** Makes them, such as `WebSocket`. */
export type StreamSocketClass = new (url: string) => StreamSocket

/** What a socket is opened for. */
export interface SocketOpening {
  readonly token: string
  readonly accountIds?: readonly string[]
  readonly from?: number
}

/**
 * Characters that wait for their reader. Nothing tells the other side of a WebSocket to wait, so whoever reads more slowly lets
 * the connection go, and goes on where it was.
 */
const MOST_WAITING = 4_194_304

/** Messages until the connection ends. @throws ApiError where the venue refuses it, Error where it cannot be had. */
export async function* socketEvents(
  Socket: StreamSocketClass,
  url: string,
  opening: SocketOpening,
  signal: AbortSignal,
): AsyncGenerator<SentEvent, void> {
  const socket = new Socket(url)
  const texts: string[] = []
  let waiting = 0
  let isOver = false
  let hasFailed = false
  let wake = () => {}
  const end = () => {
    isOver = true
    wake()
  }
  socket.addEventListener('open', () => socket.send(JSON.stringify(opening)))
  socket.addEventListener('message', ({ data }) => {
    const text = String(data)
    if (isOver) return
    waiting += text.length
    texts.push(text)
    if (waiting > MOST_WAITING) end()
    wake()
  })
  socket.addEventListener('error', () => {
    hasFailed = true
    end()
  })
  socket.addEventListener('close', end)
  signal.addEventListener('abort', end)
  try {
    for (;;) {
      const text = texts.shift()
      if (text !== undefined) {
        waiting -= text.length
        yield sent(text)
      } else if (isOver) break
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    if (hasFailed) throw new Error(`${url} cannot be reached`)
  } finally {
    signal.removeEventListener('abort', end)
    socket.close()
  }
}

/** A refusal after the handshake is the body that HTTP would answer with. */
function sent(text: string): SentEvent {
  const { id, ...message } = JSON.parse(text) as { readonly id?: number } & (
    | { readonly type: string }
    | ErrorBody
  )
  if ('type' in message) return { id: id ?? null, message }
  throw new ApiError(message, { request: 'GET /stream', requestId: null, retryAfter: null })
}
