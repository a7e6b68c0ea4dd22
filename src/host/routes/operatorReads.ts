/** What the operator of a venue reads: accounts of all users, exposure, markets, why something happened, how it stood, postings. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { stringify } from 'csv-stringify/sync'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fundingRateOf, nextFundingAt } from '../../domain/formulas/funding.ts'
import { asOf, whyOf } from '../../engine/inspect.ts'
import { accountsImageOf } from '../../engine/internals.ts'
import type { Commit } from '../../events/commit.ts'
import { accountSummary } from '../../projections/accountSummary.ts'
import type { MarketThen } from '../../projections/accountsImage.ts'
import { Exposure } from '../../projections/exposure.ts'
import { type LedgerEntry, ledgerEntries } from '../../projections/ledgerEntries.ts'
import type { Reader } from '../../projections/reader.ts'
import { formatInstant } from '../../projections/wire.ts'
import { formatFp9 } from '../../quantity/fp9.ts'
import { CommitsArchived } from '../../store/store.ts'
import type { AccountPhase } from '../../terms/accountStatus.ts'
import { nextMidnight } from '../../terms/instants.ts'
import { searchAccounts } from '../accountSearch.ts'
import { chargesOf } from '../charges.ts'
import { readColumnsAhead } from '../columnsAhead.ts'
import { answer, answerTextsRead, clientOf, type HostContext, JSON_TYPE, refuse, reject } from '../context.ts'
import { malformed } from '../errorAnswer.ts'
import { JSON_FORMS } from '../expectedForm.ts'
import { isFed } from '../feed/feed.ts'
import type { SourceStanding } from '../feed/sourceStanding.ts'
import { otherForm } from '../fieldsFromJson.ts'
import { parseInstant } from '../instant.ts'
import { ordersJson, toJson } from '../json.ts'
import { commitsInPieces, eachInPieces, inPieces, turnFor } from '../longAnswer.ts'
import { operation } from '../operation.ts'
import { pagingOf } from '../paging.ts'
import { Places } from '../places.ts'
import { positionJson } from '../positionJson.ts'
import {
  AccountDetailResource,
  AccountMomentResource,
  AccountSummariesResource,
  AccountsQuery,
  AsOfQuery,
  OperatorAccountPath,
} from '../schemas/operatorAccounts.ts'
import {
  CausesResource,
  ExposureResource,
  LedgerQuery,
  LedgerResource,
  OperatorMarketsResource,
  WebhooksResource,
  WhyPath,
} from '../schemas/operatorReads.ts'
import { refuseGone } from '../stillThere.ts'

const search = operation({
  id: 'operatorAccounts',
  summary: 'Accounts of all users, searched, sorted and paged, all as of one commit',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  query: AccountsQuery,
  response: AccountSummariesResource,
  errors: [],
})

const account = operation({
  id: 'operatorAccount',
  summary: 'One account: balance by ledger, day, charges by kind, positions, orders',
  description:
    '`charges` are added up over the positions of the phase before the rest is read; with thousands of positions that takes several turns, and what happens meanwhile may be among them or not.',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  params: OperatorAccountPath,
  response: AccountDetailResource,
  errors: ['account_not_found'],
})

const exposure = operation({
  id: 'exposure',
  summary: 'By market: what is open, and what moves of the price would do, all as of one commit',
  description:
    'Each move is made as one tick at the present time: what it liquidates leaves nothing to its account, then the loss limits are judged. Resting orders are left as they are, and so are positions of accounts that break a limit. A paused market is shown as if it were open.',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  response: ExposureResource,
  errors: [],
})

const markets = operation({
  id: 'operatorMarkets',
  summary: 'Markets: status, price with its age and source, spread, funding, what rests and is open',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  response: OperatorMarketsResource,
  errors: [],
})

const why = operation({
  id: 'why',
  summary: 'The causes of what became of an order or a position, from the log',
  description:
    'It reads the log several times over, from its first commit: what `margin-core inspect why` shows.',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  params: WhyPath,
  response: CausesResource,
  errors: ['order_not_found'],
})

const accountAsOf = operation({
  id: 'accountAsOf',
  summary: 'An account as it was after a commit or at an instant, from the log',
  description: 'It folds the log from its first commit: what `margin-core inspect as-of` shows.',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  query: AsOfQuery,
  response: AccountMomentResource,
  errors: ['account_not_found'],
})

const ledger = operation({
  id: 'ledger',
  summary: 'Postings of the log, as JSON or CSV',
  description: 'With `format=csv` the answer is `text/csv`: a line of names, then one line for each posting.',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  query: LedgerQuery,
  response: LedgerResource,
  errors: [],
})

const webhooks = operation({
  id: 'webhooks',
  summary: 'Who is told of what happens, how far they are, and what went wrong last',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  response: WebhooksResource,
  errors: [],
  atOnce: true,
})

/** States of the past that one operator has folded at once: each is a whole venue in memory (K4). */
const FOLDED_AT_ONCE = 2

