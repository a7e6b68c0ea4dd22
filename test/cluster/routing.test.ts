// What becomes of a request whose owner comes, goes, or says nothing while it waits.
import { expect, test } from 'vitest'
import type { OpenShard } from '../../src/cluster/holdings.ts'
import type { ClusterNode, Whereabouts } from '../../src/cluster/node.ts'
import { type Forwarded, route } from '../../src/cluster/routing.ts'

const SHARD = { failed: false, epoch: 1, readyToLeave: async () => {}, close: async () => {} }
const HERE: Whereabouts<OpenShard> = { at: 'here', shard: SHARD }
const COMING: Whereabouts<OpenShard> = { at: 'nowhere', isComing: true }
const NOWHERE: Whereabouts<OpenShard> = { at: 'nowhere', isComing: false }
const there = (address: string): Whereabouts<OpenShard> => ({ at: 'there', address })

/** A request at a node that finds the shard there and then there, as often as it looks, and hears that and then that of others. */
async function routed(
  terms: { readonly isRead: boolean; readonly wasForwarded?: boolean },
  places: readonly Whereabouts<OpenShard>[],
  heard: readonly Forwarded<string>[] = [],
) {
  const time = { now: 0 }
  let [looks, asked] = [0, 0]
  const node = {
    where: () => places[Math.min(looks++, places.length - 1)],
    // It may take longer than all of them wait: nobody waits for its end.
    look: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      time.now += 1_000
    },
    changed: async (ms: number) => {
      time.now += ms
    },
  } as unknown as ClusterNode<OpenShard>
  const clock = { monotonic: () => time.now, sleep: async () => {} }
  const became = await route<OpenShard, string>(
    node,
    0,
    { clock, patienceMs: 200, wasForwarded: false, ...terms },
    {
      serve: async () => 'from here',
      forward: async () => heard[Math.min(asked++, heard.length - 1)] as Forwarded<string>,
    },
  )
  return { became, asked }
}

test('a read that nobody answered is asked again, of whoever owns the shard then', async () => {
  const places = [there('a'), there('b')]
  const answered = await routed({ isRead: true }, places, ['unknown', { answer: 'from b' }])
  expect(answered).toEqual({ became: { answer: 'from b' }, asked: 2 })
  expect((await routed({ isRead: true }, [there('a'), HERE], ['unknown'])).became).toEqual({
    answer: 'from here',
  })
})

test('a read that nobody answers is given up when its time is over', async () => {
  expect(await routed({ isRead: true }, [there('a')], ['unknown'])).toEqual({
    became: 'unavailable',
    asked: 5,
  })
})

test('a command is sent again where it was not carried out, and never where nobody knows', async () => {
  const places = [there('a'), there('b')]
  const untouched = await routed({ isRead: false }, places, ['untouched', { answer: 'from b' }])
  expect(untouched).toEqual({ became: { answer: 'from b' }, asked: 2 })
  expect(await routed({ isRead: false }, places, ['unknown', { answer: 'from b' }])).toEqual({
    became: 'unknown',
    asked: 1,
  })
})

test('what was sent on waits for the shard that is being opened, and for nothing else', async () => {
  const terms = { isRead: false, wasForwarded: true }
  expect((await routed(terms, [COMING, COMING, HERE])).became).toEqual({ answer: 'from here' })
  expect((await routed(terms, [COMING, there('b'), HERE])).became).toBe('unavailable')
  expect((await routed(terms, [NOWHERE, HERE])).became).toBe('unavailable')
  expect((await routed(terms, [COMING])).became).toBe('unavailable')
})
