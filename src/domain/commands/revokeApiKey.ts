/** The end of an API key (I6). */

import type { RevokeApiKey } from '../../events/command.ts'
import { invalid, type Refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { keyOf } from './findApiKey.ts'

export function revokeApiKey(step: Step, { keyId, hash, userId }: RevokeApiKey): Refusal | null {
  if ((keyId == null) === (hash == null)) return invalid('keyId')
  const id = hash == null ? keyId : step.world.apiKeys.withHash(hash)?.id
  const key = id == null ? undefined : keyOf(step, id, userId)
  if (key === undefined) return invalid(hash == null ? 'keyId' : 'hash')
  step.emit({ type: 'apiKeyRevoked', keyId: key.id })
  return null
}
