/**
 * `margin-core verify`: whether what is in a data directory or a database is what the venue wrote. Every file of the log is read and
 * its chain computed, every command is decided again and compared event by event, and what is derived is checked (K9).
 */
import { Command } from 'commander'
import { SNAPSHOT_SCHEMA } from '../engine/snapshot.ts'
import { type Verification, verifyLog } from '../engine/verify.ts'
import type { Commit } from '../events/commit.ts'
import { CommitsArchived, type Snapshot } from '../store/store.ts'
import { requireLog } from './dataDirectory.ts'
import { checkFiles, type DerivedFiles, derivedIn } from './derivedFiles.ts'
import { examples } from './examples.ts'
import { reportFailure, UsageError } from './failure.ts'
import {
  type LogPlace,
  type PlaceOptions,
  placeOf,
  type ShardPlace,
  withPlaceOptions,
  withShard,
} from './logPlace.ts'
import { inLine, instant, json, print } from './logText.ts'
import { Progress } from './progress.ts'

interface Options extends PlaceOptions {
  readonly expect?: string
  readonly json?: true
}

export function verifyCommand(): Command {
  return withPlaceOptions(new Command('verify'))
    .argument('[directory]', 'data directory of a venue; it may be running')
    .option('--expect <seq:hash>', 'a chain printed earlier, which the log has to go on from')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      examples(
        'verify venue-data',
        'verify venue-data --json',
        'verify --postgres postgres://reader@db/venue --shard 0',
      ),
    )
    .action((directory: string | undefined, options: Options) =>
      reportFailure(() =>
        verify(placeOf(directory === undefined ? [] : [directory], options).place, options),
      ),
    )
}

interface Expected {
  readonly seq: number
  readonly hash: string
}

async function verify(place: LogPlace, options: Options): Promise<void> {
  const expected = options.expect === undefined ? null : expectedOf(options.expect)
  const asJson = options.json === true
  const progress = new Progress('verify', asJson)
  const onProgress = (commits: number) => progress.update(commits, 'commits')
  const verifying =
    'directory' in place
      ? verifyDirectory(place.directory, place.archive, expected, onProgress)
      : verifyShard(place.database, expected, onProgress)
  const found = await verifying.finally(() => progress.end())
  print(asJson ? json({ ...found.log, ...found, log: undefined }) : report(found))
  if (!found.ok) process.exitCode = 1
}

