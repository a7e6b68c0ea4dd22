// The victim, in a process of its own: connects and says that it is ready, and once it is told to begin, asks for its positions
// and places orders, one request after the other, and tells how long each took.

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { loopTime } from './loopTime.ts'
import { MARKET, VICTIM } from './parties.ts'

export interface Told {
  readonly delays: readonly Delay[]
  /** What it was told beside what it asked for, or that it was cut off. */
  readonly refused: readonly string[]
}

export interface Delay {
  /** ms */
  readonly clock: number
  /** What the host's loop has had of the processor meanwhile, ms. */
  readonly processor: number
}

const [url = '', pid = '', seconds = '1', how = ''] = process.argv.slice(2)
const host = Number(pid)
const agent = new Agent({ keepAlive: how !== 'anew' })
const authorization = `Bearer ${VICTIM.session}`
const order = JSON.stringify({
  accountId: VICTIM.accountId,
  marketId: MARKET,
  type: 'market',
  direction: 'long',
  amount: '100000000000',
  leverage: '5000000000',
})

const refused = new Set<string>()

function timed(method: 'GET' | 'POST', path: string, body: string): Promise<Delay> {
  const began = performance.now()
  const used = loopTime(host)
  const headers = { authorization, ...(body !== '' && { 'content-type': 'application/json' }) }
  return new Promise((resolve) => {
    const done = () => resolve({ clock: performance.now() - began, processor: loopTime(host) - used })
    const sent = request(`${url}${path}`, { method, agent, headers }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('')
      if ((response.statusCode ?? 500) >= 300) refused.add(`${method} ${response.statusCode} ${text}`)
      done()
    })
    sent.once('error', (error) => {
      refused.add(`${method} ${error.message}`)
      done()
    })
    sent.end(body)
  })
}

const looks = () => timed('GET', `/positions/${VICTIM.accountId}/active`, '')

await looks()
process.send?.('ready')
await once(process, 'message')
const delays: Delay[] = []
for (const end = performance.now() + Number(seconds) * 1_000; performance.now() < end; await sleep(2)) {
  delays.push(await timed('POST', '/orders', order))
  delays.push(await looks())
}
const told: Told = { delays, refused: [...refused] }
process.send?.(told)
process.disconnect()
agent.destroy()
