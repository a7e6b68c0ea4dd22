/** What the API key events do. */
import type { ApiKeyEvent } from '../../events/apiKeyEvents.ts'
import { configuredKeyId } from '../formulas/configuredKeyId.ts'
import type { World } from '../state/world.ts'

export function applyApiKeyEvent({ apiKeys }: World, event: ApiKeyEvent, at: number): void {
  if (event.type === 'apiKeyRegistered') {
    const { keyId, userId, name, hash, prefix, expiresAt } = event
    const configured = keyId === configuredKeyId(hash)
    apiKeys.add({
      id: keyId,
      userId,
      name,
      hash,
      prefix,
      createdAt: at,
      expiresAt,
      revoked: false,
      configured,
    })
    return
  }
  const key = apiKeys.get(event.keyId)
  if (key === undefined) throw new ReferenceError(`no API key ${event.keyId}`)
  switch (event.type) {
    case 'apiKeyRefreshed':
      return apiKeys.refresh(key, event)
    case 'apiKeyRevoked':
      return apiKeys.revoke(key)
    case 'apiKeyAmended':
      return apiKeys.amend(key, event)
    case 'apiKeyForgotten':
      return apiKeys.forget(key)
  }
}
