// Orders that fill, and what is told of them to listeners of one account each, until it is with their connections, which take it and do nothing
// else: what a stream costs beside the order and the system.

import path from 'node:path'
import { ONE } from '../../src/index.ts'
import { accountId, benchVenue, marketId, must } from '../venue.ts'
import type { Library, Portion } from './works.ts'

type Hub = Pick<typeof import('../../src/host/stream/hub.ts'), 'StreamHub'>
type Streams = Pick<typeof import('../../src/host/stream/listener.ts'), 'Listener'> &
  Pick<typeof import('../../src/host/stream/eventStream.ts'), 'EventStream'>

const [LISTENERS, ORDERS, ORDERS_A_TURN] = [2_000, 200, 4]

export async function told({ createEngine }: Library, sources: string): Promise<Portion> {
  const file = (name: string) => import(path.join(sources, 'host', 'stream', `${name}.ts`))
  const { StreamHub }: Hub = await file('hub')
  const { Listener, EventStream }: Streams = { ...(await file('listener')), ...(await file('eventStream')) }
  const engine = benchVenue({ accounts: LISTENERS }, {}, createEngine)
  const failed = (error: unknown) => {
    throw error
  }
  const hub = new StreamHub(engine, failed)
  let fills = 0
  const connection = new Taker((text) => {
    if (text.includes('"status":"executed"')) fills += 1
  })
  for (let n = 0; n < LISTENERS; n++) {
    const terms = { userId: `${n}`, accountIds: [accountId(n)], hearsAll: false, obstacle: () => null }
    const outlet = new EventStream(connection.reply as never)
    const listener = new Listener({ ...terms, outlet })
    hub.add(listener)
    await listener.begin([], engine.head)
  }
  let orders = 0
  return {
    timed: async () => {
      for (let n = 0; n < ORDERS; n++) {
        const order = { accountId: accountId(orders++ % LISTENERS), marketId: marketId(0) } as const
        const terms = {
          orderType: 'market',
          direction: 'long',
          amount: 20n * ONE,
          leverage: 5n * ONE,
        } as const
        must(engine, { type: 'placeOrder', ...order, ...terms })
        if (orders % ORDERS_A_TURN === 0) await turn()
      }
      while (fills < orders) await turn()
    },
    close: async () => hub.close(),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A connection as `EventStream` needs one. Text is encoded, as it is on its way to the system. */
class Taker {
  readonly writableLength = 0
  readonly writable = true
  readonly writableNeedDrain = false
  readonly destroyed = false
  readonly #bytes = Buffer.alloc(1_048_576)
  readonly #onText: (text: string) => void

  constructor(onText: (text: string) => void) {
    this.#onText = onText
  }

  get reply(): object {
    const nothing = () => {}
    const answer = {
      once: nothing,
      on: nothing,
      setHeader: nothing,
      writeHead: nothing,
      flushHeaders: nothing,
    }
    const raw = { ...answer, socket: this, writableEnded: false, end: nothing, destroy: nothing }
    return { raw, getHeaders: () => ({}), hijack: nothing }
  }

  write(text: string | Buffer, encoding: BufferEncoding = 'utf8'): boolean {
    if (typeof text === 'string') this.#bytes.write(text, encoding)
    else text.copy(this.#bytes)
    this.#onText(text.toString())
    return true
  }
}