function expectedOf(text: string): Expected {
  const [, seq = '', hash = ''] = /^([1-9][0-9]{0,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === '') throw new UsageError(`not of the form SEQ:HASH, as verify prints it: ${text}`)
  return { seq: Number(seq), hash }
}

interface Verified {
  readonly ok: boolean
  /** The last commit, and the SHA-256 of the chain up to it, as `--expect` takes them. */
  readonly chain: string
  readonly log: Verification
  /** Where it began, when what was before had been archived and the archive was not named; null = at commit 1. */
  readonly begun: Begun | null
  /** What is cut, missing or different besides, a sentence each. */
  readonly differences: readonly string[]
}

interface Begun {
  /** The first commit that is there. */
  readonly first: number
  /** The snapshot that was believed: what follows it was decided again. */
  readonly snapshot: number
}

async function verifyDirectory(
  directory: string,
  archive: string | undefined,
  expected: Expected | null,
  onProgress: (commits: number) => void,
): Promise<Verified> {
  requireLog(directory)
  const { openLogToRead } = await import('../store/lmdb/index.ts')
  // What is derived is opened before the log: a venue may be at work here, and the log is ahead of it always.
  const derived = await derivedIn(directory)
  const { log } = await openLogToRead(directory, archive)
  try {
    return await verifyRead(log, derived, expected, onProgress)
  } finally {
    if (typeof derived.records !== 'string') await derived.records?.close()
  }
}

/** What is derived and kept beside the log of a shard are its snapshots. */
function verifyShard(
  shard: ShardPlace,
  expected: Expected | null,
  onProgress: (commits: number) => void,
): Promise<Verified> {
  return withShard(shard, async ({ read, snapshots }) => {
    const found: Snapshot[] = []
    for await (const snapshot of snapshots()) found.push(snapshot)
    const log = { first: 1, repaired: null, read }
    return verifyRead(log, { records: null, snapshots: found }, expected, onProgress)
  })
}

/** A log as it is read: whoever reads it is told the chain up to the last commit of each group. */
interface ReadLog {
  /** Its first commit that is there. */
  readonly first: number
  /** What opening it had to repair; null mostly. */
  readonly repaired: string | null
  read(from: number, onGroup?: (head: number, chain: Uint8Array) => void): AsyncIterable<readonly Commit[]>
}

async function verifyRead(
  log: ReadLog,
  derived: DerivedFiles,
  expected: Expected | null,
  onProgress: (commits: number) => void,
): Promise<Verified> {
  const from = log.first === 1 ? null : oldestOf(derived.snapshots, log.first)
  let head = { seq: 0, hash: '' }
  let met: string | null = null
  const commits = log.read(log.first, (seq, chain) => {
    head = { seq, hash: Buffer.from(chain).toString('hex') }
    if (seq === expected?.seq) met = head.hash
  })
  const verification = await verifyLog(commits, { from, onProgress })
  const differences: string[] = []
  if (log.repaired !== null) differences.push(log.repaired)
  if (verification.ok) {
    if (expected !== null) differences.push(...unmet(expected, log.first, head.seq, met))
    const checked = await checkFiles(derived, log.read(log.first), from, onProgress)
    differences.push(...checked.differences)
  }
  const ok = verification.ok && differences.length === 0
  const begun = from && { first: log.first, snapshot: from.seq }
  return { ok, begun, chain: `${head.seq}:${head.hash}`, log: verification, differences }
}

/** Where to begin when there is no first commit. @throws CommitsArchived when there is no snapshot either. */
function oldestOf(snapshots: readonly Snapshot[], first: number): Snapshot {
  const usable = snapshots.filter(({ seq, schema }) => schema === SNAPSHOT_SCHEMA && seq >= first - 1)
  const oldest = usable.at(-1)
  if (oldest === undefined) throw new CommitsArchived(first, ', and there is no snapshot to begin from')
  return oldest
}

function unmet({ seq, hash }: Expected, first: number, head: number, met: string | null): string[] {
  if (met === hash) return []
  if (seq < first) return [`commit ${seq} was archived: with --archive DIR it can be looked for`]
  if (met !== null) return [`up to commit ${seq} this is another log: its chain is ${met}`]
  return [head < seq ? `the log ends at commit ${head}, before ${seq}` : `no append ended at commit ${seq}`]
}

function report({ ok, chain, log, begun, differences }: Verified): string {
  if (!log.ok) return [differing(log), ...differences].join('\n')
  const { commits, events, stateHash } = log
  const found = `${ok ? 'verified' : 'decided again'} ${commits} commits, ${events} events`
  const passedOver = begun === null ? [] : unseen(begun)
  return [found, ...passedOver, `state hash ${stateHash}`, `chain ${chain}`, ...differences].join('\n')
}

function unseen({ first, snapshot }: Begun): string[] {
  return [
    `begun from the snapshot of commit ${snapshot}, which was believed`,
    `not looked at: commits 1 to ${first - 1}, which were archived, and what they left in the history lists`,
    ...(snapshot < first ? [] : [`of commits ${first} to ${snapshot} the chain alone`]),
  ]
}

function differing({ divergence }: Extract<Verification, { readonly ok: false }>): string {
  const { seq, at, command, index, recorded, decided, rejection } = divergence
  const today = rejection === null ? 'nothing' : `refused: ${rejection.code}`
  return [
    `commit ${seq} (${instant(at)}) is decided otherwise today, from event ${index} on`,
    `  command   ${inLine(command)}`,
    `  recorded  ${recorded === null ? 'nothing' : inLine(recorded)}`,
    `  decided   ${decided === null ? today : inLine(decided)}`,
  ].join('\n')
}
