/** Platform commands as an operator sends them. */
import type { PlatformCommand } from '../domain/command.ts'
import { COMMAND_FIELDS } from '../domain/commandSchema.ts'
import { FieldFault, objectFromJson } from './fieldsFromJson.ts'

const PLATFORM_COMMANDS = [
  'updatePrice',
  'advanceTime',
  'configureMarket',
  'setMarketStatus',
  'setFundingRate',
  'openAccount',
  'adjustBalance',
  'setApiTrading',
  'setAccountLock',
  'setAccountLoaded',
  'stopAccount',
  'unfreezeAccount',
  'forceClosePosition',
  'weeklySessionRiskClose',
] as const satisfies readonly PlatformCommand['type'][]

/** Commands in one request. */
const MAX_COMMANDS = 1_000

/** One command or an array of up to 1,000. @throws FieldFault when any is not a known command: none is applied then. */
export function platformCommands(body: unknown): PlatformCommand[] {
  if (!Array.isArray(body)) return [platformCommand(body, '')]
  if (body.length > MAX_COMMANDS) throw new FieldFault('body')
  return body.map((command, at) => platformCommand(command, `[${at}]`))
}

function platformCommand(json: unknown, path: string): PlatformCommand {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new FieldFault(path || 'body')
  const { type, ...fields } = json as { type?: unknown }
  const known = PLATFORM_COMMANDS.find((name) => name === type)
  if (known === undefined) throw new FieldFault(path === '' ? 'type' : `${path}.type`)
  return { type: known, ...objectFromJson<object>(fields, COMMAND_FIELDS[known], path) } as PlatformCommand
}
