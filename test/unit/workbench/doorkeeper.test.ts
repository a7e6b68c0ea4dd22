// Who may ask a workbench, by what a browser says of itself and by the secret of the address.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Doorkeeper } from '../../../src/workbench/doorkeeper.ts'

const at = (host: string | undefined, origin?: string, fetchSite?: string) =>
  new Doorkeeper('Desk.local').objection({ host, origin, fetchSite })

test.each(['127.0.0.1:8090', 'localhost:8090', '[::1]:8090', '10.0.0.7', 'desk.LOCAL:1'])(
  '%s is this machine',
  (host) => {
    expect(at(host)).toBeNull()
    expect(at(host, `http://${host}`, 'same-origin')).toBeNull()
    expect(at(host, undefined, 'none')).toBeNull()
  },
)

test.each([
  undefined,
  '',
  'enemy.example',
  'enemy.example:8090',
  '127.0.0.1.enemy.example',
  'localhost.enemy.example:8090',
  '127.0.0.1@enemy.example',
  '127.0.0.1:8090, x',
  '[enemy]:1',
])('a name that leads here is none of this machine: %s', (host) => {
  expect(at(host)).toMatch(/another name/)
})

test.each([
  'https://127.0.0.1:8090',
  'http://127.0.0.1:8091',
  'http://localhost:8090',
  'http://enemy.example',
  'null',
  '',
])('a page of %s asks in vain', (origin) => {
  expect(at('127.0.0.1:8090', origin)).toMatch(/from elsewhere/)
})

test.each(['cross-site', 'same-site'])('so does one that the browser calls %s', (fetchSite) => {
  expect(at('127.0.0.1:8090', undefined, fetchSite)).toMatch(/from elsewhere/)
})

test('the token is known whole, and no other is; each workbench has its own', () => {
  const keeper = new Doorkeeper('127.0.0.1')
  expect(keeper.token).toMatch(/^[\w-]{43}$/)
  expect(new Doorkeeper('127.0.0.1').token).not.toBe(keeper.token)
  expect(keeper.knows(`Bearer ${keeper.token}`)).toBe(true)
  for (const said of [
    undefined,
    '',
    keeper.token,
    `bearer ${keeper.token}`,
    `Bearer ${keeper.token.slice(1)}`,
    `Bearer ${keeper.token}x`,
  ])
    expect(keeper.knows(said)).toBe(false)
})

test('a ticket is good for one thing of one workbench', () => {
  const keeper = new Doorkeeper('127.0.0.1', 'known')
  fc.assert(
    fc.property(
      fc.array(fc.string(), { minLength: 1 }),
      fc.array(fc.string(), { minLength: 1 }),
      (one, other) => {
        const ticket = keeper.ticket(...one)
        expect(keeper.admits(ticket, ...one)).toBe(true)
        expect(keeper.admits(ticket, ...other)).toBe(JSON.stringify(one) === JSON.stringify(other))
        expect(new Doorkeeper('127.0.0.1', 'another').admits(ticket, ...one)).toBe(false)
      },
    ),
  )
})
