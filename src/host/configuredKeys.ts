/** The configuration is the truth about the keys it names (K11): what has to happen to the log's, and what does not. */

import { configuredKeyId } from '../domain/formulas/configuredKeyId.ts'
import type { ApiKey } from '../domain/state/apiKey.ts'
import type { AmendApiKey, RegisterApiKey, RevokeApiKey, WithdrawApiKey } from '../events/command.ts'
import type { Reader } from '../projections/reader.ts'
import type { UserConfiguration } from './configuration.ts'
import { hashOf, shownPrefix } from './secret.ts'

interface ConfiguredKey {
  readonly keyId: string
  readonly userId: string
  readonly hash: string
  readonly prefix: string
  /** Epoch ms; null = never. */
  readonly expiresAt: number | null
  /** Where it stands in the file. */
  readonly path: string
}

export function configuredKeys(users: readonly UserConfiguration[]): ConfiguredKey[] {
  return users.flatMap(({ id: userId, apiKeys }, at) =>
    apiKeys.map(({ key, expiresAt }, index) => {
      const [hash, prefix] = [hashOf(key), shownPrefix(key)]
      const path = `users[${at}].apiKeys[${index}]`
      return { keyId: configuredKeyId(hash), userId, hash, prefix, expiresAt, path }
    }),
  )
}

type KeyCommand = (RegisterApiKey | AmendApiKey | RevokeApiKey | WithdrawApiKey) & { readonly keyId: string }

interface KeyChange {
  readonly command: KeyCommand
  /** Where it stands in the file. */
  readonly path: string
}

/** Commands that make the log agree with the file. Keys that have left it end before others begin. */
export function keyChanges(keys: readonly ConfiguredKey[], read: Reader): KeyChange[] {
  const named = new Set(keys.map(({ keyId }) => keyId))
  const gone = read.configuredApiKeys().filter(({ id }) => !named.has(id))
  return [
    ...gone.map(({ id }) => ({ command: { type: 'withdrawApiKey', keyId: id } as const, path: 'users' })),
    ...keys.flatMap((key) => {
      const command = changeOf(key, read.apiKey(key.keyId))
      return command === null ? [] : [{ command, path: key.path }]
    }),
  ]
}

function changeOf(key: ConfiguredKey, known: ApiKey | undefined): KeyCommand | null {
  const { keyId, userId, hash, prefix, expiresAt } = key
  if (known === undefined)
    return { type: 'registerApiKey', keyId, userId, name: 'configured', hash, prefix, expiresAt }
  if (known.revoked) return null
  if (known.hash !== hash) return changeOfRefreshed(key, known)
  if (known.userId === userId && known.expiresAt === expiresAt) return null
  return { type: 'amendApiKey', keyId, userId, expiresAt }
}

/**
 * Its user has given the key a secret that the file does not know. The file may shorten its life, but not lengthen it;
 * where the file moves it to another user it ends for good, because the other must not hold what the first one knows.
 */
function changeOfRefreshed({ keyId, userId, expiresAt }: ConfiguredKey, known: ApiKey): KeyCommand | null {
  if (known.userId !== userId) return { type: 'revokeApiKey', keyId, userId: known.userId }
  if (expiresAt === null || (known.expiresAt !== null && known.expiresAt <= expiresAt)) return null
  return { type: 'amendApiKey', keyId, userId, expiresAt }
}

/** What somebody is let in with. */
export type KeyTerms = Pick<ApiKey, 'id' | 'userId' | 'hash' | 'expiresAt'>

/**
 * By hash, what the file makes of keys where that cannot be written: their terms, or null for those that have ended. They
 * stand before what the log says, for as long as the process runs.
 */
export function unwrittenKeys(changes: readonly KeyChange[], read: Reader): Map<string, KeyTerms | null> {
  const keys = new Map<string, KeyTerms | null>()
  for (const { command } of changes) {
    const { type, keyId: id } = command
    const hash = type === 'registerApiKey' ? command.hash : (read.apiKey(id) as ApiKey).hash
    const stays = type === 'registerApiKey' || type === 'amendApiKey'
    keys.set(hash, stays ? { id, userId: command.userId, hash, expiresAt: command.expiresAt ?? null } : null)
  }
  return keys
}

/** The same as it is told. */
export function unwrittenKey({ command: { type, keyId }, path }: KeyChange): string {
  const what = type === 'withdrawApiKey' ? `key ${keyId} that has left the file` : 'the key in the file'
  return `${path}: ${what} differs from the log: it counts as the file has it, and was not written`
}

/** What the file says of keys and the log keeps otherwise, because their user or an operator has ended them. */
export function keyDifferences(keys: readonly ConfiguredKey[], read: Reader): string[] {
  return keys.flatMap(({ keyId, hash, path }) => {
    const known = read.apiKey(keyId)
    if (known?.revoked) return [`${path}: the key was revoked and stays so`]
    if (known !== undefined && known.hash !== hash)
      return [`${path}: the key was given another secret, the one in the file is dead`]
    return []
  })
}
