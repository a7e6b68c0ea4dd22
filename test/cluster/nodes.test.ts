// Three real nodes over a real PostgreSQL, under load: killed, frozen past the lease, restarted, and without a database.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../bundle.ts'
import { LOADED_VENUE } from '../crash/hostLoad.ts'
import { HostProcess } from '../crash/hostProcess.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'

const LEASE_MS = 1_000
/** Otherwise one node is killed, and no more. */
const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
const OPERATOR = 'operator-of-the-cluster'
const MARKET = LOADED_VENUE.markets[0] as { id: string }
const TRADERS = Array.from({ length: 6 }, (_, at) => ({
  id: `00000000-0000-4000-8000-0000000000${10 + at}`,
  key: `key-of-trader-${at}`,
  accountId: `00000000-0000-4000-8000-0000000001${10 + at}`,
}))
const CONFIGURATION = {
  ...LOADED_VENUE,
  operatorToken: OPERATOR,
  rateLimit: null,
  cluster: { shards: 4, secret: 'between nodes' },
  users: TRADERS.map(({ id, key }) => ({
    id,
    sessionToken: `session of ${key}`,
    apiKeys: [{ key, expiresAt: null }],
  })),
  accounts: TRADERS.map(({ id, accountId }) => ({ ...LOADED_VENUE.accounts[0], id: accountId, userId: id })),
}

const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-nodes-'))
afterAll(async () => {
  for (const host of HostProcess.running) await host.end('SIGKILL')
  await rm(folder, { recursive: true })
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test.skipIf(whyNoServer !== null)(
  'nodes come and go under load: every order is there once, no list goes back',
  async () => {
    const program = bundle('src/cli/main.ts', folder)
    const configuration = path.join(folder, 'venue.json')
    await writeFile(configuration, JSON.stringify(CONFIGURATION))
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    const start = (name: string) =>
      HostProcess.start(
        process.execPath,
        ...[program, 'serve', '--config', configuration, '--port', '0', '--log-level', 'silent'],
        ...['--postgres', server.url, '--node', name, '--lease', String(LEASE_MS)],
      )
    const nodes = await Promise.all(['a', 'b', 'c'].map(start))
    let running = true
    const failures: string[] = []
    const acknowledged = TRADERS.map(() => new Map<string, string>())

    async function call(url: string, method: string, at: string, token: string, body?: object, key?: string) {
      const headers: Record<string, string> = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      }
      if (key !== undefined) headers['x-idempotency-key'] = key
      const init = { method, headers, signal: AbortSignal.timeout(3_000) }
      const answer = await fetch(
        `${url}${at}`,
        body === undefined ? init : { ...init, body: JSON.stringify(body) },
      )
      return { status: answer.status, body: (await answer.json()) as never }
    }

    /** Places order after order, each until its outcome is known, and reads in between: what was there stays there. */
    async function trade(at: number): Promise<void> {
      const { key: token, accountId } = TRADERS[at] as (typeof TRADERS)[number]
      const known = acknowledged[at] as Map<string, string>
      const some = () => (nodes[Math.floor(Math.random() * nodes.length)] as HostProcess).url
      while (running) {
        const key = randomUUID()
        const order = {
          ...{ accountId, marketId: MARKET.id, type: 'limit', direction: 'long' },
          ...{ amount: '1000000000000', leverage: '1000000000', triggerPrice: '1000000000' },
        }
        for (let id: string | null = null; id === null && running; ) {
          const answer = await call(some(), 'POST', '/orders', token, order, key).catch(() => null)
          if (answer?.status === 201) {
            id = (answer.body as { id: string }).id
            known.set(key, id)
          } else if (answer !== null && ![503, 409].includes(answer.status))
            failures.push(JSON.stringify(answer))
        }
        const before = [...known.values()]
        const read = await call(some(), 'GET', `/orders/${accountId}/active`, token).catch(() => null)
        if (read?.status !== 200) continue
        const there = new Set((read.body as { id: string }[]).map(({ id }) => id))
        for (const id of before) if (!there.has(id)) failures.push(`${id} was acknowledged and is not read`)
        if (known.size > 60) return
      }
    }

    const health = async (node: HostProcess) =>
      (await call(node.url, 'GET', '/operator/health', OPERATOR)).body as Health
    async function served(): Promise<void> {
      for (let tries = 0; tries < 100; tries++) {
        const answers = await Promise.all(
          TRADERS.map(({ key, accountId }) =>
            call((nodes[0] as HostProcess).url, 'GET', `/orders/${accountId}/active`, key).catch(() => null),
          ),
        )
        if (answers.every((answer) => answer?.status === 200)) return
        await pause(50)
      }
      throw new Error('not every shard is served')
    }

    async function moreFaults(): Promise<void> {
      // Frozen for longer than its lease, it wakes up and answers nothing that is old.
      nodes.push(await start('c'))
      nodes[1]?.signal('SIGSTOP')
      await pause(2.5 * LEASE_MS)
      nodes[1]?.signal('SIGCONT')
      await served()

      await server.kill()
      await pause(300)
      await server.run()
      await served()

      expect(await nodes[1]?.end('SIGTERM')).toBe(0)
      nodes[1] = await start('b')
      await pause(300)
    }

    await served()
    const price = { type: 'updatePrice', marketId: MARKET.id, indexPrice: '50000000000000' }
    const told = await call((nodes[1] as HostProcess).url, 'POST', '/operator/commands', OPERATOR, price)
    expect(told).toMatchObject({ status: 200, body: { results: [{ ok: true }] } })
    expect((told.body as Told).results[0]?.shards.map(({ shard }) => shard)).toEqual([0, 1, 2, 3])

    const load = Promise.all(TRADERS.map((_, at) => trade(at)))
    await pause(300)
    const killed = performance.now()
    await nodes[2]?.end('SIGKILL')
    nodes.pop()
    await served()
    expect(performance.now() - killed).toBeLessThan(LEASE_MS + 10_000)

    if (NIGHTLY) await moreFaults()
    running = false
    await load
    await served()

    expect(failures).toEqual([])
    for (const [at, { key: token, accountId }] of TRADERS.entries()) {
      const { body } = await call((nodes[0] as HostProcess).url, 'GET', `/orders/${accountId}/active`, token)
      const ids = (body as { id: string }[]).map(({ id }) => id)
      const known = [...(acknowledged[at] as Map<string, string>).values()]
      expect(new Set(known).size).toBe(known.length)
      expect(ids).toEqual(expect.arrayContaining(known))
      // One at most was given up with its outcome unknown.
      expect(ids.length - known.length).toBeLessThanOrEqual(1)
      expect(known.length).toBeGreaterThan(0)
    }
    const { shards } = await health(nodes[0] as HostProcess)
    expect(shards.every(({ owner }) => owner !== null)).toBe(true)
    for (const node of [...nodes].reverse()) expect(await node.end('SIGTERM')).toBe(0)
  },
)

interface Health {
  readonly shards: readonly { readonly shard: number; readonly owner: string | null }[]
}

interface Told {
  readonly results: readonly { readonly shards: readonly { readonly shard: number }[] }[]
}
