/** The copy of a command that is decided and that its commit keeps. */
import type { AccountConfiguration, Command } from '../domain/command.ts'

/**
 * The caller's object stays the caller's to change. Ticks are copied by name: there are a great many of them. Takes
 * anything, and leaves what has not the form of a command to be refused.
 */
export function ownCopy(command: Command): Command {
  switch (command?.type) {
    case 'updatePrice':
      return { type: 'updatePrice', marketId: command.marketId, indexPrice: command.indexPrice }
    case 'configureMarket':
      return isRecord(command.market) ? { ...command, market: { ...command.market } } : { ...command }
    case 'openAccount':
      return isRecord(command.account)
        ? { ...command, account: copyOfAccount(command.account) }
        : { ...command }
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
