/** A new secret for an API key (I6). */

import type { RefreshApiKey } from '../../events/command.ts'
import { invalid, type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { isLive } from '../state/apiKey.ts'
import { hasFull, keyOf } from './findApiKey.ts'

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
