/** Whether a log still says what the rules say: every command is decided again, and compared event by event. */

import { LevelTriggers } from '../domain/triggers/levelTriggers.ts'
import type { Command } from '../events/command.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import { UnkeptHistory } from '../history/unkeptHistory.ts'
import type { Snapshot } from '../store/store.ts'
import type { Rejection } from '../terms/errors.ts'
import { Folded, type TriggersFactory } from './fold.ts'
import { Projections } from './projections.ts'
import { redecide } from './redecide.ts'
import { restoreSnapshot } from './snapshot.ts'

/** The first place where log and rules part. */
export interface Divergence {
  /** Sequence of the commit. */
  readonly seq: number
  /** Engine time of the commit, epoch ms. */
  readonly at: number
  readonly command: Command
  /** Place of the event within the commit, a count from 0. */
  readonly index: number
  /** What the log says; null where it has nothing there. */
  readonly recorded: Event | null
  /** What is decided today; null where nothing is. */
  readonly decided: Event | null
  /** Why the command is refused today; null when it is not. */
  readonly rejection: Rejection | null
}

/** What {@link verifyLog} found. */
export type Verification =
  /** `commits`: how many were decided again. */
  | { readonly ok: true; readonly commits: number; readonly events: number; readonly stateHash: string }
  | { readonly ok: false; readonly divergence: Divergence }

/** How {@link verifyLog} goes about it. */
export interface VerifyOptions {
  readonly triggers?: TriggersFactory
  /** Begins with the commit after this snapshot, which is believed; default: with the first. */
  readonly from?: Snapshot | null
  /** Is told now and then how many commits have been compared. */
  readonly onProgress?: (commits: number) => void
}

/**
 * Decides a log again (K9): the whole of it, or from a snapshot on. Commits before that are passed over.
 *
 * ```ts
 * const { ok } = await verifyLog(log())
 * ok // → true
 * ```
 *
 * @throws MalformedBytes for a `from` that is no whole snapshot; what reading the log throws.
 */
export async function verifyLog(
  log: AsyncIterable<readonly Commit[]>,
  { triggers = (world) => new LevelTriggers(world), from = null, onProgress }: VerifyOptions = {},
): Promise<Verification> {
  const folded = from === null ? new Folded(triggers) : restored(from, triggers)
  const begun = folded.world.seq
  let events = 0
  for await (const run of log) {
    for (const commit of run) {
      if (commit.seq <= begun) continue
      const decided = redecide(folded, commit)
      const index = firstDifference(commit.events, decided.events)
      if (index !== null) return { ok: false, divergence: divergenceAt(commit, index, decided) }
      events += commit.events.length
    }
    onProgress?.(folded.world.seq - begun)
  }
  return { ok: true, commits: folded.world.seq - begun, events, stateHash: folded.stateHash() }
}

/** What is believed. The rules ask of the past only where a command was refused, and such are not in a log. */
function restored(snapshot: Snapshot, triggers: TriggersFactory): Folded {
  const folded = new Folded(triggers, new Projections([new UnkeptHistory()]))
  restoreSnapshot(folded, snapshot)
  return folded
}

function divergenceAt(
  { seq, at, command, events }: Commit,
  index: number,
  decided: { readonly events: readonly Event[]; readonly rejection: Rejection | null },
): Divergence {
  return {
    seq,
    at,
    command,
    index,
    recorded: events[index] ?? null,
    decided: decided.events[index] ?? null,
    rejection: decided.rejection,
  }
}

/** Where two lists of events first differ; null when they are the same. */
export function firstDifference(a: readonly Event[], b: readonly Event[]): number | null {
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index++) if (!isSame(a[index], b[index])) return index
  return null
}

/** Equal plain data, whatever the order of the fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [fieldsOfA, fieldsOfB] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = Object.keys(fieldsOfA)
  if (names.length !== Object.keys(fieldsOfB).length) return false
  return names.every((name) => Object.hasOwn(fieldsOfB, name) && isSame(fieldsOfA[name], fieldsOfB[name]))
}
