/** API keys as their owner sees them (I6). */
import { type Static, Type } from 'typebox'
import { API_KEY } from './examples.ts'
import { closed, instant, nullable, optional, text, uuid } from './fields.ts'

const apiKeyFields = {
  id: uuid('Identifies the key.'),
  name: text('What its user calls it.'),
  prefix: text('The first characters of the secret.'),
  createdAt: instant('When it was made.'),
  expiresAt: nullable(instant('When it ends; null = never.')),
}

export const ApiKeyResource = closed(apiKeyFields, {
  title: 'ApiKey',
  description: 'An API key, without its secret.',
  examples: [API_KEY],
})

/** The one answer that carries the secret. */
export const NewApiKeyResource = closed(
  { ...apiKeyFields, key: text('The secret. It is shown here and never again.') },
  {
    title: 'NewApiKey',
    description: 'An API key with its secret.',
    examples: [{ ...API_KEY, key: 'mtk_5xTOeBYm5oNwZ0uN1Yg5LQxQjX0i4pXfWcKrbPZk0sE' }],
  },
)

export const CreateApiKeyBody = closed(
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: 'What to call it: 1 to 255 characters.' }),
    expiresAt: optional(
      Type.String({
        maxLength: 40,
        description: 'When it ends: ISO 8601, in the future; default: in 90 days.',
        examples: ['2026-04-01T00:00:00.000Z'],
      }),
    ),
  },
  { title: 'CreateApiKey', description: 'The API key to make.', examples: [{ name: 'bot' }] },
)

export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>
