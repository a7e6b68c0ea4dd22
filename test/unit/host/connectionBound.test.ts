// Connections of one address, against a plain count (K4).
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConnectionBound } from '../../../src/host/connectionBound.ts'

class Connection extends EventEmitter {
  isOver = false
  readonly remoteAddress: string
  readonly remotePort: number

  constructor(remoteAddress: string, remotePort: number) {
    super()
    this.remoteAddress = remoteAddress
    this.remotePort = remotePort
  }

  destroy(): void {
    this.isOver = true
    this.emit('close')
  }
}

const open = (bound: ConnectionBound, address: string, port: number) => {
  const connection = new Connection(address, port)
  bound.take(connection as unknown as Socket)
  return connection
}

test('of one network so many are open at a time and not one fewer, whatever comes, goes and is trusted', () => {
  const networks = [
    ['192.0.2.1'],
    ['192.0.2.2'],
    ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:7::1'],
    ['2001:db8:0:1::1'],
  ]
  const step = fc.record({
    kind: fc.constantFrom('come', 'come', 'come', 'go', 'trust'),
    network: fc.nat(3),
    pick: fc.nat(),
  })
  let refusals = 0
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 40, size: 'max' }),
      (most, steps) => {
        const bound = new ConnectionBound(most)
        const counted = networks.map((): Connection[] => [])
        const trusted: Connection[] = []
        for (const [port, { kind, network, pick }] of steps.entries()) {
          const of = counted[network] as Connection[]
          const addresses = networks[network] as string[]
          if (kind === 'come') {
            const connection = open(bound, addresses[pick % addresses.length] as string, port)
            expect(connection.isOver).toBe(of.length >= most)
            if (!connection.isOver) of.push(connection)
            else refusals += 1
          } else if (kind === 'go') {
            const leaving = pick % 2 === 0 ? of : trusted
            leaving.splice(pick % (leaving.length || 1), 1)[0]?.destroy()
          } else {
            const [known] = of.splice(pick % (of.length || 1), 1)
            if (known === undefined) continue
            bound.trust(known)
            bound.trust(known)
            trusted.push(known)
          }
        }
      },
    ),
  )
  expect(refusals).toBeGreaterThan(50)
})
