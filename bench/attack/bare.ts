// What Node's own server does under an attack, without a venue behind it: it answers with a list as long as the attacker's,
// and nothing besides. Speaks as ./host.ts does.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { Holds } from '../scale/held.ts'
import { loopTime } from './loopTime.ts'

const order = Object.fromEntries(Array.from({ length: 29 }, (_, n) => [`field${n}`, `${n}000000000`]))
const list = Array.from({ length: 500 }, () => order)
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(request.url?.startsWith('/orders/') ? JSON.stringify(list) : '{}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.stdout.write(`${JSON.stringify({ url, pid: process.pid, positionId: '' })}\n`)
const holds = new Holds(() => loopTime(process.pid))
for await (const _ of createInterface(process.stdin))
  process.stdout.write(`${JSON.stringify({ peak: 0, live: 0, hold: holds.longest().processor })}\n`)
