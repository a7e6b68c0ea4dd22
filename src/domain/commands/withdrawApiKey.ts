/** A configured key leaves the configuration (K11). */

import type { WithdrawApiKey } from '../../events/command.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { configuredKey } from './findApiKey.ts'

export function withdrawApiKey(decision: Decision, { keyId }: WithdrawApiKey): Rejection | null {
  const key = configuredKey(decision, keyId)
  if (key === undefined || key.revoked) return invalid('keyId')
  decision.emit({ type: 'apiKeyRevoked', keyId })
  decision.emit({ type: 'apiKeyForgotten', keyId })
  return null
}
