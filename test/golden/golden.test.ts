// Logs that were written once are read for good, to the same state, in every process and on every version of Node.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import { COMMAND_SCHEMAS } from '../../src/events/codec/commandSchemas.ts'
import { EVENT_SCHEMAS } from '../../src/events/codec/eventSchemas.ts'
import { type Commit, VERSION, verifyLog } from '../../src/index.ts'
import { NEEDS_NEWER_NODE, NEWER_NODE } from '../newerNode.ts'
import { asLines, DIRECTORY, fileOf, fold, goldenVersions, readLog, sha256, writeLog } from './goldenLog.ts'

const versions = goldenVersions()
const expectedOf = (version: string) =>
  JSON.parse(readFileSync(path.join(DIRECTORY, version, 'expected.json'), 'utf8'))

const parsed = (lines: string): unknown[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

async function* inOne(commits: readonly Commit[]): AsyncGenerator<readonly Commit[]> {
  yield commits
}

test('this version has golden logs', () => expect(versions).toContain(VERSION))

describe.each(versions)('the golden logs of %s', (version) => {
  const expected = expectedOf(version)

  test('have not changed', () => {
    for (const [name, hash] of Object.entries(expected.files))
      expect(sha256(fileOf(version, name))).toBe(hash)
  })

  test('fold to the state they always folded to', async () => {
    const folded = fold(await readLog(fileOf(version, 'venue.commits')))
    expect({ head: folded.world.seq, stateHash: folded.stateHash() }).toEqual({
      head: expected.head,
      stateHash: expected.stateHash,
    })
  })

  test('every kind of commit reads as it was written, but for fields there were not yet', async () => {
    const text = readFileSync(path.join(DIRECTORY, version, 'shapes.jsonl'), 'utf8')
    const read = asLines(await readLog(fileOf(version, 'shapes.commits')))
    if (version === VERSION) expect(read).toBe(text)
    else expect(parsed(read)).toMatchObject(parsed(text))
  })

  test('are decided again as they were', async () => {
    const commits = await readLog(fileOf(version, 'venue.commits'))
    expect(await verifyLog(inOne(commits))).toMatchObject({ ok: true, stateHash: expected.stateHash })
  })
})

describe('the golden logs of this version', () => {
  test('hold every kind of event and command', async () => {
    const commits = await readLog(fileOf(VERSION, 'shapes.commits'))
    const kinds = new Set(
      commits.flatMap(({ command, events }) => [command.type, ...events.map(({ type }) => type)]),
    )
    expect([...kinds].sort()).toEqual([...Object.keys(EVENT_SCHEMAS), ...Object.keys(COMMAND_SCHEMAS)].sort())
  })

  test('are written again byte for byte', async () => {
    for (const name of ['venue.commits', 'shapes.commits']) {
      const bytes = fileOf(VERSION, name)
      expect(sha256(await writeLog(await readLog(bytes)))).toBe(sha256(bytes))
    }
  })
})

test('the shape of what is in a snapshot and the name of its schema change together', async () => {
  const { schema, bytes } = takeSnapshot(fold(await readLog(fileOf(VERSION, 'venue.commits'))))
  const shapes = new Set<string>()
  const seen = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (value instanceof Map) for (const [key, item] of value) [key, item].forEach(visit)
    else if (value instanceof Set || Array.isArray(value)) for (const item of value) visit(item)
    else {
      shapes.add(Object.keys(value).sort().join(' '))
      Object.values(value).forEach(visit)
    }
  }
  const { records, ...venue } = readSnapshot(bytes)
  const lists = Object.entries(records).map(([name, list]: [string, Iterable<unknown>]) => [name, [...list]])
  visit({ ...venue, records: Object.fromEntries(lists) })
  // Where this differs, records have other fields than snapshots of this schema: give it a new name.
  expect([schema, ...[...shapes].sort()].join('\n')).toMatchSnapshot()
})

describe('in another process', () => {
  const fingerprint = (node: string) =>
    execFileSync(node, ['--import', 'tsx', path.join(DIRECTORY, 'fingerprint.ts')], { encoding: 'utf8' })

  test('the golden logs give the same', () => {
    const found = fingerprint(process.execPath)
    for (const version of versions) expect(found).toContain(expectedOf(version).stateHash)
  })

  test.skipIf(NEWER_NODE === null)(`and on a newer Node (${NEEDS_NEWER_NODE})`, () => {
    expect(fingerprint(NEWER_NODE as string)).toBe(fingerprint(process.execPath))
  })
})
