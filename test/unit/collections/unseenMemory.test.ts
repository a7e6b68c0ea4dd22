import { expect, test, vi } from 'vitest'
import { unseenMemory } from '../../../src/collections/unseenMemory.ts'

test('is empty, and as long as was asked for', () => {
  const bytes = new Uint8Array(unseenMemory(40))
  expect([...bytes]).toEqual(new Array(40).fill(0))
})

test('a browser that shares no memory has some of its own', () => {
  vi.stubGlobal('SharedArrayBuffer', undefined)
  expect(unseenMemory(8)).toBeInstanceOf(ArrayBuffer)
  vi.unstubAllGlobals()
})
