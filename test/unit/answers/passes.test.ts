// Notes of where a call passes change nothing of what a module does, and tell each branch and each comparison apart.
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../tidy/sourceTree.ts'
import { Passes } from './passes.ts'

const FILE = 'src/terms/sample.ts'
const SAMPLE = `
function say(a, b = a + 1, list = []) {
  const words = [a < b ? 'less' : a === b ? 'same' : 'more']
  if (list.includes(a) && a !== 2) words.push('in it')
  for (let index = 0; index < list.length; index++) {
    switch (list[index]) {
      case 1:
        words.push('one')
        break
      default:
        words.push((list[index] ?? 'none') + '')
    }
  }
  do a += 1
  while (a <= b)
  return words.join(' ') + (a >= b || a) + list.some((each) => (each > 1) === true)
}`

function noted(passes: Passes, code: string): (...given: unknown[]) => unknown {
  const { transform } = passes.plugin()
  const { code: text } = (transform as (code: string, id: string) => { code: string })(
    code,
    path.join(root, FILE),
  )
  return new Function(`${text}\nreturn say`)()
}

test('a module with notes does what it does without', () => {
  const plain = new Function(`${SAMPLE}\nreturn say`)()
  const passes = new Passes()
  const say = noted(passes, SAMPLE)
  for (const a of [-1, 0, 1, 2, 3, undefined, Number.NaN])
    for (const b of [0, 1, 2, undefined])
      for (const list of [undefined, [1], [2, null], [a, 1, 3]])
        expect(say(a, b, list)).toBe(plain(a, b, list))
  Reflect.deleteProperty(globalThis, 'notePasses')
})

test.each(['<', '<=', '>', '>=', '===', '!=='])('a noted %s answers as it does without notes', (how) => {
  const code = `function say(a, b) { return a ${how} b }`
  const say = noted(new Passes(), code)
  const plain = new Function(`${code}\nreturn say`)()
  const values = [0, 1, 2, -0, 1n, 2n, 'a', 'b', '1', null, undefined, Number.NaN]
  for (const a of values) for (const b of values) expect([a, b, say(a, b)]).toEqual([a, b, plain(a, b)])
  Reflect.deleteProperty(globalThis, 'notePasses')
})

test('each way in which two values lie to each other is another, and each branch', () => {
  const passes = new Passes()
  const say = noted(passes, 'function say(a, b) { return a < b }')
  const ways = [
    [1, 1],
    [1, 2],
    [2, 1],
    [1, 9],
    [9, 1],
  ].map((given) => {
    say(...given)
    return passes.taken(FILE).join()
  })
  expect(new Set(ways).size).toBe(5)
  say(1n, 2n)
  expect(passes.taken(FILE).join()).toBe(ways[1])
  say(1, 1)
  say(1, 1)
  expect(passes.taken(FILE).join(), 'once until it is taken').toBe(ways[0])
  expect(passes.taken(FILE)).toEqual([])

  const branch = noted(passes, 'function say(a) { return a ? (a.length ?? 2) : 0 }')
  const taken = ['', 'x', {}].map((given) => {
    branch(given)
    return passes.taken(FILE).join()
  })
  expect(new Set(taken).size).toBe(3)
  expect(passes.taken('src/terms/another.ts')).toEqual([])
  Reflect.deleteProperty(globalThis, 'notePasses')
})
