/** API keys as their owner sees them (I6). */
import { type Static, Type } from 'typebox'
import { closed, Instant, nullable, optional, Uuid } from './fields.ts'

const apiKeyFields = {
  id: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: 'the first characters of the key' }),
  createdAt: Instant,
  expiresAt: nullable(Instant),
}

export const ApiKeyResource = closed(apiKeyFields)

/** The one answer that carries the secret. */
export const NewApiKeyResource = closed({
  ...apiKeyFields,
  key: Type.String({ description: 'shown once' }),
})

export const CreateApiKeyBody = closed({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  expiresAt: optional(
    Type.String({ maxLength: 40, description: 'ISO 8601, in the future; default: in 90 days' }),
  ),
})

export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>
