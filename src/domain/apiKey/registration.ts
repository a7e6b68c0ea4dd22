/**
 * Registering, refreshing and revoking API keys (I6). The secret and the id are drawn in the host: the rules know no
 * chance. A key that is unknown, revoked or another user's is all the same to its caller.
 */
import type { RefreshApiKey, RegisterApiKey, RevokeApiKey } from '../command.ts'
import { invalid, type Refusal } from '../errors.ts'
import type { Step } from '../step.ts'
import type { ApiKey } from './apiKey.ts'

export function registerApiKey(step: Step, command: RegisterApiKey): Refusal | null {
  const { keyId, userId, name, hash, prefix } = command
  const { apiKeys } = step.world
  if (apiKeys.get(keyId) !== undefined) return invalid('keyId')
  if (apiKeys.withHash(hash) !== undefined) return invalid('hash')
  const expiresAt = command.expiresAt ?? null
  step.emit({ type: 'apiKeyRegistered', keyId, userId, name, hash, prefix, expiresAt })
  return null
}

/** A new secret under the same id; the old one is dead at once. */
export function refreshApiKey(step: Step, command: RefreshApiKey): Refusal | null {
  const { keyId, hash, prefix } = command
  if (keyOf(step, command) === undefined) return invalid('keyId')
  if (step.world.apiKeys.withHash(hash) !== undefined) return invalid('hash')
  step.emit({ type: 'apiKeyRefreshed', keyId, hash, prefix, expiresAt: command.expiresAt ?? null })
  return null
}

export function revokeApiKey(step: Step, command: RevokeApiKey): Refusal | null {
  if (keyOf(step, command) === undefined) return invalid('keyId')
  step.emit({ type: 'apiKeyRevoked', keyId: command.keyId })
  return null
}

function keyOf(step: Step, { keyId, userId }: { keyId: string; userId: string }): ApiKey | undefined {
  const key = step.world.apiKeys.get(keyId)
  return key === undefined || key.revoked || key.userId !== userId ? undefined : key
}
