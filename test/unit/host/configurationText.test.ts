// What keeps a configuration from being read is told with its line, in one sentence.
import { expect, test } from 'vitest'
import { readConfigurationText } from '../../../src/host/configurationText.ts'

const read = (text: string) => readConfigurationText(new TextEncoder().encode(text))

test.each([
  ['', 'the file is empty'],
  [' \n', 'the file is empty'],
  ['{\n  "a": 1,\n  b\n}', "not JSON at line 3, column 3: unexpected character 'b'"],
  ['{"a": 1', 'not JSON at line 1, column 8: unexpected end of input'],
  ['['.repeat(100_000), 'it is nested too deeply to be read'],
])('%.20j: %s', (text, message) => {
  expect(() => read(text)).toThrow(message)
  expect(() => read(text)).toThrow(expect.objectContaining({ name: 'MalformedConfiguration' }))
})

test('bytes that are no text are told as such', () => {
  expect(() => readConfigurationText(Uint8Array.of(0xff, 0xfe))).toThrow('the file is not UTF-8 text')
})
