import { expect, test } from 'vitest'
import { withOneMore } from '../../../src/collections/fewItems.ts'

test('a list has what was added, in order, however long it is', () => {
  let list: number[] = []
  for (let n = 0; n < 10; n++) {
    list = withOneMore(list, n)
    expect(list).toEqual(Array.from({ length: n + 1 }, (_, at) => at))
  }
})
