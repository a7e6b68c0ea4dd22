/** `margin-core serve`: a venue over HTTP. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { reasonOf } from '../engine/notices.ts'
import type { ServedVenue } from '../host/index.ts'
import type { Store } from '../store/store.ts'
import { configurationIn } from './configurationFile.ts'
import { databaseFault } from './databaseFault.ts'
import { databaseUrl } from './databaseUrl.ts'
import { ARCHIVE_OPTION } from './dataDirectory.ts'
import { endedKey, keepKey, keptKey, keyOpenToOthers } from './demoKey.ts'
import { examples } from './examples.ts'
import { allOf, reportFailure, UsageError } from './failure.ts'
import { CountedProgress } from './progress.ts'

interface Options {
  readonly config?: string
  readonly port: number
  readonly host: string
  readonly data?: string
  readonly archive?: string
  readonly postgres?: string
  readonly node?: string
  readonly advertise?: string
  readonly lease: number
  readonly endWithin: number
  readonly unsafeDatabase?: true
  readonly acceptGap?: true
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
}

const EXAMPLES = examples(
  'serve',
  'serve --config venue.json --data venue-data --port 8080',
  'serve --config venue.json --postgres postgres://venue@db/venue --node a',
)

export function serveCommand(): Command {
  return new Command('serve')
    .option('--config <file>', 'venue configuration (JSON)')
    .option('--port <number>', 'port; 0 picks a free one', portNumber, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <directory>', 'durable event log; without it the log is lost on exit')
    .option(...ARCHIVE_OPTION)
    .option('--postgres <url>', 'be a node of a cluster over this database, instead of --data')
    .option('--node <name>', 'name of this node; default: host name and port it is reached at', nodeName)
    .option(
      '--advertise <url>',
      'where other nodes reach this one; default: where it listens',
      advertisedAddress,
    )
    .option(
      '--lease <ms>',
      'how long a node may serve without having heard from the database',
      leaseMs,
      3_000,
    )
    .option(
      '--end-within <ms>',
      'how long after a signal a node ends, whatever keeps it; what it could not hand over by then is taken over',
      endWithinMs,
      18_000,
    )
    .option('--unsafe-database', 'take a database with fsync off, which loses commits with the power')
    .option('--accept-gap', 'go on with a log that ends more than 7 days ago')
    .addOption(
      new Option('--log-level <level>', 'structured log on stderr')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .default('warn'),
    )
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) =>
      reportFailure(() => {
        const typed = (name: keyof Options) => command.getOptionValueSource(name) === 'cli'
        return serve(options, typed)
      }, 1),
    )
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It is no number from 0 to 65535.')
  return port
}

const leaseMs = millisecondsFrom(300)
const endWithinMs = millisecondsFrom(1_000)

function millisecondsFrom(least: number): (text: string) => number {
  return (text) => {
    const ms = Number(text)
    if (!/^\d+$/.test(text) || ms < least || ms > 600_000)
      throw new InvalidArgumentError(`It is no number from ${least} to 600000.`)
    return ms
  }
}

function nodeName(text: string): string {
  if (text === '' || text.length > 255)
    throw new InvalidArgumentError('It is no text of 1 to 255 characters.')
  return text
}

/** Nodes speak HTTP with each other, and the path is that of the request. */
function advertisedAddress(text: string): string {
  if (!/^http:\/\/[^/?#@]+\/?$/i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It is no address such as http://10.0.0.1:8080.')
  return text
}

/** What only a node of a cluster has. */
const OF_NODES = {
  node: '--node',
  advertise: '--advertise',
  lease: '--lease',
  endWithin: '--end-within',
  unsafeDatabase: '--unsafe-database',
} as const
/** Addresses that one listens on, and that lead nobody here. */
const EVERYWHERE = ['0.0.0.0', '::']

async function serve(options: Options, typed: (name: keyof Options) => boolean): Promise<void> {
  console.error = printInALine
  if (options.postgres !== undefined) return serveAsNode(options.postgres, options)
  const alone = Object.entries(OF_NODES).flatMap(([name, flag]) =>
    typed(name as keyof Options) ? [`${flag} is of a node of a cluster: --postgres URL`] : [],
  )
  if (options.archive !== undefined && options.data === undefined)
    alone.push('--archive is of a log that is kept: --data DIR')
  if (alone.length > 0) throw allOf(...alone)
  const { demoVenue, serveVenue } = await import('../host/index.ts')
  const { hashOf } = await import('../host/secret.ts')
  const { config, data } = options
  const kept = config === undefined && data !== undefined ? await keptKey(data) : null
  const demo = config === undefined ? demoVenue(kept ?? undefined) : null
  const configuration = demo?.configuration ?? (await configurationIn(config as string))
  const progress = new CountedProgress('recovering the log', 'commits', options.data === undefined)
  const venue = await serveVenue({
    configuration,
    store: options.data === undefined ? null : await openStore(options.data, options.archive),
    acceptGap: options.acceptGap === true,
    host: options.host,
    port: options.port,
    log: { level: options.logLevel },
    onNotice: (notice) => process.stderr.write(`${notice}\n`),
    onRecovery: ({ folded, total }) => progress.update({ done: folded, total }),
  })
    .catch((error: unknown) => {
      throw listenFault(error) ?? error
    })
    .finally(() => progress.end())
  closeOnSignal(venue)
  if (demo !== null && data !== undefined) {
    const isGood = venue.engine.read.apiKeyWithHash(hashOf(demo.apiKey))?.revoked === false
    const toKnow =
      kept === null ? await keepKey(data, demo.apiKey) : isGood ? await keyOpenToOthers(data) : endedKey(data)
    if (toKnow !== null) process.stderr.write(`${toKnow}\n`)
  }
  for (const difference of venue.ignored) process.stderr.write(`configuration: ${difference}\n`)
  if (options.data === undefined) print('the log is in memory and is lost on exit (--data DIR keeps it)')
  print(demo === null ? `API documentation: ${venue.url}/docs` : await welcome(venue, demo))
  if (venue.operatorUrl !== null) print(`operator surface on ${venue.operatorUrl}`)
  print(`listening on ${venue.url}`)
}

/** A node of a cluster. A signal hands its shards over before it ends. */
async function serveAsNode(postgres: string, options: Options): Promise<void> {
  const { config, data, archive, node, advertise, lease, unsafeDatabase, host, port, acceptGap, logLevel } =
    options
  const leadsNowhere = advertise === undefined && EVERYWHERE.includes(host)
  if (config === undefined || data !== undefined || archive !== undefined || leadsNowhere)
    throw allOf(
      config === undefined && '--postgres needs a configuration: --config FILE',
      data !== undefined && '--data and --postgres exclude each other',
      archive !== undefined && '--archive and --postgres exclude each other',
      leadsNowhere && `no other node reaches this one at ${host}: --advertise URL says where it does`,
    )
  const { serveNode } = await import('../host/index.ts')
  const served = await serveNode({
    configuration: await configurationIn(config),
    postgres: databaseUrl(postgres),
    ...(node !== undefined && { name: node }),
    ...(advertise !== undefined && { advertise }),
    leaseMs: lease,
    unsafeDatabase: unsafeDatabase === true,
    acceptGap: acceptGap === true,
    host,
    port,
    log: { level: logLevel },
    onNotice: (notice) => process.stderr.write(`${notice}\n`),
  }).catch((error: unknown) => {
    throw (isOfDatabase(error, host) ? databaseFault(error, postgres, 'used') : listenFault(error)) ?? error
  })
  let closing = false
  const close = async () => {
    if (closing) process.exit(1)
    closing = true
    // What is acknowledged is durable, and whatever is still held is taken over.
    setTimeout(() => {
      process.stderr.write(
        'it ends before all was handed over: others do not take it, or the database does not answer\n',
      )
      process.exit(0)
    }, options.endWithin)
    await served.close().catch((error: unknown) => process.stderr.write(`error: ${reasonOf(error)}\n`))
    process.exit(0)
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
  if (served.operatorUrl !== null) print(`operator surface on ${served.operatorUrl}`)
  print(`listening on ${served.url}`)
}

/** What the database or its client throws: the system names what could not be listened on. */
function isOfDatabase(error: unknown, host: string): boolean {
  const { name, code, syscall, hostname, message } = error as NodeJS.ErrnoException & ListenAddress
  if (syscall === 'listen' || (syscall === 'getaddrinfo' && hostname === host)) return false
  return (
    name !== 'RangeError' &&
    (typeof code === 'string' || /\b(SSL|connection|timeout|timed out)\b/i.test(message))
  )
}

/** The durable log in a directory. */
async function openStore(directory: string, archive: string | undefined): Promise<Store> {
  const { openLmdbStore } = await import('../store/lmdb/index.ts')
  return openLmdbStore(directory, archive === undefined ? {} : { archive }).catch((error: unknown) => {
    throw directoryFault(directory, error) ?? error
  })
}

/** What keeps a directory from being made, with what to do about it; null for an error that says something else. */
function directoryFault(directory: string, error: unknown): UsageError | null {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (['EEXIST', 'ENOTDIR'].includes(code))
    return new UsageError(`cannot keep a log in ${directory}: that is a file; name a directory with --data`)
  if (syscall !== 'mkdir') return null
  return new UsageError(
    `cannot keep a log in ${directory}: nothing can be made there (${message}); name a directory with --data that this process may write to`,
  )
}

/** What a newcomer needs for the first order. */
async function welcome(
  { url }: ServedVenue,
  { apiKey, operatorToken }: { readonly apiKey: string; readonly operatorToken: string },
): Promise<string> {
  const { DEMO } = await import('../host/index.ts')
  const body = {
    accountId: DEMO.accountId,
    marketId: DEMO.marketIds.BTC,
    type: 'market',
    direction: 'long',
    amount: '1000000000000',
    leverage: '5000000000',
  }
  return `demo venue: BTC, ETH, SOL and XAU (gold) with simulated prices

  base URL           ${url}
  API key            ${apiKey}
  account id         ${DEMO.accountId}
  operator's token   ${operatorToken}
  console            ${url}/console (sign in with the key to trade, with the token to operate)
  API documentation  ${url}/docs

Open a position of 1,000 USD at 5x:

  curl -s -X POST ${url}/orders -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'

Read it back:

  curl -s ${url}/positions/${DEMO.accountId}/active -H 'Authorization: Bearer ${apiKey}'
`
}

/**
 * What a package prints by itself. An error with a number is one of LMDB's, which prints what it throws as well, with its
 * stack: what it means is said where it is caught.
 */
function printInALine(...told: readonly unknown[]): void {
  if (told.some((error) => error instanceof Error && 'code' in error && typeof error.code === 'number'))
    return
  process.stderr.write(`${told.map(reasonOf).join(' ')}\n`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** What keeps a server from listening, with what to do about it; null for an error that says something else. */
function listenFault(error: unknown): UsageError | null {
  const { code = '', syscall, address, hostname, port } = error as NodeJS.ErrnoException & ListenAddress
  const reason = syscall === undefined ? undefined : NOT_LISTENING[`${syscall} ${code}`]
  return reason === undefined
    ? null
    : new UsageError(
        `cannot listen on ${address ?? hostname}${port === undefined ? '' : `:${port}`}: ${reason}`,
      )
}

/** As Node puts it into its errors. */
interface ListenAddress {
  readonly address?: string
  readonly hostname?: string
  readonly port?: number
}

const OTHER_PORT = 'choose another port with --port, or in the configuration with operatorListen'
const NOT_LISTENING: Readonly<Record<string, string>> = {
  'listen EADDRINUSE': `the port is taken; ${OTHER_PORT}`,
  'listen EACCES': `the port needs more rights than this process has; ${OTHER_PORT}`,
  'listen EADDRNOTAVAIL': 'this machine has no such address; choose another with --host',
  'getaddrinfo ENOTFOUND': 'there is no such host; choose another with --host',
}

/** The first signal drains; a second one does not wait. An engine that had stopped ends the process with 1. */
function closeOnSignal(venue: ServedVenue): void {
  let closing = false
  const close = async () => {
    if (closing) process.exit(1)
    closing = true
    const { failure } = venue.engine
    const complaints = failure === null ? [] : [`the engine had stopped: ${reasonOf(failure)}`]
    await venue.close().catch((error: unknown) => complaints.push(reasonOf(error)))
    for (const complaint of complaints) process.stderr.write(`error: ${complaint}\n`)
    process.exit(complaints.length === 0 ? 0 : 1)
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
}
