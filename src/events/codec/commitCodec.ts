/** The stored form of a commit. Each stands alone: it can be read without any other. */
import type { Commit } from '../commit.ts'
import type { Event } from '../event.ts'
import type { ByteReader } from './byteReader.ts'
import type { ByteWriter } from './byteWriter.ts'
import { commandCodec } from './commandSchemas.ts'
import { eventCodec } from './eventSchemas.ts'

export function writeCommit(writer: ByteWriter, { seq, at, command, events }: Commit): void {
  writer.forgetIds()
  writer.count(seq)
  writer.count(at)
  commandCodec.write(writer, command)
  writer.count(events.length)
  for (const event of events) eventCodec.write(writer, event)
}

/** @throws MalformedBytes or RangeError where the bytes hold no commit. */
export function readCommit(reader: ByteReader): Commit {
  reader.forgetIds()
  const seq = reader.count()
  const at = reader.count()
  const command = commandCodec.read(reader)
  const length = reader.count()
  const events: Event[] = []
  for (let index = 0; index < length; index++) events.push(eventCodec.read(reader))
  return { seq, at, command, events }
}
