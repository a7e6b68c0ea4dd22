/**
 * The API description (OpenAPI 3.1): what the routes declare, with every schema that has a name told once, under it. A
 * generated client then has types with names, and a reader fields with units.
 */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { amount, base, Instant, leverage, price, quote, rate, Uuid } from '../resources/fields.ts'
import { VERSION } from '../version.ts'
import { exampleOf } from './exampleOf.ts'
import { ErrorResource } from './operation.ts'
import { PlatformCommands } from './schemas/platformCommands.ts'

/** The revision of the interface that is served. */
const REVISION = '4209b13'

const ABOUT = `Leveraged positions on trader accounts, over HTTP with JSON bodies: the Margin Trading API, revision ${REVISION}, served by margin-core ${VERSION}.

**Numbers.** Every amount, price, leverage and rate is fp9: an integer as a string, scaled by 10^9. \`1000000000\` is 1 USD, 1 BTC or 1x; \`50000000\` is 5%. Use integers of any length or decimals, never floats. The schema of each field says what it counts in.

**Keys.** \`Authorization: Bearer KEY\`. A key reaches the accounts of its user that have \`apiTrading\` on.

**Limits.** Of each key 10 requests a second and 60 a minute, reading (GET, HEAD) and writing each, unless the venue sets others. What is left is told in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; beyond it 429 says in \`Retry-After\` when to come back.

**Errors.** \`{ statusCode, message, error }\`; branch on \`error\`. Each operation lists the codes it can answer with. A request refused for its size or kind may answer 411, 413, 414, 415, 417 or 431 with \`validation_failed\`, and a fault of the host 500 with \`internal_error\`. \`X-Request-Id\` of a refusal is the id that the venue's log has of it.

**Repeating.** An order placed under an idempotency key may be sent again within an hour: the first outcome is replayed.

Operations marked as extensions are named by the interface without being shown there, or are this venue's own.`

const TAGS = [
  { name: 'accounts', description: 'Accounts of the caller, and how far they are from their floors.' },
  { name: 'markets', description: 'Markets, their prices and bounds.' },
  { name: 'orders', description: 'Placing, editing and cancelling orders, and their lists.' },
  { name: 'positions', description: 'Positions, their history and their margin.' },
  { name: 'stream', description: 'What happens, as it happens.' },
  { name: 'api-keys', description: 'API keys, managed from the interactive session of their user.' },
  { name: 'operator', description: 'The venue itself: platform commands, the log, health. For operators.' },
]

/** Those that say what a name means, before a field says what it is used for; and what the engine's table checks. */
const FIRST: readonly TSchema[] = [
  ...[quote(), base(), price(), rate(), leverage(), amount(), Uuid, Instant, ErrorResource],
  PlatformCommands,
]

/** Collects the routes that are added after it. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Margin Trading API',
        version: VERSION,
        description: ABOUT,
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      // With a slash at its end the paths would lose theirs.
      servers: [{ url: app.prefix.replace(/\/+$/, '') || '/', description: 'This host.' }],
      tags: TAGS,
      components: {
        securitySchemes: {
          trader: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, or the interactive session of its user.',
          },
          session: { type: 'http', scheme: 'bearer', description: "The user's interactive session." },
          operator: {
            type: 'http',
            scheme: 'bearer',
            description: "An operator's token, of at least the role that the operation names.",
          },
        },
      },
    },
    transformObject: (document) =>
      'openapiObject' in document ? withNames(document.openapiObject) : document,
  })
}

type Json = { readonly [key: string]: unknown }

/**
 * A document in which every schema with a title is told once, in `components.schemas`. The first one of a name says what it
 * is; where another has something of its own to say, that stays beside the name.
 */
function withNames(document: object): object {
  const schemas: Record<string, unknown> = {}
  const descriptions = new Map<string, unknown>()
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named)
    if (typeof value !== 'object' || value === null) return value
    const { title, ...schema } = value as Json
    if (typeof title !== 'string')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner)]))
    const { description } = schema
    if (!descriptions.has(title)) {
      descriptions.set(title, description)
      schemas[title] = named(schema)
    }
    const $ref = `#/components/schemas/${title}`
    return description === descriptions.get(title) ? { $ref } : { $ref, description }
  }
  named(FIRST)
  const { paths, components, ...rest } = document as { paths: Json; components: Json }
  const shown = withBodyExamples(named(withAnswerExamples(paths)) as Json)
  return { ...rest, paths: shown, components: { ...components, schemas } }
}

/** Every answer that is the one asked for, with an example of it. */
function withAnswerExamples(paths: Json): Json {
  return mapValues(paths, (methods) =>
    mapValues(methods as Json, (operation) => ({
      ...(operation as Json),
      responses: Object.fromEntries(
        Object.entries((operation as { responses: Json }).responses).map(([status, answer]) => [
          status,
          status.startsWith('2') ? withExample(answer as { content: Json }) : answer,
        ]),
      ),
    })),
  )
}

function withExample(answer: { readonly content: Json }): object {
  const content = mapValues(answer.content, (media) => {
    const { schema } = media as { schema: object }
    return { schema, example: exampleOf(schema) }
  })
  return { ...answer, content }
}

/** What an operation shows as bodies, where OpenAPI has its place. */
function withBodyExamples(paths: Json): Json {
  return mapValues(paths, (methods) =>
    mapValues(methods as Json, (operation) => {
      const { 'x-body-examples': examples, ...rest } = operation as Json
      if (examples === undefined) return rest
      const { requestBody } = rest as { requestBody: { content: Json } }
      const content = mapValues(requestBody.content, (media) => ({ ...(media as Json), examples }))
      return { ...rest, requestBody: { ...requestBody, content } }
    }),
  )
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
