// Mistakes about what is told: to whoever sends something malformed, and to whoever runs a venue that lacks something.

import { type Mutant, mutant } from './mutant.ts'

const OUTAGES = 'host/outages.test.ts'
const WEBHOOKS = 'host/webhooks.test.ts'
const CONFIGURATION = 'host/configuration.test.ts'
const VALIDATION = 'unit/host/validation.test.ts'
const COMMANDS = 'unit/host/platformCommands.test.ts'
const PREVIEW = 'host/preview.test.ts'

export const TELLING_MUTANTS: readonly Mutant[] = [
  mutant(
    'a market without a price is told at every look',
    'host/feed/outages.ts',
    ['const isTold = lasted < LASTING_MS && ', 'const isTold = '],
    OUTAGES,
  ),
  mutant(
    'looks without a price count together however many had one between them',
    'host/feed/outages.ts',
    ['      this.#lacking.delete(market)\n', ''],
    OUTAGES,
  ),
  mutant(
    'a price is told to be there again though it was never told to be gone',
    'host/feed/outages.ts',
    ['if (lasted >= LASTING_MS) this', 'if (lasted > 0) this'],
    OUTAGES,
  ),
  mutant(
    'how long a market has no price is counted in looks',
    'host/feed/outages.ts',
    ['this.#intervalMs = intervalMs', 'this.#intervalMs = 1_000'],
    OUTAGES,
  ),
  mutant(
    'a receiver that takes nothing is told at every attempt',
    'host/webhooks/webhook.ts',
    ['this.#attempts === TOLD_AFTER', 'this.#attempts >= TOLD_AFTER'],
    WEBHOOKS,
  ),
  mutant(
    'that a receiver takes again is told after every passing failure',
    'host/webhooks/webhook.ts',
    ['this.#attempts >= TOLD_AFTER', 'this.#attempts > 0'],
    WEBHOOKS,
  ),
  mutant(
    'whoever stops a webhook waits for a receiver that does not answer',
    'host/webhooks/webhook.ts',
    ['    this.#underWay?.abort()\n', ''],
    WEBHOOKS,
  ),
  mutant(
    'who never answers a webhook is waited for',
    'host/webhooks/webhook.ts',
    ['ms`)), timeout)', 'ms`)), 2 ** 31 - 1)'],
    WEBHOOKS,
  ),
  mutant(
    'only a secret that is nothing but a variable counts as not filled in',
    'host/configuration.ts',
    ['if (/\\$\\{\\w+\\}/.test(secret))', 'if (/^\\$\\{[A-Z]\\}$/.test(secret))'],
    CONFIGURATION,
  ),
  mutant(
    'the keys of users are not asked whether they were filled in',
    'host/configuration.ts',
    ['if (/\\$\\{\\w+\\}/.test(secret))', "if (/\\$\\{\\w+\\}/.test(secret) && !path.startsWith('users'))"],
    CONFIGURATION,
  ),
  mutant(
    'a command is told to hold what only a configuration may',
    'host/fieldsFromJson.ts',
    [
      '{ read: parseFp9, form: fp9Form }',
      '{ read: parseFp9, form: () => \'a decimal with its unit such as "5 USD"\' }',
    ],
    COMMANDS,
  ),
  mutant(
    'a command is refused with where alone',
    'host/routes/preview.ts',
    ['malformed([command])', "malformed([{ path: command.path, fault: 'not understood' }])"],
    PREVIEW,
  ),
  mutant(
    'a key that was sent in another place is repeated in the answer',
    'host/schemaFault.ts',
    ['if (isKey(given))', 'if (isKey(path))'],
    VALIDATION,
  ),
  mutant(
    'all that is given in the place of something else is repeated',
    'host/expectedForm.ts',
    ['text.length > LONGEST ?', 'text.length < 0 ?'],
    VALIDATION,
  ),
  mutant(
    'the name of a field is repeated however long',
    'host/errorAnswer.ts',
    ['return path.slice(0, LONGEST_PATH)', 'return path'],
    VALIDATION,
  ),
  mutant(
    'an object is told to be none for what is within it',
    'host/validation.ts',
    ['places.filter((_, at) => !paths.some(', 'places.filter((_, at) => at >= 0 || paths.some('],
    VALIDATION,
  ),
]
