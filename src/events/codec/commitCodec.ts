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

export function writeCommit(writer: ByteWriter, commit: Commit): void {
  writeHead(writer, commit)
  for (const event of commit.events) eventCodec.write(writer, event)
}

/** What comes before the events, and how many there are. */
export function writeHead(writer: ByteWriter, { seq, at, by, command, events }: Commit): void {
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
}

/** @throws MalformedBytes or RangeError where the bytes hold no commit. */
export function readCommit(reader: ByteReader): Commit {
  const events: Event[] = []
  const commit = readHead(reader, events)
  const length = reader.count()
  for (let index = 0; index < length; index++) events.push(eventCodec.read(reader))
  return commit
}

/** What comes before the events and how many there are, as a commit of `events`. */
export function readHead(reader: ByteReader, events: readonly Event[]): Commit {
  reader.forgetIds()
  const seq = reader.count()
  const at = reader.count()
  const schema = reader.count()
  if (schema !== CAUSED_BY) return { seq, at, command: readCommand(reader, schema), events }
  const by = causedByCodec.read(reader)
  return { seq, at, by, command: readCommand(reader, reader.count()), events }
}

function readCommand(reader: ByteReader, schema: number): Command {
  if (schema !== COMMAND_ID) return commandCodec.readAs(reader, schema)
  const commandId = reader.text()
  return { ...commandCodec.read(reader), commandId } as Command
}
