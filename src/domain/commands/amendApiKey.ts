/**
 * Keys that come from the configuration (K11). The configuration is the truth about them: one that has left it ends,
 * one that it gives to another user or another end changes. What a user or an operator has revoked stays revoked.
 */

import type { AmendApiKey } from '../../events/command.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { configuredKey } from './findApiKey.ts'

export function amendApiKey(
  decision: Decision,
  { keyId, userId, expiresAt = null }: AmendApiKey,
): Rejection | null {
  const key = configuredKey(decision, keyId)
  if (key === undefined || key.revoked) return invalid('keyId')
  if (key.userId === userId && key.expiresAt === expiresAt) return null
  decision.emit({ type: 'apiKeyAmended', keyId, userId, expiresAt })
  return null
}
