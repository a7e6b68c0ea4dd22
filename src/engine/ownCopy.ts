/** The copy of a command that its commit keeps. */
import type { AccountConfiguration, Command } from '../domain/command.ts'

/** The caller's object stays the caller's to change. Ticks are copied by name: there are a great many of them. */
export function ownCopy(command: Command): Command {
  switch (command.type) {
    case 'updatePrice':
      return { type: 'updatePrice', marketId: command.marketId, indexPrice: command.indexPrice }
    case 'configureMarket':
      return { ...command, market: { ...command.market } }
    case 'openAccount':
      return { ...command, account: copyOfAccount(command.account) }
    default:
      return { ...command }
  }
}

function copyOfAccount(account: AccountConfiguration): AccountConfiguration {
  const { allowedCategories } = account
  return allowedCategories == null
    ? { ...account }
    : { ...account, allowedCategories: [...allowedCategories] }
}
