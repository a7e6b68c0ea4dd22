/**
 * Registering, refreshing and revoking API keys (I6). The secret and the id are drawn in the host: the rules know no
 * chance. A key that is unknown, revoked or another user's is all the same to its caller.
 */

import type { RegisterApiKey } from '../../events/command.ts'
import { invalid, type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { isLive } from '../state/apiKey.ts'
import { hasFull } from './findApiKey.ts'

/**
 * Where the user's keys are limited, those of theirs that are over are forgotten with every new one: what is kept of a
 * user is bounded, however many keys come and go.
 */
export function registerApiKey(decision: Decision, command: RegisterApiKey): Rejection | null {
  const { keyId, userId, name, hash, prefix, maxLive } = command
  const { apiKeys } = decision.world
  if (apiKeys.get(keyId) !== undefined) return invalid('keyId')
  if (apiKeys.withHash(hash) !== undefined) return invalid('hash')
  if (hasFull(decision, command)) return rejection('too_many_api_keys')
  if (maxLive != null) forgetDead(decision, userId)
  const expiresAt = command.expiresAt ?? null
  decision.emit({ type: 'apiKeyRegistered', keyId, userId, name, hash, prefix, expiresAt })
  return null
}

/** Except those of the configuration, which may still name them. */
function forgetDead(decision: Decision, userId: string): void {
  const dead = [...decision.world.apiKeys.ofUser(userId)].filter(
    (key) => !isLive(key, decision.at) && !key.configured,
  )
  for (const { id } of dead) decision.emit({ type: 'apiKeyForgotten', keyId: id })
}