export function operatorReadRoutes(instance: FastifyInstance, context: HostContext): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const { engine, clock, feed } = context
  /** The log up to the head of the moment, a few commits at a time. */
  const log = (client: string, from = 1) => commitsInPieces(engine.commits({ from }), client)
  const folding = new Places(FOLDED_AT_ONCE)
  const endAhead = readColumnsAhead(engine)
  app.addHook('onClose', (_app, done) => {
    endAhead()
    done()
  })

  app.get('/operator/accounts', search, async (request, reply) => {
    const { search = '', status, phase, sort = 'created' } = request.query
    const image = accountsImageOf(engine)
    request.restsOn = image.seq
    try {
      const terms = {
        search: search.toLowerCase(),
        status,
        phase: phase === 'none' ? null : (phase as AccountPhase | undefined),
        sort,
        ...pagingOf(request.query),
      }
      const found = await inPieces(searchAccounts(image, terms), clientOf(reply))
      return answer(reply, toJson({ seq: image.seq, at: image.at, ...found }))
    } finally {
      image.release()
    }
  })

  app.get('/operator/accounts/:accountId', account, async (request, reply) => {
    const accountId = request.params.accountId.toLowerCase()
    if (engine.read.accountStanding(accountId) === undefined)
      return refuse(context, reply, { code: 'account_not_found' })
    const charges = await chargesOf(engine, accountId, () => turnFor(clientOf(reply)))
    return answer(reply, detail(accountId, charges))
  })

  function detail(accountId: string, charges: object): string {
    const image = accountsImageOf(engine)
    image.release()
    const found = image.get(accountId)
    if (found === undefined) throw new ReferenceError(`no account ${accountId}`)
    const { free, reserve, margin, dayStartEquity, dayStartBalance, realizedToday, highWater, bestDayGain } =
      found
    const nextDayAt = nextMidnight(image.at)
    const about = toJson({
      seq: image.seq,
      at: image.at,
      ...accountSummary(image, found),
      ledger: { free, reserve, margin },
      day: { dayStartEquity, dayStartBalance, realizedToday, highWater, bestDayGain, nextDayAt },
      charges,
    })
    return withOpen(about, engine.read, accountId)
  }

  app.get('/operator/exposure', exposure, async (request, reply) => {
    const image = accountsImageOf(engine)
    request.restsOn = image.seq
    try {
      const exposed = new Exposure(image)
      await inPieces(
        eachInPieces(image, (each) => exposed.add(each)),
        clientOf(reply),
      )
      return answer(reply, toJson({ seq: image.seq, at: image.at, markets: exposed.markets() }))
    } finally {
      image.release()
    }
  })

  app.get('/operator/markets', markets, async (_request, reply) => {
    const image = accountsImageOf(engine)
    image.release()
    const standings = context.sources()
    const shown = Array.from(image.markets.values(), (market) => shownMarket(market, standings))
    return answer(reply, toJson({ seq: image.seq, at: image.at, markets: shown }))
  })

  function shownMarket(market: MarketThen, standings: readonly SourceStanding[]) {
    const { id, status, indexPrice, priceAt, parameters, restingOrders, openPositions } = market
    const { id: _, ...held } = parameters
    const age = priceAt === null ? null : Math.max(0, clock.now() - priceAt)
    return {
      marketId: id,
      asset: parameters.baseAsset,
      status,
      indexPrice,
      priceAt,
      priceAgeMs: age,
      isStale: age === null || age >= parameters.maxPriceAgeMs,
      priceSource: feed !== null && isFed(feed, id) ? feed.kind : 'operator',
      sources: standings
        .filter(({ marketId }) => marketId === id)
        .map(({ marketId: _, ...source }) => source),
      spread: parameters.spread,
      fundingRate: fundingRateOf(parameters, 'long'),
      fundingRateShort: parameters.fundingRateShort,
      nextFundingAt: nextFundingAt(parameters.fundingIntervalMs, clock.now()),
      restingOrders,
      openPositions,
      parameters: held,
    }
  }

  app.get('/operator/webhooks', webhooks, async (_request, reply) =>
    answer(reply, toJson(context.webhooks?.standings ?? [])),
  )

  app.get('/operator/why/:id', why, async (request, reply) => {
    await engine.whenDurable()
    const causing = whyOf(() => log(clientOf(reply)), request.params.id.toLowerCase())
    const answering = causing.then((causes) =>
      causes.length === 0
        ? refuse(context, reply, { code: 'order_not_found' })
        : answer(reply, toJson(causes)),
    )
    return answering.catch(refusing(reply, 'id'))
  })

  app.get('/operator/as-of', accountAsOf, async (request, reply) => {
    const { seq, at, accountId } = request.query
    if ((seq === undefined) === (at === undefined)) return reject(context, reply, malformed([ONE_OF_TWO]))
    const until = seq === undefined ? { at: parseInstant(at) ?? -1 } : { seq: Number(seq) }
    const field = seq === undefined ? 'at' : 'seq'
    const momentForm = { seq: `a commit from 1 to ${engine.head}`, at: JSON_FORMS.instant }
    if ('seq' in until ? until.seq < 1 || until.seq > engine.head : until.at < 0)
      return reject(context, reply, malformed([otherForm(field, request.query[field], momentForm[field])]))
    await engine.whenDurable()
    // Of who has gone by now nothing tells any more.
    refuseGone(request.raw.socket)
    return new Promise<FastifyReply>((resolve) => {
      const folded = () => {
        const answered = asItWas(reply, until, accountId.toLowerCase()).catch(refusing(reply, field))
        resolve(answered)
        return answered
      }
      reply.raw.once('close', folding.take(clientOf(reply), folded))
    })
  })

  async function asItWas(
    reply: FastifyReply,
    until: Parameters<typeof asOf>[1],
    accountId: string,
  ): Promise<FastifyReply> {
    const moment = await asOf(() => log(clientOf(reply)), until)
    const found = moment.read.account(accountId)
    if (found === undefined) return refuse(context, reply, { code: 'account_not_found' })
    const about = toJson({ seq: moment.seq, at: moment.at, account: found })
    return answer(reply, withOpen(about, moment.read, accountId))
  }

  app.get('/operator/ledger', ledger, async (request, reply) => {
    const { accountId, from, to, format = 'json' } = request.query
    const [first, last] = [bound(from), bound(to)]
    if (first === undefined) return reject(context, reply, malformed([otherForm('from', from, BOUND)]))
    if (last === undefined) return reject(context, reply, malformed([otherForm('to', to, BOUND)]))
    await engine.whenDurable()
    const after = first !== null && 'seq' in first ? Math.max(first.seq, 1) : 1
    const entries = entriesBetween(log(clientOf(reply), after), {
      first,
      last,
      accountId: accountId?.toLowerCase(),
    })
    const [texts, type] = format === 'csv' ? [csvOf(entries), CSV_TYPE] : [jsonOf(entries), JSON_TYPE]
    return answerTextsRead(reply, texts, type).catch(refusing(reply, 'from'))
  })

  /** Refuses where the log does not reach back so far. */
  function refusing(reply: FastifyReply, field: string): (error: unknown) => FastifyReply {
    return (error) => {
      if (error instanceof CommitsArchived || error instanceof RangeError)
        return reject(context, reply, malformed([{ path: field, fault: error.message }]))
      throw error
    }
  }
}

