import { expect, test } from 'vitest'
import type { Command } from '../../../src/events/command.ts'
import { refused } from '../../../src/host/refusedConfiguration.ts'

const told = (command: Command, rejection: Parameters<typeof refused>[2]) =>
  refused('accounts[3]', command, rejection).message

test('what the engine refuses of a configuration has its place, and the code where there is no field to speak of', () => {
  const command: Command = { type: 'stopAccount', accountId: 'none', reason: 'freeze' }
  expect(told(command, { code: 'account_not_found' })).toBe(
    'configuration: accounts[3]: the engine refuses it (account_not_found)',
  )
})
