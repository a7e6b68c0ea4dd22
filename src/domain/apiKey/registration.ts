/**
 * Registering, refreshing and revoking API keys (I6). The secret and the id are drawn in the host: the rules know no
 * chance. A key that is unknown, revoked or another user's is all the same to its caller.
 */
import type { RefreshApiKey, RegisterApiKey, RevokeApiKey } from '../command.ts'
import { invalid, type Refusal, refusal } from '../errors.ts'
import type { Step } from '../step.ts'
import { type ApiKey, isLive } from './apiKey.ts'

/**
 * Where the user's keys are limited, those of theirs that are over are forgotten with every new one: what is kept of a
 * user is bounded, however many keys come and go.
 */
export function registerApiKey(step: Step, command: RegisterApiKey): Refusal | null {
  const { keyId, userId, name, hash, prefix, maxLive } = command
  const { apiKeys } = step.world
  if (apiKeys.get(keyId) !== undefined) return invalid('keyId')
  if (apiKeys.withHash(hash) !== undefined) return invalid('hash')
  if (hasFull(step, command)) return refusal('too_many_api_keys')
  if (maxLive != null) forgetDead(step, userId)
  const expiresAt = command.expiresAt ?? null
  step.emit({ type: 'apiKeyRegistered', keyId, userId, name, hash, prefix, expiresAt })
  return null
}

/** A new secret under the same id; the old one is dead at once. */
export function refreshApiKey(step: Step, command: RefreshApiKey): Refusal | null {
  const { keyId, userId, hash, prefix } = command
  const key = keyOf(step, keyId, userId)
  if (key === undefined) return invalid('keyId')
  if (step.world.apiKeys.withHash(hash) !== undefined) return invalid('hash')
  if (!isLive(key, step.at) && hasFull(step, command)) return refusal('too_many_api_keys')
  step.emit({ type: 'apiKeyRefreshed', keyId, hash, prefix, expiresAt: command.expiresAt ?? null })
  return null
}

export function revokeApiKey(step: Step, { keyId, hash, userId }: RevokeApiKey): Refusal | null {
  if ((keyId == null) === (hash == null)) return invalid('keyId')
  const id = hash == null ? keyId : step.world.apiKeys.withHash(hash)?.id
  const key = id == null ? undefined : keyOf(step, id, userId)
  if (key === undefined) return invalid(hash == null ? 'keyId' : 'hash')
  step.emit({ type: 'apiKeyRevoked', keyId: key.id })
  return null
}

/** Whether one more live key is more than the user may have (K3). */
function hasFull(step: Step, { userId, maxLive }: Pick<RegisterApiKey, 'userId' | 'maxLive'>): boolean {
  if (maxLive == null) return false
  let live = 0
  for (const key of step.world.apiKeys.ofUser(userId)) if (isLive(key, step.at)) live += 1
  return live >= maxLive
}

/** Except those of the configuration, which may still name them. */
function forgetDead(step: Step, userId: string): void {
  const dead = [...step.world.apiKeys.ofUser(userId)].filter(
    (key) => !isLive(key, step.at) && !key.configured,
  )
  for (const { id } of dead) step.emit({ type: 'apiKeyForgotten', keyId: id })
}

/** A key that is not revoked, of this user where one is named. */
function keyOf({ world }: Step, keyId: string, userId: string | null | undefined): ApiKey | undefined {
  const key = world.apiKeys.get(keyId)
  return key === undefined || key.revoked || (userId != null && key.userId !== userId) ? undefined : key
}
