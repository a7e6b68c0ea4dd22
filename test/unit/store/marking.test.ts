// What was acknowledged more than 100 ms ago is marked as durable (K7).
import { afterEach, expect, test, vi } from 'vitest'
import { Marking } from '../../../src/store/lmdb/marking.ts'

type Parts = ConstructorParameters<typeof Marking>

afterEach(() => {
  vi.useRealTimers()
})

test('a mark is begun within half of the 100 ms, once for all that was appended meanwhile', async () => {
  vi.useFakeTimers()
  const marks: number[] = []
  const log = { head: 7, mark: async () => void marks.push(Date.now()) } as Partial<Parts[0]> as Parts[0]
  const beside = { write: async () => {}, close: async () => {} } as Partial<Parts[1]> as Parts[1]
  const marking = new Marking(log, beside)
  const first = Date.now()
  marking.appended()
  await vi.advanceTimersByTimeAsync(30)
  marking.appended()
  await vi.advanceTimersByTimeAsync(200)
  expect(marks).toHaveLength(1)
  expect((marks[0] as number) - first).toBeLessThanOrEqual(50)
  marking.appended()
  await vi.advanceTimersByTimeAsync(50)
  expect(marks).toHaveLength(2)
  await marking.close()
})
