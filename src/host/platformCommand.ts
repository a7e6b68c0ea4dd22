/** Platform commands as an operator sends them. */

import type { PlatformCommand } from '../events/command.ts'
import { COMMAND_FIELDS } from '../events/commandTable.ts'
import type { Fault } from './errorAnswer.ts'
import { anyOf } from './expectedForm.ts'
import { FieldFault, missingKey, objectFromJson, otherForm } from './fieldsFromJson.ts'

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

/** Of `advanceTime` where time passes by itself. */
export const NO_MANUAL_CLOCK: Fault = {
  path: 'type',
  fault: 'is "advanceTime"; the clock of this venue is that of the system',
}

/** Commands in one request. */
const MAX_COMMANDS = 1_000

/** One command or an array of up to 1,000. @throws FieldFault when any is not a known command: none is applied then. */
export function platformCommands(body: unknown): PlatformCommand[] {
  if (!Array.isArray(body)) return [platformCommand(body, '')]
  if (body.length > MAX_COMMANDS)
    throw new FieldFault('body', `has ${body.length} commands; expected: at most ${MAX_COMMANDS}`)
  return body.map((command, at) => platformCommand(command, `[${at}]`))
}

/** Exactly one. @throws FieldFault */
export function onePlatformCommand(body: unknown): PlatformCommand {
  return platformCommand(body, '')
}

const TYPES = anyOf(Object.keys(COMMAND_ROLES))

function isPlatformCommand(type: unknown): type is PlatformCommand['type'] {
  return typeof type === 'string' && Object.hasOwn(COMMAND_ROLES, type)
}

function platformCommand(json: unknown, path: string): PlatformCommand {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw otherForm(path || 'body', json, 'an object')
  const { type, ...fields } = json as { type?: unknown }
  if (!isPlatformCommand(type)) {
    const at = path === '' ? 'type' : `${path}.type`
    throw type === undefined ? missingKey(at, TYPES) : otherForm(at, type, TYPES)
  }
  return { type, ...objectFromJson<object>(fields, COMMAND_FIELDS[type], path) } as PlatformCommand
}
