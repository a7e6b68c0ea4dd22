// What `serve` takes for a port and for a lease: the numbers within their bounds, and no others.

import { expect, test } from 'vitest'
import { serveCommand } from '../../../src/cli/serve.ts'

const parsed = (option: string, text: string) => {
  const command = serveCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parseOptions([`${option}=${text}`])
  return command.opts<Record<string, unknown>>()[option.slice(2)]
}

test.each([
  ['--port', [0, 1, 8_080, 65_535], ['65536', '-1', '1.5', '', 'x', '1e3', '0x10']],
  ['--lease', [300, 3_000, 600_000], ['299', '600001', '0', '-300', '300.5', '', 'x', '1e3']],
] as const)('%s', (option, taken, refused) => {
  for (const number of taken) expect(parsed(option, String(number))).toBe(number)
  for (const text of refused) expect(() => parsed(option, text), text).toThrow(/It is no number from/)
})

test('without options it listens on 8080 of this machine alone, keeps its lease for three seconds and warns', () => {
  expect(serveCommand().opts()).toEqual({ port: 8_080, host: '127.0.0.1', lease: 3_000, logLevel: 'warn' })
})
