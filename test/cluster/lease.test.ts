// What a node may answer, held to its lease: by its own clock, from before the renewal was sent.
import { expect, test } from 'vitest'
import { LEASE_MS, nodeAlone, OTHER, runFor } from './nodeAlone.ts'

test('a lease counts from before its renewal was sent, however late the answer comes', async () => {
  const { node, time } = nodeAlone()
  await node.look()
  time.now = LEASE_MS / 3
  time.renewalTakes = 700
  await node.look()
  expect(node.leaseLeft).toBe(LEASE_MS - 700)
})

test('an answer to a renewal that was not waited for counts when it comes, from before it was sent', async () => {
  const { node, time } = nodeAlone()
  await node.look()
  time.now = LEASE_MS / 3
  let comes = () => {}
  time.renewing = new Promise<void>((resolve) => {
    comes = resolve
  })
  time.sleep = () => Promise.resolve()
  await node.look()
  time.now += LEASE_MS / 3
  expect(node.leaseLeft).toBe(LEASE_MS / 3)
  comes()
  await new Promise((resolve) => setImmediate(resolve))
  expect(node.leaseLeft).toBe((2 * LEASE_MS) / 3)
})

test('a machine that was suspended has no lease when it wakes up, whatever its monotonic clock says', async () => {
  const { node, time } = nodeAlone()
  await node.look()
  time.wall += LEASE_MS / 3
  expect(node.leaseLeft).toBe((2 * LEASE_MS) / 3)
  time.wall += LEASE_MS
  expect(node.leaseLeft).toBeLessThanOrEqual(0)
  await node.look()
  expect(node.leaseLeft).toBe(LEASE_MS)
  // A wall clock that is set back says nothing.
  time.wall -= 3_600_000
  time.now += LEASE_MS / 3
  expect(node.leaseLeft).toBe((2 * LEASE_MS) / 3)
})

test('a node whose name another has says so once, and joins when that one has left', async () => {
  const { node, time, notices } = nodeAlone()
  time.isNameTaken = true
  await node.look()
  await node.look()
  expect(notices).toEqual([
    'a node called a is there: this one joins once that one has left, or its lease is over',
  ])
  expect([node.isNameTaken, node.leaseLeft]).toEqual([true, 0])
  time.isNameTaken = false
  await node.look()
  expect([node.isNameTaken, node.leaseLeft]).toEqual([false, LEASE_MS])
})

test('no try to join names a life that was named before: what was sent for that one may still come, and bring it back', async () => {
  const { node, time, joined } = nodeAlone()
  time.isSilent = true
  await node.look()
  await node.look()
  time.isSilent = false
  await node.look()
  time.isExpelled = true
  time.now = LEASE_MS
  await node.look()
  expect(joined).toEqual(['a-1', 'a-2', 'a-3', 'a-4'])
})

test('no answer leaves and no request is taken once the lease has run out', async () => {
  const { node, time, mayAnswer } = nodeAlone()
  await node.look()
  time.now = LEASE_MS - 1
  expect([mayAnswer(), node.where(0).at]).toEqual([true, 'here'])
  time.now = LEASE_MS
  expect([mayAnswer(), node.where(0).at]).toEqual([false, 'nowhere'])
  await node.look()
  expect([mayAnswer(), node.where(0).at]).toEqual([true, 'here'])
})

test('everybody who waits for a change is woken by it, and by nothing before it', async () => {
  const { node } = nodeAlone()
  let woken = 0
  const waits = [1, 2].map(async () => {
    await node.changed(60_000)
    woken += 1
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(woken).toBe(0)
  await node.look()
  await Promise.all(waits)
  expect(node.where(0).at).toBe('here')
})

test('a lease is renewed three times while it lasts, and others are looked for twice as often', async () => {
  const alone = nodeAlone()
  await runFor(2 * LEASE_MS, alone)
  const at = (of: string) => alone.asked.flatMap(([what, at]) => (what === of ? [at] : []))
  expect(at('renew')).toEqual([300, 600, 900, 1_200, 1_500, 1_800])
  // Each is told from the one before it by its number, which only grows.
  expect(alone.renewals).toEqual([1, 2, 3, 4, 5, 6])
  expect([...new Set(at('look'))]).toEqual([
    0, 150, 300, 450, 600, 750, 900, 1_050, 1_200, 1_350, 1_500, 1_650, 1_800,
  ])
})

test('who has not renewed is expelled when their lease is over, counted from the look that saw the last renewal', async () => {
  const alone = nodeAlone()
  alone.view.nodes.push({ ...OTHER, renewals: 1 })
  // Between the looks at 0 and at 150: the one in the middle of two renewals sees it.
  const wake = () => {
    alone.view.nodes = alone.view.nodes.map((node) => ({ ...node, renewals: 2 }))
  }
  await runFor(2 * LEASE_MS, alone, { at: 100, wake })
  const [, at] = alone.asked.find(([what]) => what === 'expel') ?? []
  expect(at).toBe(150 + 1.02 * LEASE_MS + 1)
})
