/** What the API key events do. */
import type { ApiKeyEvent } from '../../events/apiKeyEvents.ts'
import type { World } from '../world.ts'

export function applyApiKeyEvent({ apiKeys }: World, event: ApiKeyEvent, at: number): void {
  if (event.type === 'apiKeyRegistered') {
    const { keyId, userId, name, hash, prefix, expiresAt } = event
    apiKeys.add({ id: keyId, userId, name, hash, prefix, createdAt: at, expiresAt, revoked: false })
    return
  }
  const key = apiKeys.get(event.keyId)
  if (key === undefined) throw new ReferenceError(`no API key ${event.keyId}`)
  if (event.type === 'apiKeyRefreshed') apiKeys.refresh(key, event)
  else apiKeys.revoke(key)
}
