// What a node says of shards that it owns and cannot open, and when it tries again.
import { expect, test } from 'vitest'
import { LEASE_MS, nodeAlone, OTHER } from './nodeAlone.ts'

/** Looks for so long, as often as a node does. */
async function looksFor({ node, time }: ReturnType<typeof nodeAlone>, ms: number): Promise<void> {
  for (const until = time.now + ms; time.now < until; ) {
    time.now += LEASE_MS / 6
    await node.look()
    // What is opened may fail before the next look.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

test('a shard that cannot be opened is tried again more and more seldom, and what keeps it is said once', async () => {
  const alone = nodeAlone()
  const { opening, notices, node } = alone
  opening.fails = 'commit 7 is missing'
  await looksFor(alone, 180_000)
  const waits = opening.at.map((at, index) => at - (opening.at[index - 1] ?? 0)).slice(1)
  for (const [index, least] of [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(least)
    // Until the next look.
    expect(waits[index]).toBeLessThanOrEqual(least + LEASE_MS / 6)
  }
  expect(notices).toEqual(['shard 0 could not be opened, and is tried again: Error: commit 7 is missing'])
  expect(node.failuresOf).toEqual(new Map([[0, opening.at.length]]))

  opening.fails = 'commit 9 is missing'
  await looksFor(alone, 31_000)
  expect(notices[1]).toBe('shard 0 could not be opened, and is tried again: Error: commit 9 is missing')
  opening.fails = null
  await looksFor(alone, 31_000)
  expect(notices.slice(2)).toEqual([`shard 0 is open: it had failed ${opening.at.length - 1} times`])
  expect(node.failuresOf.size).toBe(0)
})

test('the database is told once what keeps a shard from being opened, from the second failure on, and that it is open', async () => {
  const alone = nodeAlone()
  const { opening, told, node, view } = alone
  opening.fails = 'no answer'
  await node.look()
  opening.fails = null
  await looksFor(alone, 5_000)
  expect(told).toEqual([])

  const failing = nodeAlone()
  failing.opening.fails = 'commit 7\nis missing'
  await looksFor(failing, 60_000)
  expect(failing.told).toEqual([[0, 'Error: commit 7 is missing']])
  failing.opening.fails = 'x'.repeat(1_000)
  await looksFor(failing, 31_000)
  expect(failing.told.slice(1)).toEqual([[0, `Error: ${'x'.repeat(493)}`]])
  failing.opening.fails = null
  await looksFor(failing, 31_000)
  expect(failing.told.slice(2)).toEqual([[0, null]])

  // What another owner said who has gone is over once it is open here; what is another's is left to them.
  const [row] = view.shards
  const trouble = { reason: 'commit 7 is missing', since: 1 }
  view.shards = [{ ...(row as (typeof view.shards)[0]), trouble }]
  await looksFor(alone, 1_000)
  expect(told).toEqual([[0, null]])
  view.nodes.push({ ...OTHER, renewals: 0 })
  view.shards = [{ ...(row as (typeof view.shards)[0]), owner: OTHER.life, trouble }]
  await node.look()
  expect(told).toHaveLength(1)
})

test('a shard that could not be opened is tried at once when the database answers again, or it comes back', async () => {
  const alone = nodeAlone()
  const { opening, time, node, view } = alone
  opening.fails = 'no connection'
  await looksFor(alone, 60_000)
  time.isSilent = true
  await node.look()
  time.isSilent = false
  const tries = opening.at.length
  await looksFor(alone, LEASE_MS / 6)
  expect(opening.at.length).toBe(tries + 1)

  const [row] = view.shards
  view.nodes.push({ ...OTHER, renewals: 0 })
  view.shards = [{ ...(row as (typeof view.shards)[0]), owner: OTHER.life }]
  await node.look()
  expect(node.failuresOf.size).toBe(0)
})