const CSV_TYPE = 'text/csv; charset=utf-8'

/** Appends what is open on an account to the text of an object. */
function withOpen(about: string, read: Reader, accountId: string): string {
  const positions = read.activePositions(accountId).map(positionJson)
  return `${about.slice(0, -1)},"positions":[${positions}],"orders":${ordersJson(read.activeOrders(accountId))}}`
}

const ONE_OF_TWO = { path: 'seq', fault: 'give either `seq` or `at`' }

type Bound = { readonly seq: number } | { readonly at: number } | null

const BOUND = `a commit by its sequence, or ${JSON_FORMS.instant}`

/** A sequence or an instant; null where nothing is given, undefined for what is neither. */
function bound(text: string | undefined): Bound | undefined {
  if (text === undefined) return null
  if (/^[0-9]{1,15}$/.test(text)) return { seq: Number(text) }
  const at = parseInstant(text)
  return at === undefined ? undefined : { at }
}

async function* entriesBetween(
  log: AsyncIterable<readonly Commit[]>,
  terms: { readonly first: Bound; readonly last: Bound; readonly accountId: string | undefined },
): AsyncGenerator<LedgerEntry, void> {
  const { first, last, accountId } = terms
  for await (const run of log)
    for (const commit of run) {
      if (last !== null && ('seq' in last ? commit.seq > last.seq : commit.at > last.at)) return
      if (first !== null && 'at' in first && commit.at < first.at) continue
      for (const entry of ledgerEntries(commit))
        if (accountId === undefined || entry.accountId === accountId) yield entry
    }
}

async function* jsonOf(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string, void> {
  let before = '['
  for await (const { seq, at, event, accountId, free, reserve, margin, house } of entries) {
    yield before + toJson({ seq, at, event, accountId, free, reserve, margin, house })
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function* csvOf(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string, void> {
  yield stringify([['seq', 'at', 'event', 'accountId', 'free', 'reserve', 'margin', 'house']])
  for await (const { seq, at, event, accountId, free, reserve, margin, house } of entries) {
    const moved = [free, reserve, margin, house].map(formatFp9)
    yield stringify([[seq, formatInstant(at), event, accountId, ...moved]])
  }
}
