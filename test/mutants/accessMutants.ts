// Mistakes about who may do what: access, keys, operators, the configuration.

import type { Mutant } from './mutants.ts'

function mutant(breaks: string, file: string, find: string, replace: string, ...tests: string[]): Mutant {
  return {
    breaks,
    file: `src/${file}`,
    edits: [[find, replace]],
    tests: tests.map((name) => (name.includes('/') ? name : `host/${name}`)),
  }
}

const API = 'host/marginTradingApi.ts'

export const ACCESS_MUTANTS: readonly Mutant[] = [
  mutant(
    'access goes by the text of the URL (K1)',
    API,
    "  return access === 'operator'\n",
    "  return request.url.startsWith('/operator')\n",
    'access.test.ts',
  ),
  mutant(
    'a route without a declared access starts (K1)',
    API,
    '  requireDeclaredAccess(app)\n',
    '',
    'access.test.ts',
  ),
  mutant(
    'an operator may do what the role below may not (K10)',
    'host/access.ts',
    'OPERATOR_ROLES.indexOf(held) >= OPERATOR_ROLES.indexOf(needed)',
    'OPERATOR_ROLES.indexOf(held) >= OPERATOR_ROLES.indexOf(needed) - 1',
    'access.test.ts',
  ),
  mutant(
    'the commands of a request are not held against the role (K10)',
    'host/routes/operator.ts',
    '!wanted.every((',
    '!wanted.some((',
    'access.test.ts',
  ),
  mutant(
    'a session may go where nobody may',
    API,
    '} else if (access === undefined) return NOBODY',
    '}',
    'access.test.ts',
  ),
  mutant(
    'the operator surface stays on the address of the traders (K10)',
    API,
    "if (surface !== 'traders' && operators.length > 0)",
    'if (operators.length > 0)',
    'access.test.ts',
  ),
  mutant(
    'the wait after wrong tokens does not bind the right one (K10)',
    API,
    '  if (wait > 0) return wrongTokensRejection',
    '  if (wait > 0 && authentication.operator(request.headers.authorization).operator === null) return wrongTokensRejection',
    'wrongTokens.test.ts',
  ),
  mutant(
    'the twenty-first wrong token begins the wait (K10)',
    'host/wrongTokens.ts',
    'if (errors.at.length > MOST_WRONG) errors.at.shift()',
    'if (errors.at.length > MOST_WRONG + 1) errors.at.shift()',
    'wrongTokens.test.ts',
  ),
  mutant(
    'addresses are remembered without end',
    'host/wrongTokens.ts',
    'if (!past && this.#byAddress.size < MOST_ADDRESSES) return',
    'if (!past) return',
    'wrongTokens.test.ts',
  ),
  mutant(
    'one token may be a session and an operator (K10)',
    'host/authentication.ts',
    'this.#sessions.has(hash) || this.#operators.has(hash) ||',
    '',
    'authentication.test.ts',
  ),
  mutant(
    'an expired key counts towards the limit (K3)',
    'domain/commands/findApiKey.ts',
    'if (isLive(key, decision.at)) live += 1',
    'if (!key.revoked) live += 1',
    'unit/domain/commands/apiKeys.test.ts',
  ),
  mutant(
    'a refresh brings an expired key back over the limit (K3)',
    'domain/commands/refreshApiKey.ts',
    'if (!isLive(key, decision.at) && hasFull(decision, command))',
    'if (false)',
    'unit/domain/commands/apiKeys.test.ts',
    'apiKeys.test.ts',
  ),
  mutant(
    'revoked keys are kept for ever',
    'domain/commands/registerApiKey.ts',
    '  if (maxLive != null) forgetDead(decision, userId)\n',
    '',
    'unit/domain/commands/apiKeys.test.ts',
  ),
  mutant(
    'a revoked key of the configuration is forgotten, and comes back with the next start (K11)',
    'domain/commands/registerApiKey.ts',
    '!isLive(key, decision.at) && !key.configured',
    '!isLive(key, decision.at)',
    'unit/domain/commands/apiKeys.test.ts',
  ),
  mutant(
    'a key that has left the file goes on (K11)',
    'host/configuredKeys.ts',
    'filter(({ id }) => !named.has(id))',
    'filter(({ id }) => named.has(id) && false)',
    'configuredKeys.test.ts',
  ),
  mutant(
    'a moved key takes what its old user knows into the account of another (K11)',
    'host/configuredKeys.ts',
    "if (known.userId !== userId) return { type: 'revokeApiKey', keyId, userId: known.userId }",
    "if (known.userId !== userId) return { type: 'amendApiKey', keyId, userId, expiresAt }",
    'configuredKeys.test.ts',
  ),
  mutant(
    'a null against a set limit is not told (K11)',
    'host/differences.ts',
    '(want === null && !nullable.has(field))',
    'want === null',
    'configuredKeys.test.ts',
  ),
  mutant(
    'of two different idempotency keys the first is taken',
    API,
    '  if (other !== undefined) return TWO_KEYS\n',
    '',
    'idempotency.test.ts',
  ),
  mutant(
    'a DELETE with an id in capitals finds nothing (A4)',
    'host/routes/orders.ts',
    '    const orderId = request.params.orderId.toLowerCase()\n    const outcome',
    '    const orderId = request.params.orderId\n    const outcome',
    'ids.test.ts',
  ),
  mutant(
    'a secret may be kept on the way',
    'host/routes/apiKeys.ts',
    "    reply.header('cache-control', 'no-store')\n",
    '',
    'apiKeys.test.ts',
  ),
  mutant(
    'rejections say what is left of the rate',
    'host/context.ts',
    '  for (const header of QUOTA_HEADERS) reply.removeHeader(header)\n',
    '',
    'rateLimit.test.ts',
  ),
]
