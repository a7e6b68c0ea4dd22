// How much is done at once for each.

import { expect, test } from 'vitest'
import { Places } from '../../../src/host/places.ts'

test('so many of each at once, the rest in its order as they settle, and what is withdrawn not at all', async () => {
  const places = new Places(2)
  const begun: string[] = []
  const settle = new Map<string, () => void>()
  const take = (who: string, name: string) =>
    places.take(who, () => {
      begun.push(name)
      return new Promise<void>((resolve) => settle.set(name, resolve))
    })
  const ended = async (name: string) => {
    settle.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const withdraw = ['a', 'b', 'c', 'd', 'e'].map((name) => take('alice', name))
  take('bob', 'f')
  expect(begun).toEqual(['a', 'b', 'f'])
  withdraw[2]?.()
  await ended('b')
  expect(begun).toEqual(['a', 'b', 'f', 'd'])
  // What has begun is not withdrawn, and leaves one place when it settles.
  withdraw[3]?.()
  expect(begun).toHaveLength(4)
  await ended('d')
  await ended('a')
  await ended('e')
  expect(begun).toEqual(['a', 'b', 'f', 'd', 'e'])
  for (const name of ['g', 'h', 'i']) take('alice', name)
  expect(begun.slice(5)).toEqual(['g', 'h'])
})

test('a task that fails is told by whoever gave it, and leaves its place', async () => {
  const places = new Places(1)
  const failing = Promise.reject(new Error('it failed'))
  const told = expect(failing).rejects.toThrow('it failed')
  let begun = false
  places.take('alice', () => failing)
  places.take('alice', async () => {
    begun = true
  })
  await told
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toBe(true)
})
