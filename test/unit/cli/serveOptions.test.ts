// What `serve` takes for a port and for a lease: the numbers within their bounds, and no others.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { serveCommand } from '../../../src/cli/serve.ts'
import { openLmdbStore } from '../../../src/store/lmdb/index.ts'
import { typed } from '../../typed.ts'

const parsed = (option: string, text: string) => {
  const command = serveCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parseOptions([`${option}=${text}`])
  const { [option]: name = option.slice(2) } = { '--end-within': 'endWithin' } as Record<string, string>
  return command.opts<Record<string, unknown>>()[name]
}

test.each([
  ['--port', [0, 1, 8_080, 65_535], ['65536', '-1', '1.5', '', 'x', '1e3', '0x10']],
  ['--lease', [300, 3_000, 600_000], ['299', '600001', '0', '-300', '300.5', '', 'x', '1e3']],
  ['--end-within', [1_000, 18_000, 600_000], ['999', '600001', '0', '-1000', '1000.5', '', 'x', '1e3']],
] as const)('%s', (option, taken, refused) => {
  for (const number of taken) expect(parsed(option, String(number))).toBe(number)
  for (const text of refused) expect(() => parsed(option, text), text).toThrow(/It is no number from/)
})

test('where other nodes reach this one is an address that HTTP is spoken at, and no more than that', () => {
  for (const url of ['http://10.0.0.1:8080', 'http://node/', 'HTTP://[::1]:80'])
    expect(parsed('--advertise', url)).toBe(url)
  for (const text of [
    '',
    'node',
    'node:8080',
    'https://node',
    'http://',
    'http://node/venue',
    'http://u@node',
    'http://n:x',
  ])
    expect(() => parsed('--advertise', text), text).toThrow(/It is no address such as/)
})

test('a node has a name of 1 to 255 characters', () => {
  for (const name of ['a', 'n'.repeat(255)]) expect(parsed('--node', name)).toBe(name)
  for (const name of ['', 'n'.repeat(256)])
    expect(() => parsed('--node', name)).toThrow(/1 to 255 characters/)
})

test('without options it listens on 8080 of this machine alone, keeps its lease for three seconds, ends in 18 and warns', () => {
  const ofNodes = { lease: 3_000, endWithin: 18_000 }
  expect(serveCommand().opts()).toEqual({ port: 8_080, host: '127.0.0.1', logLevel: 'warn', ...ofNodes })
})

describe('a host that does not start', () => {
  const { error } = console
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-serve-'))
  const config = path.join(folder, 'venue.json')
  writeFileSync(config, JSON.stringify({ cluster: { secret: 'of the cluster' } }))
  afterEach(() => {
    console.error = error
  })

  test('says why: no database is there', async () => {
    const nobody = 'postgres://127.0.0.1:1/none'
    const { code, stdout, stderr } = await typed(['serve', '--config', config, '--postgres', nobody])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error: .*ECONNREFUSED/m)
  })

  test('says what to do: a directory that cannot be made', async () => {
    const places = [
      path.join(folder, 'n'.repeat(300)),
      ...(process.platform === 'linux' ? ['/proc/venue'] : []),
    ]
    for (const place of places) {
      const { code, stdout, stderr } = await typed(['serve', '--port', '0', '--data', place])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr.startsWith(`error: cannot keep a log in ${place}: nothing can be made there (E`)).toBe(
        true,
      )
      expect(stderr).toMatch(/\); name a directory with --data that this process may write to\n$/)
    }
  })

  test('says what to do: a directory that is in use', async () => {
    const store = await openLmdbStore(path.join(folder, 'venue'))
    const { code, stdout, stderr } = await typed([
      'serve',
      '--port',
      '0',
      '--data',
      path.join(folder, 'venue'),
    ])
    await store.close()
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^error: \S+ is in use by this process \(\d+\): end that first, or name another directory\n$/,
    )
  })

  test('what a package prints by itself is a line, and what LMDB prints beside throwing it is none', async () => {
    expect((await typed(['serve', '--config', path.join(folder, 'none')])).code).toBe(1)
    const written: string[] = []
    const { write } = process.stderr
    process.stderr.write = (text: string | Uint8Array) => written.push(String(text)) > 0
    try {
      console.error('heard', new Error('of something'))
      console.error(Object.assign(new Error('MDB_CORRUPTED'), { code: -30_796 }))
      console.error(Object.assign(new Error('of a name'), { code: 'ENOENT' }))
    } finally {
      process.stderr.write = write
    }
    expect(written).toEqual(['heard of something\n', 'of a name\n'])
  })
})
