/** A configured key leaves the configuration (K11). */

import type { WithdrawApiKey } from '../../events/command.ts'
import { invalid, type Refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { configuredKey } from './findApiKey.ts'

export function withdrawApiKey(step: Step, { keyId }: WithdrawApiKey): Refusal | null {
  const key = configuredKey(step, keyId)
  if (key === undefined || key.revoked) return invalid('keyId')
  step.emit({ type: 'apiKeyRevoked', keyId })
  step.emit({ type: 'apiKeyForgotten', keyId })
  return null
}
