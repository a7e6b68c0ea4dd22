/**
 * Commits in memory as bytes of which any event can be read without those far before it: a page of a history list reads a few of
 * each, and a commit may have a million. One of few events is written as everywhere. Of another the events are in runs, in each
 * of which ids are written anew; ahead of it is how far behind its beginning a table lies, which says where each run but the
 * first begins.
 */
import type { ByteReader } from '../events/codec/byteReader.ts'
import type { ByteWriter } from '../events/codec/byteWriter.ts'
import { readHead, writeCommit, writeHead } from '../events/codec/commitCodec.ts'
import { eventCodec } from '../events/codec/eventSchemas.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'

/** Events of a run: all of one are read for one of them. */
export const RUN = 8

/** Gives whether it was written in runs. */
export function writeInRuns(writer: ByteWriter, commit: Commit): boolean {
  const { events } = commit
  if (events.length <= RUN) {
    writeCommit(writer, commit)
    return false
  }
  const start = writer.at
  writer.uint32(0)
  writeHead(writer, commit)
  const starts: number[] = []
  for (let index = 0; index < events.length; index++) {
    if (index > 0 && index % RUN === 0) {
      starts.push(writer.at - start)
      writer.forgetIds()
    }
    eventCodec.write(writer, events[index] as Event)
  }
  writer.patchUint32(start, writer.at - start)
  for (const runStart of starts) writer.uint32(runStart)
  return true
}

/** The reader is where the commit begins that was written so. */
export function readInRuns(reader: ByteReader, inRuns: boolean): Commit {
  if (inRuns) reader.uint32()
  const events: Event[] = []
  const commit = readHead(reader, events)
  const length = reader.count()
  for (let index = 0; index < length; index++) {
    if (inRuns && index % RUN === 0 && index > 0) reader.forgetIds()
    events.push(eventCodec.read(reader))
  }
  return commit
}

/** The events of a run, and the time of their commit. */
export interface EventRun {
  readonly at: number
  readonly events: readonly Event[]
}

/** The reader is where a commit begins that was written so. `run` counts from 0. */
export function readRun(reader: ByteReader, inRuns: boolean, run: number): EventRun {
  const start = reader.at
  const table = inRuns ? start + reader.uint32() : 0
  const events: Event[] = []
  const { at } = readHead(reader, events)
  const length = reader.count()
  if (run > 0) {
    reader.at = table + 4 * (run - 1)
    reader.at = start + reader.uint32()
    reader.forgetIds()
  }
  const end = Math.min(length - run * RUN, RUN)
  for (let index = 0; index < end; index++) events.push(eventCodec.read(reader))
  return { at, events }
}
