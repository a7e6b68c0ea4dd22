// What a log holds, as text for people and as JSON for programs.

import { expect, test } from 'vitest'
import { decimal, inLine, instant, json, table } from '../../../src/cli/logText.ts'

test('columns are as wide as their widest cell, numbers to the right', () => {
  expect(table(['name', 'n'], [['a', '1'], ['longer one', '-23.5'], ['b'], ['12', 'x']]).split('\n')).toEqual(
    ['name        n', '----------  -----', 'a               1', 'longer one  -23.5', 'b', '        12  x'],
  )
  expect(table(['wide head', 'n'], [])).toBe('wide head  n\n---------  -')
})

test('a record is told in a line, without what is not there', () => {
  const record = {
    id: 'o',
    size: 1_500_000_000n,
    none: null,
    absent: undefined,
    nothing: 0n,
    zero: 0,
    no: false,
    inner: { price: -2_000_000_000n, none: null },
  }
  expect(inLine(record)).toBe('id o, size 1.5, zero 0, no false, inner (price -2)')
  expect(inLine({})).toBe('')
})

test('quantities and instants are as people write them, or not there', () => {
  expect([decimal(null), decimal(undefined), decimal(0n), decimal(250_000_000n)]).toEqual([
    '',
    '',
    '0',
    '0.25',
  ])
  expect([instant(0), instant(1)]).toEqual(['-', '1970-01-01T00:00:00.001Z'])
})

test('JSON is indented by two, quantities as texts', () => {
  expect(json({ a: [15n], b: 'c' })).toBe('{\n  "a": [\n    "15"\n  ],\n  "b": "c"\n}')
})
