/**
 * Registering, refreshing and revoking API keys (I6). The secret and the id are drawn in the host: the rules know no
 * chance. A key that is unknown, revoked or another user's is all the same to its caller.
 */

import type { RegisterApiKey } from '../../events/command.ts'
import { invalid, type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { isLive } from '../state/apiKey.ts'
import { hasFull } from './findApiKey.ts'

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

/** Except those of the configuration, which may still name them. */
function forgetDead(step: Step, userId: string): void {
  const dead = [...step.world.apiKeys.ofUser(userId)].filter(
    (key) => !isLive(key, step.at) && !key.configured,
  )
  for (const { id } of dead) step.emit({ type: 'apiKeyForgotten', keyId: id })
}
