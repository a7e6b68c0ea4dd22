// What was acknowledged more than 100 ms ago is marked as durable (K7).
import { afterEach, expect, test, vi } from 'vitest'
import { Marking } from '../../../src/store/lmdb/marking.ts'

type Parts = ConstructorParameters<typeof Marking>

afterEach(() => {
  vi.useRealTimers()
})

test('while groups come, which are proof of those before them, it is said beside the log alone; in the log once they end', async () => {
  vi.useFakeTimers()
  const began = Date.now()
  const said: [string, number][] = []
  const log = {
    head: 0,
    mark: async () => void said.push(['in the log', Date.now() - began]),
  } as Partial<Parts[0]> as Parts[0]
  const beside = {
    write: async (head: number) => void said.push([`beside: ${head}`, Date.now() - began]),
    close: async () => {},
  } as Partial<Parts[1]> as Parts[1]
  const marking = new Marking(log, beside)
  for (let head = 1; head <= 13; head++) {
    Object.assign(log, { head })
    marking.appended()
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(500)
  expect(said.map(([what]) => what)).toEqual(['beside: 5', 'beside: 10', 'in the log', 'beside: 13'])
  expect(said[2]?.[1]).toBeLessThanOrEqual(120 + 75)
  await marking.close()
})

test('a mark is begun within half of the 100 ms, once for all that was appended meanwhile', async () => {
  vi.useFakeTimers()
  const marks: number[] = []
  const log = { head: 7, mark: async () => void marks.push(Date.now()) } as Partial<Parts[0]> as Parts[0]
  const beside = { write: async () => {}, close: async () => {} } as Partial<Parts[1]> as Parts[1]
  const marking = new Marking(log, beside)
  const first = Date.now()
  marking.appended()
  await vi.advanceTimersByTimeAsync(20)
  marking.appended()
  await vi.advanceTimersByTimeAsync(200)
  expect(marks).toHaveLength(1)
  expect((marks[0] as number) - first).toBeLessThanOrEqual(50)
  marking.appended()
  await vi.advanceTimersByTimeAsync(50)
  expect(marks).toHaveLength(2)
  await marking.close()
})
