/** The end of an API key (I6). */

import type { RevokeApiKey } from '../../events/command.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { keyOf } from './findApiKey.ts'

export function revokeApiKey(decision: Decision, { keyId, hash, userId }: RevokeApiKey): Rejection | null {
  if ((keyId == null) === (hash == null)) return invalid('keyId')
  const id = hash == null ? keyId : decision.world.apiKeys.withHash(hash)?.id
  const key = id == null ? undefined : keyOf(decision, id, userId)
  if (key === undefined) return invalid(hash == null ? 'keyId' : 'hash')
  decision.emit({ type: 'apiKeyRevoked', keyId: key.id })
  return null
}
