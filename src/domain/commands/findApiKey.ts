/** Finding an API key for whoever may name it (I6, K11). */

import type { RegisterApiKey } from '../../events/command.ts'
import type { Decision } from '../flows/decision.ts'
import { type ApiKey, isLive } from '../state/apiKey.ts'

export function configuredKey({ world }: Decision, keyId: string): ApiKey | undefined {
  const key = world.apiKeys.get(keyId)
  return key?.configured === true ? key : undefined
}

/** Whether one more live key is more than the user may have (K3). */
export function hasFull(
  decision: Decision,
  { userId, maxLive }: Pick<RegisterApiKey, 'userId' | 'maxLive'>,
): boolean {
  if (maxLive == null) return false
  let live = 0
  for (const key of decision.world.apiKeys.ofUser(userId)) if (isLive(key, decision.at)) live += 1
  return live >= maxLive
}

/** A key that is not revoked, of this user where one is named. */
export function keyOf(
  { world }: Decision,
  keyId: string,
  userId: string | null | undefined,
): ApiKey | undefined {
  const key = world.apiKeys.get(keyId)
  return key === undefined || key.revoked || (userId != null && key.userId !== userId) ? undefined : key
}
