/** A user's API keys, from an interactive session (I6). The secret is drawn here and shown once. */
import { randomUUID } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ApiKey } from '../../domain/state/apiKey.ts'
import { ApiKeyResource, CreateApiKeyBody, NewApiKeyResource } from '../../resources/apiKey.ts'
import { ApiKeyPath } from '../../resources/fields.ts'
import type { Rejection } from '../../terms/errors.ts'
import { answer, callerOf, type HostContext, refuse, reject, send } from '../context.ts'
import { malformed } from '../errorAnswer.ts'
import { JSON_FORMS } from '../expectedForm.ts'
import { otherForm } from '../fieldsFromJson.ts'
import { parseInstant } from '../instant.ts'
import { toJson } from '../json.ts'
import { operation } from '../operation.ts'
import { hashOf, shownPrefix } from '../secret.ts'

/** Default life of a key: 90 days. */
const KEY_LIFE_MS = 90 * 86_400_000

const createApiKey = operation({
  id: 'createApiKey',
  summary: 'Create an API key',
  tag: 'api-keys',
  access: 'session',
  status: 201,
  body: CreateApiKeyBody,
  response: NewApiKeyResource,
  secret: true,
  errors: ['too_many_api_keys'],
})

const listApiKeys = operation({
  id: 'listApiKeys',
  summary: 'API keys of the user, oldest first',
  tag: 'api-keys',
  access: 'session',
  extension: true,
  response: Type.Array(ApiKeyResource),
  errors: [],
})

const refreshApiKey = operation({
  id: 'refreshApiKey',
  summary: 'Give a key a new secret; the old one is dead at once',
  tag: 'api-keys',
  access: 'session',
  extension: true,
  params: ApiKeyPath,
  response: NewApiKeyResource,
  secret: true,
  errors: ['too_many_api_keys'],
})

const deleteApiKey = operation({
  id: 'deleteApiKey',
  summary: 'Delete a key; it is dead at once',
  tag: 'api-keys',
  access: 'session',
  extension: true,
  params: ApiKeyPath,
  response: ApiKeyResource,
  errors: [],
})

const IN_FUTURE = `${JSON_FORMS.instant}, in the future`

export function apiKeyRoutes(instance: FastifyInstance, context: HostContext): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const { engine, clock, maxApiKeysPerUser: maxLive } = context

  app.post('/user/api-keys', createApiKey, async (request, reply) => {
    const now = clock.now()
    const expiresAt =
      request.body.expiresAt == null ? now + KEY_LIFE_MS : parseInstant(request.body.expiresAt)
    if (expiresAt === undefined || expiresAt <= now)
      return reject(context, reply, malformed([otherForm('expiresAt', request.body.expiresAt, IN_FUTURE)]))
    const keyId = randomUUID()
    const { userId } = callerOf(request)
    const secret = context.newApiKey(userId)
    const { name } = request.body
    const terms = {
      keyId,
      userId,
      name,
      hash: hashOf(secret),
      prefix: shownPrefix(secret),
      expiresAt,
      maxLive,
    }
    const sent = send(context, request, { type: 'registerApiKey', ...terms })
    const key = engine.read.apiKey(keyId)
    const outcome = await sent
    return outcome.ok ? answerKey(reply, key, secret, 201) : refuseKey(reply, outcome.error)
  })

  app.get('/user/api-keys', listApiKeys, async (request, reply) => {
    const keys = engine.read.apiKeys(callerOf(request).userId)
    return answer(reply, toJson(keys.map(shown)))
  })

  app.post('/user/api-keys/:id/refresh', refreshApiKey, async (request, reply) => {
    const own = ownKey(request, request.params.id)
    const secret = context.newApiKey(own.userId)
    const sent = send(context, request, {
      type: 'refreshApiKey',
      ...own,
      hash: hashOf(secret),
      prefix: shownPrefix(secret),
      expiresAt: clock.now() + KEY_LIFE_MS,
      maxLive,
    })
    const key = engine.read.apiKey(own.keyId)
    const outcome = await sent
    return outcome.ok ? answerKey(reply, key, secret, 200) : refuseKey(reply, outcome.error)
  })

  app.delete('/user/api-keys/:id', deleteApiKey, async (request, reply) => {
    const own = ownKey(request, request.params.id)
    const key = engine.read.apiKey(own.keyId)
    const outcome = await send(context, request, { type: 'revokeApiKey', ...own })
    return outcome.ok ? answer(reply, toJson(shown(key as ApiKey))) : refuseKey(reply, outcome.error)
  })

  /**
   * The one answer with a secret in it: nothing on the way may keep it. The key is as it was when it was decided:
   * until that is durable it may have been deleted again.
   */
  function answerKey(
    reply: FastifyReply,
    key: ApiKey | undefined,
    secret: string,
    status: 200 | 201,
  ): FastifyReply {
    reply.header('cache-control', 'no-store')
    return answer(reply, toJson({ ...shown(key as ApiKey), key: secret }), status)
  }

  /** The path calls the key's id `id`. */
  function refuseKey(reply: FastifyReply, { code, details }: Rejection): FastifyReply {
    const renamed = details?.map((detail) => (detail === 'keyId' ? 'id' : detail))
    return refuse(context, reply, renamed === undefined ? { code } : { code, details: renamed })
  }
}

function ownKey(request: FastifyRequest, id: string): { keyId: string; userId: string } {
  return { keyId: id.toLowerCase(), userId: callerOf(request).userId }
}

/** What may be shown of a key again. */
function shown({ id, name, prefix, createdAt, expiresAt }: ApiKey): object {
  return { id, name, prefix, createdAt, expiresAt }
}
