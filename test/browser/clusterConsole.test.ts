// What the operator's console shows of a cluster: real nodes over a real PostgreSQL, one of which dies.

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bundleConsole } from '../../src/host/console/bundle.ts'
import { OPERATOR, RealCluster } from '../cluster/realCluster.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { Browser, hasChromium } from './chromium.ts'
import { DESK, PATIENTLY, signIn } from './consoleVenue.ts'

const SHARDS = 4

describe.skipIf(!hasChromium || whyNoServer !== null)('the console of a cluster', () => {
  test('maps every shard to the node that has it, and follows one that is taken over', async () => {
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    const cluster = await RealCluster.make({ shards: SHARDS, traders: 8, leaseMs: 2_000 })
    onTestFinished(() => cluster.remove())
    await withConsole(path.dirname(cluster.program))
    const north = await cluster.start('north', server.url)
    await cluster.start('south', server.url)
    await cluster.start('west', server.url)
    const owners = async () => (await cluster.shards('north'))?.map(({ owner }) => owner) ?? []
    await expect.poll(async () => new Set(await owners()).size, PATIENTLY).toBe(3)

    const browser = await Browser.start({ offline: false })
    onTestFinished(() => browser.end())
    const page = await browser.page()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.setViewportSize(DESK)
    await page.goto(`${north.url}/console#health`)
    await signIn(page, OPERATOR)
    const map = page.locator('section', { hasText: 'as node north sees it' })
    /** The shards as the map shows them, each with the node that it stands beneath. */
    const mapped = () => page.evaluate(MAPPED) as Promise<(readonly [shard: number, node: string])[]>
    const asTold = async () => (await owners()).map((owner, shard) => [shard, owner ?? 'Without a node'])
    const inOrder = async () => (await mapped()).toSorted((a, b) => a[0] - b[0])
    const agree = () =>
      expect
        .poll(async () => [await inOrder(), await asTold()], PATIENTLY)
        .toSatisfy(([shown, told]) => JSON.stringify(shown) === JSON.stringify(told))
    await agree()
    expect(new Set((await mapped()).map(([, name]) => name))).toEqual(new Set(['north', 'south', 'west']))

    await cluster.end('west', 'SIGKILL')
    await expect.poll(async () => new Set(await owners()), PATIENTLY).toEqual(new Set(['north', 'south']))
    await agree()
    expect(await map.textContent()).not.toContain('west')

    // Every shard's accounts, whichever node has them.
    const traders = new Set<string>()
    for (let shard = 0; shard < SHARDS; shard++) {
      await page.getByLabel('Shard that is looked at').selectOption(String(shard))
      await page.click('nav a[href="#accounts"]')
      const own = cluster.traders.filter((trader) => trader.shard === shard)
      const shownAs = own.length === 0 ? 'No account' : `1–${own.length} of ${own.length}`
      await expect.poll(() => page.locator('main').textContent(), PATIENTLY).toContain(shownAs)
      for (const { accountId } of own) traders.add(accountId)
      await page.click('nav a[href="#log"]')
      await expect.poll(() => page.locator('.log li').count(), PATIENTLY).toBeGreaterThan(0)
    }
    expect(traders.size).toBe(cluster.traders.length)
    expect(complaints).toEqual([])
  }, 300_000)
})

const MAPPED = `[...document.querySelectorAll('.node')].flatMap((node) => {
  const name = node.querySelector('h3').textContent.replace(' (this one)', '')
  return [...node.querySelectorAll('tbody tr')].map((row) => [Number(row.cells[0].textContent), name])
})`

/** Its files beside the program of the nodes, as a release has them. */
async function withConsole(folder: string): Promise<void> {
  const packed = path.join(folder, 'packed')
  await mkdir(packed)
  const page = fileURLToPath(new URL('../../src/host/console/page/', import.meta.url))
  for (const [name, text] of await bundleConsole(page)) await writeFile(path.join(packed, name), text)
}
