/**
 * Keys that come from the configuration (K11). The configuration is the truth about them: one that has left it ends,
 * one that it gives to another user or another end changes. What a user or an operator has revoked stays revoked.
 */
import type { AmendApiKey, WithdrawApiKey } from '../command.ts'
import { invalid, type Refusal } from '../errors.ts'
import { hexadecimal, sha256 } from '../sha256.ts'
import type { Step } from '../step.ts'
import type { ApiKey } from './apiKey.ts'

/**
 * The id of a configured key, from its secret's hash: the same from start to start, and nobody else's, because other
 * ids are drawn at random. A uuid v4 in form.
 */
export function configuredKeyId(hash: string): string {
  const hex = hexadecimal(sha256(`api key ${hash}`))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function amendApiKey(step: Step, { keyId, userId, expiresAt = null }: AmendApiKey): Refusal | null {
  const key = configuredKey(step, keyId)
  if (key === undefined || key.revoked) return invalid('keyId')
  if (key.userId === userId && key.expiresAt === expiresAt) return null
  step.emit({ type: 'apiKeyAmended', keyId, userId, expiresAt })
  return null
}

export function withdrawApiKey(step: Step, { keyId }: WithdrawApiKey): Refusal | null {
  const key = configuredKey(step, keyId)
  if (key === undefined || key.revoked) return invalid('keyId')
  step.emit({ type: 'apiKeyRevoked', keyId })
  step.emit({ type: 'apiKeyForgotten', keyId })
  return null
}

function configuredKey({ world }: Step, keyId: string): ApiKey | undefined {
  const key = world.apiKeys.get(keyId)
  return key?.configured === true ? key : undefined
}
