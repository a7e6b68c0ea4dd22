/** The copy of a command that is decided and that its commit keeps. */
import type { AccountConfiguration, Command } from '../events/command.ts'

/**
 * The caller's object stays the caller's to change. Takes anything, and leaves what has not the form of a command to be
 * refused: fields that no command has are copied along.
 */
export function ownCopy(command: Command): Command {
  switch (command?.type) {
    case 'configureMarket':
      return isRecord(command.market) ? { ...command, market: { ...command.market } } : { ...command }
    case 'openAccount':
      return isRecord(command.account)
        ? { ...command, account: copyOfAccount(command.account) }
        : { ...command }
    // Each in a place of its own: where objects of many shapes are copied in one place, V8 takes six times as long for each.
    case 'placeOrder':
      return { ...command }
    case 'editOrder':
      return { ...command }
    case 'cancelOrder':
      return { ...command }
    default:
      return isRecord(command) ? { ...command } : command
  }
}

function copyOfAccount(account: AccountConfiguration): AccountConfiguration {
  const { allowedCategories } = account
  return Array.isArray(allowedCategories)
    ? { ...account, allowedCategories: [...allowedCategories] }
    : { ...account }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
