// More connections than there are file descriptors, from many addresses and by nobody in particular: the log goes on, and so does
// whoever is connected (K4).

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../bundle.ts'
import { HostProcess } from '../crash/hostProcess.ts'
import { ALICE, CONFIGURATION, OPERATOR } from './venue.ts'

const LIMIT = 200
const ADDRESSES = 5

let folder: string
let host: HostProcess

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-descriptors-'))
  const configuration = path.join(folder, 'venue.json')
  await writeFile(configuration, JSON.stringify(CONFIGURATION))
  const program = bundle('test/host/fewDescriptors.ts', folder)
  const serving = [process.execPath, program, configuration, path.join(folder, 'data')]
  host = await HostProcess.start('sh', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh', ...serving)
}, 60_000)

afterAll(async () => {
  agent.destroy()
  await host.end('SIGKILL')
  await rm(folder, { recursive: true })
})

/** Of somebody who is connected, and stays so. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function deposit(): Promise<number> {
  const body = JSON.stringify({ type: 'adjustBalance', accountId: ALICE.accountId, amount: '1000000000' })
  const headers = { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${host.url}/operator/commands`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('error', reject).end(body)
  })
}

test('a new file of the log and a snapshot still find one', { timeout: 60_000 }, async () => {
  expect(await deposit()).toBe(200)
  const port = Number(new URL(host.url).port)
  const sockets: Socket[] = []
  let refused = 0
  for (let n = 0; n < 2 * LIMIT; n++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % ADDRESSES)}` })
    socket.on('error', () => {})
    socket.once('close', () => refused++)
    sockets.push(socket)
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  }
  for (let n = 0; n < 100; n++) expect(await deposit(), `${n}: ${host.complaints}`).toBe(200)
  expect(refused, 'there were more than fit').toBeGreaterThan(LIMIT)
  for (const socket of sockets) socket.destroy()
})
