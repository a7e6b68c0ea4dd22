/**
 * `margin-core verify`: whether what is in a data directory is what the venue wrote. Every file of the log is read and
 * its chain computed, every command is decided again and compared event by event, and what is derived is checked (K9).
 */
import { Command } from 'commander'
import { checkDerived, type Derived } from '../engine/derived.ts'
import { type Verification, verifyLog } from '../engine/verify.ts'
import type { Snapshot } from '../store/store.ts'
import { requireLog } from './dataDirectory.ts'
import { reportFailure, UsageError } from './failure.ts'
import { inLine, instant, json, print } from './logText.ts'
import { Progress } from './progress.ts'

interface Options {
  readonly expect?: string
  readonly json?: true
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'decide every command of a log again; exit code 0 only if nothing is cut, missing or different',
    )
    .argument('<directory>', 'data directory of a venue; it may be running')
    .option('--expect <seq:hash>', 'a chain printed earlier, which the log has to go on from')
    .option('--json', 'for programs')
    .action((directory: string, options: Options) => reportFailure(() => verify(directory, options)))
}

interface Expected {
  readonly seq: number
  readonly hash: string
}

async function verify(directory: string, options: Options): Promise<void> {
  const expected = options.expect === undefined ? null : expectedOf(options.expect)
  requireLog(directory)
  const asJson = options.json === true
  const progress = new Progress('verify', asJson)
  const found = await verifyDirectory(directory, expected, (commits) =>
    progress.update(commits, 'commits'),
  ).finally(() => progress.end())
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
  /** What is cut, missing or different besides, a sentence each. */
  readonly differences: readonly string[]
}

async function verifyDirectory(
  directory: string,
  expected: Expected | null,
  onProgress: (commits: number) => void,
): Promise<Verified> {
  const { hexOf, openLogToRead } = await import('../store/lmdb/index.ts')
  // What is derived is opened before the log: a venue may be at work here, and the log is ahead of it always.
  const derived = await derivedIn(directory)
  const { log } = await openLogToRead(directory)
  let head = { seq: 0, hash: '' }
  let met: string | null = null
  const commits = log.read(1, (seq, chain) => {
    head = { seq, hash: hexOf(chain) }
    if (seq === expected?.seq) met = head.hash
  })
  const verification = await verifyLog(commits, { onProgress })
  const differences: string[] = []
  if (log.repaired !== null) differences.push(log.repaired)
  if (verification.ok) {
    if (expected !== null) differences.push(...unmet(expected, head.seq, met))
    if (typeof derived === 'string') differences.push(derived)
    else differences.push(...(await checkDerived(log.read(1), derived, { onProgress })).differences)
  }
  if (typeof derived !== 'string') await derived.history?.close()
  const ok = verification.ok && differences.length === 0
  return { ok, chain: `${head.seq}:${head.hash}`, log: verification, differences }
}

/** The history lists and snapshots, or why they cannot be trusted. */
async function derivedIn(directory: string): Promise<Derived | string> {
  const { compareHistory, HistoryDamaged, snapshotsIn } = await import('../store/lmdb/index.ts')
  try {
    const history = await compareHistory(directory)
    const snapshots: Snapshot[] = []
    for await (const snapshot of snapshotsIn(directory).all()) snapshots.push(snapshot)
    return { history, snapshots: inTurn(snapshots) }
  } catch (error) {
    if (error instanceof HistoryDamaged) return error.message
    throw error
  }
}

async function* inTurn(snapshots: readonly Snapshot[]): AsyncGenerator<Snapshot> {
  yield* snapshots
}

function unmet({ seq, hash }: Expected, head: number, met: string | null): string[] {
  if (met === hash) return []
  if (met !== null) return [`up to commit ${seq} this is another log: its chain is ${met}`]
  return [head < seq ? `the log ends at commit ${head}, before ${seq}` : `no append ended at commit ${seq}`]
}

function report({ ok, chain, log, differences }: Verified): string {
  if (!log.ok) return [differing(log), ...differences].join('\n')
  const { commits, events, stateHash } = log
  const found = `${ok ? 'verified' : 'decided again'} ${commits} commits, ${events} events`
  return [found, `state hash ${stateHash}`, `chain ${chain}`, ...differences].join('\n')
}

function differing({ divergence }: Extract<Verification, { readonly ok: false }>): string {
  const { seq, at, command, index, recorded, decided, refusal } = divergence
  const today = refusal === null ? 'nothing' : `refused: ${refusal.code}`
  return [
    `commit ${seq} (${instant(at)}) is decided otherwise today, from event ${index} on`,
    `  command   ${inLine(command)}`,
    `  recorded  ${recorded === null ? 'nothing' : inLine(recorded)}`,
    `  decided   ${decided === null ? today : inLine(decided)}`,
  ].join('\n')
}
