/**
 * Keys that come from the configuration (K11). The configuration is the truth about them: one that has left it ends,
 * one that it gives to another user or another end changes. What a user or an operator has revoked stays revoked.
 */

import type { AmendApiKey } from '../../events/command.ts'
import { invalid, type Refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { configuredKey } from './findApiKey.ts'

export function amendApiKey(step: Step, { keyId, userId, expiresAt = null }: AmendApiKey): Refusal | null {
  const key = configuredKey(step, keyId)
  if (key === undefined || key.revoked) return invalid('keyId')
  if (key.userId === userId && key.expiresAt === expiresAt) return null
  step.emit({ type: 'apiKeyAmended', keyId, userId, expiresAt })
  return null
}
