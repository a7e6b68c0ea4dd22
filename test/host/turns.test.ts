// Who asks for much waits behind who asks for little (K15).

import { Agent, request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Turns } from '../../src/host/turns.ts'
import { ALICE, BOB, CONFIGURATION, marketOrder, startVenue } from './venue.ts'

interface Served {
  readonly who: number
  readonly nth: number
  readonly turn: number
}

describe('turns of the loop', () => {
  const asked = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 })

  test('everybody has one at once, the rest in rounds: so many a turn, each in its order', async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 5 }), async (those, most) => {
        const turns = new Turns<number>(most)
        const served: Served[] = []
        const counts = new Map<number, number>()
        let turn = 0
        for (const who of those) {
          const nth = counts.get(who) ?? 0
          counts.set(who, nth + 1)
          turns.take(who, () => served.push({ who, nth, turn }))
        }
        const atOnce = [...new Set(those)].map((who) => ({ who, nth: 0, turn: 0 }))
        expect(served).toEqual(atOnce)
        while (served.length < those.length) {
          turn += 1
          await nextTurn()
          expect(served.filter((each) => each.turn === turn).length).toBeLessThanOrEqual(most)
        }
        // A round serves everybody who still waits once, so the nth of anybody comes before the (n + 1)th of another.
        expect(served.map(({ nth }) => nth)).toEqual(served.map(({ nth }) => nth).sort((a, b) => a - b))
        expect(turn).toBe(Math.ceil((those.length - atOnce.length) / most))
      }),
      { numRuns: 100 },
    )
  })

  test('a turn that has taken its time serves one and leaves the rest to the next', async () => {
    const turns = new Turns<string>(5, 0)
    const served: string[] = []
    for (const name of ['first', 'second', 'third']) turns.wait(name, () => served.push(name))
    for (const so of [1, 2, 3]) {
      await nextTurn()
      expect(served).toHaveLength(so)
    }
  })

  test('what is withdrawn is not done, and everything else of the same one is', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        async (those, stays) => {
          const turns = new Turns<number>(40)
          const served: number[] = []
          const withdrawals = those.map((who, index) => turns.wait(who, () => served.push(index)))
          for (const [index, withdraw] of withdrawals.entries()) if (!stays[index]) withdraw()
          await nextTurn()
          expect(served.sort((a, b) => a - b)).toEqual([...those.keys()].filter((index) => stays[index]))
        },
      ),
      { numRuns: 50 },
    )
  })

  test('who was served before has the next at once again', async () => {
    const turns = new Turns<string>(1)
    const served: string[] = []
    turns.take('alice', () => served.push('first'))
    turns.take('alice', () => served.push('second'))
    await nextTurn()
    await nextTurn()
    expect(served).toEqual(['first', 'second'])
    await nextTurn()
    turns.take('alice', () => served.push('third'))
    expect(served).toEqual(['first', 'second', 'third'])
  })
})

describe('a server', () => {
  const BODY_MS = 200

  test.each([
    ['at once', 0],
    ['held back until all heads have come', BODY_MS],
  ])(
    'handles few requests of a user in a turn, wherever they come from, bodies %s; another is not behind them',
    async (_, bodyAfterMs) => {
      const venue = await startVenue(CONFIGURATION)
      const { engine, url } = venue.venue
      const send = engine.send.bind(engine)
      const handled: { readonly by: unknown; readonly turn: number }[] = []
      vi.spyOn(engine, 'send').mockImplementation((command, options) => {
        handled.push({ by: 'accountId' in command && command.accountId, turn })
        return send(command, options)
      })
      const agent = new Agent({ keepAlive: true })
      const order = ({ key, accountId }: typeof ALICE, from: number) =>
        new Promise<void>((resolve, reject) => {
          const body = JSON.stringify(marketOrder({ accountId }))
          const headers = {
            ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            'content-length': body.length,
          }
          const options = { method: 'POST', agent, headers, localAddress: `127.0.0.${from}` }
          const sent = request(`${url}/orders`, options, (answer) => answer.resume().once('end', resolve))
          sent.once('error', reject)
          if (bodyAfterMs === 0) return void sent.end(body)
          sent.flushHeaders()
          setTimeout(() => sent.end(body), bodyAfterMs)
        })
      const crowd = () => Array.from({ length: 80 }, (_, n) => order(ALICE, n + 2))
      await Promise.all(crowd())
      handled.length = 0
      let turn = 0
      const count = () => {
        turn += 1
        counting = setImmediate(count)
      }
      let counting = setImmediate(count)
      await Promise.all([...crowd(), order(BOB, 100)])
      clearImmediate(counting)
      agent.destroy()
      await venue.venue.close()
      const perTurn = new Map<number, number>()
      for (const { turn } of handled) perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1)
      expect(handled).toHaveLength(81)
      expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(20)
      expect(handled.findIndex(({ by }) => by === BOB.accountId)).toBeLessThan(80)
    },
  )
})
