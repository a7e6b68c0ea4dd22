/** Platform commands as an operator sends them. */

import type { PlatformCommand } from '../events/command.ts'
import { COMMAND_FIELDS } from '../events/commandTable.ts'
import { FieldFault, objectFromJson } from './fieldsFromJson.ts'

/** The least role that may send a command (K10): the desk acts on accounts, orders and positions. */
export const COMMAND_ROLES: { readonly [Type in PlatformCommand['type']]: 'desk' | 'admin' } = {
  updatePrice: 'admin',
  advanceTime: 'admin',
  configureMarket: 'admin',
  setMarketStatus: 'admin',
  setFundingRate: 'admin',
  openAccount: 'desk',
  adjustBalance: 'desk',
  setApiTrading: 'desk',
  setAccountLock: 'desk',
  setAccountLoaded: 'desk',
  stopAccount: 'desk',
  unfreezeAccount: 'desk',
  forceClosePosition: 'desk',
  weeklySessionRiskClose: 'admin',
  revokeApiKey: 'admin',
}

/** Commands in one request. */
const MAX_COMMANDS = 1_000

/** One command or an array of up to 1,000. @throws FieldFault when any is not a known command: none is applied then. */
export function platformCommands(body: unknown): PlatformCommand[] {
  if (!Array.isArray(body)) return [platformCommand(body, '')]
  if (body.length > MAX_COMMANDS) throw new FieldFault('body')
  return body.map((command, at) => platformCommand(command, `[${at}]`))
}

/** Exactly one. @throws FieldFault */
export function onePlatformCommand(body: unknown): PlatformCommand {
  return platformCommand(body, '')
}

function isPlatformCommand(type: unknown): type is PlatformCommand['type'] {
  return typeof type === 'string' && Object.hasOwn(COMMAND_ROLES, type)
}

function platformCommand(json: unknown, path: string): PlatformCommand {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new FieldFault(path || 'body')
  const { type, ...fields } = json as { type?: unknown }
  if (!isPlatformCommand(type)) throw new FieldFault(path === '' ? 'type' : `${path}.type`)
  return { type, ...objectFromJson<object>(fields, COMMAND_FIELDS[type], path) } as PlatformCommand
}
