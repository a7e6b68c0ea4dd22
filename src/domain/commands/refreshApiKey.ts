/** A new secret for an API key (I6). */

import type { RefreshApiKey } from '../../events/command.ts'
import { invalid, type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { isLive } from '../state/apiKey.ts'
import { hasFull, keyOf } from './findApiKey.ts'

/** A new secret under the same id; the old one is dead at once. */
export function refreshApiKey(decision: Decision, command: RefreshApiKey): Rejection | null {
  const { keyId, userId, hash, prefix } = command
  const key = keyOf(decision, keyId, userId)
  if (key === undefined) return invalid('keyId')
  if (decision.world.apiKeys.withHash(hash) !== undefined) return invalid('hash')
  if (!isLive(key, decision.at) && hasFull(decision, command)) return rejection('too_many_api_keys')
  decision.emit({ type: 'apiKeyRefreshed', keyId, hash, prefix, expiresAt: command.expiresAt ?? null })
  return null
}
