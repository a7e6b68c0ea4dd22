// What the command line says of a mistake stands at the field that it speaks of.

import { expect, test } from 'vitest'
import { type Fault, faultsOf } from '../../../src/workbench/faults.ts'
import { EMPTY_FORM } from '../../../src/workbench/runForm.ts'

const form = {
  ...EMPTY_FORM,
  strategy: './mine.ts',
  config: 'run.json',
  markets: [{ asset: 'BTC', data: 'bars.csv', funding: '' }],
  parameters: { fast: '0', slow: '' },
  vary: { width: '5,x' },
  rules: ['two-step.json'],
}

test.each<[string, Fault['field']]>([
  ["error: option '--fee-rate <rate>' argument 'x' is invalid. It is no decimal number.", 'options.fee-rate'],
  ['error: the parameter fast must be at least 1, not 0', 'parameters.fast'],
  ['error: --vary: width is given twice', 'vary.width'],
  ['error: the parameter width: x is no number', 'vary.width'],
  ['error: --param: fast is given twice', 'parameters.fast'],
  ['error: --warm-up is the data before --from: say from when', 'options.warm-up'],
  ['error: bars.csv:7: the high is below the low', 'markets'],
  ['error: ./mine.ts: the default export must be a function', 'strategy'],
  ['error: run.json: unknown key stratgy', 'config'],
  ['error: two-step.json: phases must be a list', 'rules'],
  ['error: --out runs/x: there are other files in it', 'out'],
  ['error: slow is what nobody set here', null],
  ['error: the machine is on fire', null],
])('%s', (line, field) => {
  expect(faultsOf(['printed before', line], form)).toEqual([{ field, message: line.slice('error: '.length) }])
})

test('every mistake is told, and nothing else', () => {
  expect(faultsOf(['note: x', 'error: --days is zero', 'error: the seed', 'warning'], form)).toHaveLength(2)
})
