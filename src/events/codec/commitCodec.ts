/**
 * The stored form of a commit. Each stands alone: it can be read without any other. Sequence, time, who caused it where
 * somebody did, the command under its name where it was given one, the events.
 */
import type { Command, Repeatable } from '../command.ts'
import type { CausedBy, Commit } from '../commit.ts'
import type { Event } from '../event.ts'
import type { ByteReader } from './byteReader.ts'
import type { ByteWriter } from './byteWriter.ts'
import { commandCodec } from './commandSchemas.ts'
import { eventCodec } from './eventSchemas.ts'
import { id, nullable, text } from './fields.ts'
import { SchemaSet } from './schemas.ts'

/**
 * Stands where the number of the command's schema is expected, and no command has it: then who caused the commit comes
 * first. A commit without that keeps the bytes it had in 0.1.0.
 */
const CAUSED_BY = 0

/** Stands there too, and no command has it: then the command's id comes first. A command without one keeps its bytes. */
const COMMAND_ID = 31

const causedByCodec = new SchemaSet<CausedBy>({
  user: { id: 1, fields: { userId: id, keyId: nullable(id) } },
  operator: { id: 2, fields: { name: text } },
})

export function writeCommit(writer: ByteWriter, { seq, at, by, command, events }: Commit): void {
  writer.forgetIds()
  writer.count(seq)
  writer.count(at)
  if (by !== undefined) {
    writer.count(CAUSED_BY)
    causedByCodec.write(writer, by)
  }
  const { commandId } = command as Repeatable
  if (commandId != null) {
    writer.count(COMMAND_ID)
    writer.text(commandId)
  }
  commandCodec.write(writer, command)
  writer.count(events.length)
  for (const event of events) eventCodec.write(writer, event)
}

/** @throws MalformedBytes or RangeError where the bytes hold no commit. */
export function readCommit(reader: ByteReader): Commit {
  reader.forgetIds()
  const seq = reader.count()
  const at = reader.count()
  const schema = reader.count()
  if (schema !== CAUSED_BY) {
    const command = readCommand(reader, schema)
    return { seq, at, command, events: readEvents(reader) }
  }
  const by = causedByCodec.read(reader)
  const command = readCommand(reader, reader.count())
  return { seq, at, by, command, events: readEvents(reader) }
}

function readCommand(reader: ByteReader, schema: number): Command {
  if (schema !== COMMAND_ID) return commandCodec.readAs(reader, schema)
  const commandId = reader.text()
  return { ...commandCodec.read(reader), commandId } as Command
}

function readEvents(reader: ByteReader): Event[] {
  const length = reader.count()
  const events: Event[] = []
  for (let index = 0; index < length; index++) events.push(eventCodec.read(reader))
  return events
}
