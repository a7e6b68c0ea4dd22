/** What is wrong with what was typed, told all at once and before any work: whoever mends one mistake is not told of the next. */
import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander'
import { commandPath, partnerFaults, typedOf } from './partners.ts'
import { PARTNERS } from './partnerTable.ts'

/** After these the rest of the line can be read all the same. */
const GATHERED: ReadonlySet<string> = new Set([
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.missingArgument',
  'commander.excessArguments',
  'commander.conflictingOption',
  'commander.unknownOption',
])

interface Ending {
  readonly code?: string
  readonly exitCode?: number
}

/** Has a command and those below it tell every mistake in their options and arguments before they begin. */
export function tellMistakesAtOnce(command: Command): void {
  for (const below of command.commands) tellMistakesAtOnce(below)
  if (command.commands.length > 0) return tellWhichFirst(command)

  const mistakes: string[] = []
  let hasUnknown = false
  const end = command.error.bind(command)
  Object.assign(command, {
    error: (message: string, ending: Ending = {}) => {
      const { code = '' } = ending
      const elsewhere = elsewhereTold(command, message)
      if (elsewhere !== null) end(elsewhere, ending)
      else if (!GATHERED.has(code)) end(message, ending)
      // What follows an unknown option may be its value.
      else if (code !== 'commander.excessArguments' || !hasUnknown)
        mistakes.push(counterpartTold(command, message) ?? message)
      hasUnknown ||= code === 'commander.unknownOption'
    },
  })
  for (const option of command.options)
    gather(option, mistakes, (value) => `option '${option.flags}' argument '${value}'`)
  for (const argument of command.registeredArguments)
    gather(
      argument,
      mistakes,
      (value) => `command-argument value '${value}' for argument '${argument.name()}'`,
    )
  command.hook('preAction', () => {
    const faults = partnerFaults(PARTNERS[commandPath(command)] ?? {}, typedOf(command), command.opts())
    mistakes.push(...faults.map((fault) => `error: ${fault}`))
    if (mistakes.length > 0) end(mistakes.join('\n'), { exitCode: 2 })
  })
}

/** One that only leads to others ends with its first mistake, as it has no beginning to wait for, and says which there are. */
function tellWhichFirst(command: Command): void {
  const end = command.error.bind(command)
  const names = command.commands.map((below) => below.name())
  const which = `margin-core ${commandPath(command)} ${names.join('|')}`
  const about = (message: string, code?: string): string => {
    if (code === 'commander.unknownOption') return `error: first say which, then its options: ${which}`
    const isGuessed = message.includes('Did you mean')
    return code === 'commander.unknownCommand' && !isGuessed ? `${message}: there is ${which}` : message
  }
  Object.assign(command, {
    error: (message: string, ending: Ending = {}) => end(about(message, ending.code), ending),
  })
}

/** What a sweep calls otherwise than a search does. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  '--vary': '--space',
  '--space': '--vary',
  '--sample': '--sets',
  '--sets': '--sample',
  '--results': '--study',
  '--study': '--results',
}

/** What is done otherwise with a log in a database, by the command. */
const IN_A_DATABASE: Readonly<Record<string, string>> = {
  backup:
    'a log in a database is backed up with it: pg_dump, or pg_basebackup and its archived log, as docs/cluster.md says under Backup; cluster history and verify check the copy',
  archive: 'a log in a database has no archive: all of it stays in the table commit_group',
}

/** All that there is to say where the log is in a database and the command takes directories alone; null where it is another mistake. */
function elsewhereTold(command: Command, message: string): string | null {
  const isThere = /^error: unknown option '--postgres(?:=.*)?'/.test(message)
  const told = isThere ? IN_A_DATABASE[commandPath(command)] : undefined
  return told === undefined ? null : `error: ${told}`
}

/** Of an option that another command has; null for any other. */
function counterpartTold({ options }: Command, message: string): string | null {
  const [unknown, flag = ''] = /^error: unknown option '(--[a-z]+)'/.exec(message) ?? []
  const counterpart = COUNTERPARTS[flag]
  const isTaken = options.some(({ long }) => long === counterpart)
  return isTaken ? `${unknown}\n(Did you mean ${counterpart}?)` : null
}

function gather(of: Option | Argument, mistakes: string[], named: (value: string) => string): void {
  const read = of.parseArg
  if (read === undefined) return
  of.parseArg = <T>(value: string | undefined, previous: T) => {
    // The option stands at the end without its value, which has been told.
    if (value === undefined) return previous
    try {
      return read(value, previous)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      mistakes.push(`error: ${named(value)} is invalid. ${error.message}`)
      return previous
    }
  }
}
