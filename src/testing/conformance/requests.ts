/** Commands as the requests that ask for them, with names in the places of ids. */
import type { Caller, Command } from '../../events/command.ts'
import type { Model } from '../model.ts'
import type { Asker, Step } from './exchange.ts'
import type { Users } from './names.ts'

/** The name of an id; undefined where no answer has shown it yet. */
export type NameOf = (id: string) => string | undefined

/** What a command is asked for with; null where the interface has no request for it, or a thing in it has no name yet. */
export function requestFor(
  label: string,
  { command, caller }: { readonly command: Command; readonly caller?: Caller },
  { model, users, nameOf }: { readonly model: Model; readonly users: Users; readonly nameOf: NameOf },
): Step | null {
  try {
    return { label, ...request(command, named(nameOf), asker(command, caller, model, users)) }
  } catch (error) {
    if (error instanceof NoRequest) return null
    throw error
  }
}

class NoRequest extends Error {}

type Request = Omit<Step, 'label'>
type Named = (value: unknown) => unknown

function request(command: Command, name: Named, as: Asker): Request {
  switch (command.type) {
    case 'placeOrder': {
      const { type: _, orderType, idempotencyKey, ...fields } = command
      return {
        as,
        method: 'POST',
        path: '/orders',
        body: { ...(name(fields) as object), type: orderType },
        ...(idempotencyKey != null && { headers: { 'x-idempotency-key': `{unknown} ${idempotencyKey}` } }),
      }
    }
    case 'editOrder': {
      const { type: _, orderId, ...fields } = command
      return { as, method: 'PATCH', path: `/orders/${name(orderId)}`, body: name(fields) }
    }
    case 'cancelOrder':
      return { as, method: 'DELETE', path: `/orders/${name(command.orderId)}` }
    case 'changeMargin': {
      const { positionId, marginChange } = command
      return {
        as,
        method: 'PATCH',
        path: `/positions/${name(positionId)}/margin`,
        body: { marginChange: String(marginChange) },
      }
    }
    case 'closeAll':
      return { as, method: 'POST', path: `/positions/${name(command.accountId)}/close-all` }
    case 'createEngine':
    case 'registerApiKey':
    case 'refreshApiKey':
    case 'revokeApiKey':
      throw new NoRequest()
    default:
      return { as: 'operator', method: 'POST', path: '/operator/commands', body: name(command) }
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const USERS: Readonly<Record<string, string>> = { 'user-alice': '{user}', 'user-carol': '{user}' }

/** The same value with names for ids, users and tickers, and quantities as texts. */
function named(nameOf: NameOf): Named {
  const name: Named = (value) => {
    if (typeof value === 'bigint') return String(value)
    if (Array.isArray(value)) return value.map(name)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([field, held]) => [
          field,
          field === 'baseAsset' ? `{asset${String(held)}}` : name(held),
        ]),
      )
    if (typeof value !== 'string') return value
    if (value.startsWith('user-')) return USERS[value] ?? '{other}'
    if (!UUID.test(value)) return value
    const known = staged(value) ?? nameOf(value)
    if (known === undefined) throw new NoRequest()
    return known
  }
  return name
}

/** The ids that the generators give by themselves (`testing/venue.ts`). */
function staged(id: string): string | undefined {
  const [, kind, number] = /^00000000-0000-4000-([89])000-0000000000(..)$/.exec(id) ?? []
  if (number === undefined) return undefined
  if (kind === '9') return `{account${number}}`
  return number === 'ff' ? '{unknown}' : `{market${number}}`
}

/** Who is meant to ask: the caller, or whose account it is. */
function asker(command: Command, caller: Caller | undefined, model: Model, { other }: Users): Asker {
  const userId = caller?.userId ?? ownerOf(command, model)
  return userId === 'user-bob' || userId === 'user-mallory' || userId === other ? 'other' : 'trader'
}

function ownerOf(command: Command, model: Model): string | undefined {
  const named = command as { accountId?: string; orderId?: string; positionId?: string }
  const accountId =
    named.accountId ??
    model.orders.get(named.orderId ?? '')?.placed.accountId ??
    model.positions.get(named.positionId ?? '')?.accountId
  return model.accounts.get(accountId ?? '')?.parameters.userId
}
