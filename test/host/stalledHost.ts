// A client beside a host whose loop really stands still: it sends meanwhile what it sends, from a thread of its own.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { PATIENCE_MS } from '../../src/host/stillThere.ts'

/** What a client does while nobody listens: it closes or resets the connection, ends its half of it, or waits. */
export type Leaving = 'closed' | 'reset' | 'half closed' | 'there'

/** In a thread: connects, sends, waits for its patience to run out, leaves, and has the loop go on. Tells all that it was answered. */
const CLIENT = `
const { connect } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const { port, bytes, how, isEarly, patienceMs, signal } = workerData
const flag = new Int32Array(signal)
let answer = ''
function open(then) {
  const socket = connect(port, '127.0.0.1', () => then(socket))
  socket.on('data', (chunk) => (answer += chunk))
  socket.on('error', () => {})
  socket.on('close', () => parentPort.postMessage(answer))
}
function ask(socket) {
  socket.write(Buffer.from(bytes))
  setTimeout(() => {
    if (how === 'closed') socket.destroy()
    if (how === 'reset') socket.resetAndDestroy()
    if (how === 'half closed') socket.end()
    setTimeout(() => {
      Atomics.store(flag, 0, 1)
      Atomics.notify(flag, 0)
    }, 50)
  }, patienceMs)
}
const begin = (then) => {
  parentPort.once('message', then)
  parentPort.postMessage('ready')
}
if (isEarly) open((socket) => begin(() => ask(socket)))
else begin(() => open(ask))
`

/**
 * Sends a request while this process stands still, which goes on once its client has left. Gives what the client was told: all that came
 * before its connection was closed. `isEarly`: it was connected before.
 */
export async function askedWhileStalled(
  url: string,
  bytes: Buffer,
  how: Leaving,
  isEarly: boolean,
): Promise<string> {
  const signal = new SharedArrayBuffer(4)
  const workerData = { port: Number(new URL(url).port), bytes, how, isEarly, patienceMs: PATIENCE_MS, signal }
  const client = new Worker(CLIENT, { eval: true, workerData })
  await once(client, 'message')
  const told = once(client, 'message')
  // A connection that was made is taken before nobody takes any more.
  await new Promise((resolve) => setTimeout(resolve, 20))
  client.postMessage('ask')
  if (Atomics.wait(new Int32Array(signal), 0, 0, 20_000) === 'timed-out') throw new Error('no client')
  const [answer] = await told
  await client.terminate()
  return answer
}
