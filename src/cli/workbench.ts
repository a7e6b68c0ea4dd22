/** `margin-core workbench`: a page for a folder of research: what it holds, and what to run next. */
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Job } from '../workbench/jobs.ts'
import { examples } from './examples.ts'
import { reportFailure, UsageError } from './failure.ts'
import { positiveCount } from './planOptions.ts'

interface Options {
  readonly port: number
  readonly host: string
  readonly open?: true
  readonly atOnce: number
  readonly live?: readonly string[]
  readonly describe?: string
}

const EXAMPLES = examples(
  'workbench',
  'workbench research --open',
  'workbench --port 0 --at-once 1',
  'workbench research --live http://127.0.0.1:8080',
)

export function workbenchCommand(): Command {
  return new Command('workbench')
    .argument('[folder]', 'where runs, strategies and data are', '.')
    .option('--port <number>', 'port; 0 picks a free one', portNumber, 8090)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--open', 'open it in the browser')
    .option('--at-once <count>', 'so many runs at a time, the others wait', positiveCount, 2)
    .option(
      '--live <url>',
      'let the page trade on this venue; again for another (default: it trades nowhere)',
      venueAddress,
    )
    .addOption(new Option('--describe <strategy>').hideHelp())
    .addHelpText('after', EXAMPLES)
    .action((folder: string, options: Options) =>
      reportFailure(() =>
        options.describe === undefined ? workbench(folder, options) : describeStrategy(options.describe),
      ),
    )
}

function venueAddress(text: string, before: readonly string[] = []): readonly string[] {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('It is no address of a venue such as http://127.0.0.1:8080.')
  return [...before, text]
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It is no number from 0 to 65535.')
  return port
}

async function workbench(
  folder: string,
  { port, host, open, atOnce, live: venues = [] }: Options,
): Promise<void> {
  const home = path.resolve(folder)
  if ((await stat(home).catch(() => null))?.isDirectory() !== true)
    throw new UsageError(`${folder}: there is no such folder`)
  const { serveWorkbench } = await import('../workbench/server.ts')
  const program = { file: process.execPath, words: [...process.execArgv, process.argv[1] as string] }
  const served = await serveWorkbench({ home, host, port, program, atOnce, venues }).catch(
    (error: unknown) => {
      throw listenFault(error) ?? error
    },
  )
  let isClosing = false
  const close = async () => {
    if (isClosing) process.exit(1)
    isClosing = true
    for (const job of served.live) process.stderr.write(`${endingText(job)}\n`)
    await served.close()
    process.exit(0)
  }
  process.on('SIGINT', close)
  process.on('SIGTERM', close)
  process.on('SIGHUP', close)
  process.stdout.write(`workbench of ${home}\n\n  ${served.url}\n\n${NOTE}\n`)
  for (const note of liveNotes(venues, host)) process.stdout.write(`${note}\n`)
  if (open === true) openInBrowser(served.url)
}

const NOTE =
  'Whoever has this address may start runs here; keep it to yourself. Ctrl-C ends it, and what it has running.'

/** What to know of a page that may trade. */
function liveNotes(venues: readonly string[], host: string): string[] {
  if (venues.length === 0) return []
  const isAlone = isLoopback(host)
  const inTheClear = venues.filter(
    (venue) => venue.startsWith('http:') && !isLoopback(new URL(venue).hostname),
  )
  return [
    `The page may trade on ${venues.join(', ')}: whoever has its address can.`,
    ...(isAlone
      ? []
      : [`note: ${host} is heard by others, and what this page is told of a run goes there in the clear`]),
    ...inTheClear.map((venue) => `note: the key goes to ${venue} in the clear`),
  ]
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\.[\d.]+$/.test(host)
}

function endingText({ form }: Job): string {
  const what =
    form.options['on-exit'] === 'flatten'
      ? 'its orders are cancelled and its positions closed'
      : 'its orders and positions are left as they are'
  return `ending the live run ${form.out}: ${what}; Ctrl-C again leaves it to end by itself`
}

/** What a strategy declares, for the page: as JSON, from a process of its own. */
async function describeStrategy(named: string): Promise<void> {
  const [{ loadStrategy }, { described }] = await Promise.all([
    import('../backtest/strategies/load.ts'),
    import('../workbench/strategies.ts'),
  ])
  process.stdout.write(`${JSON.stringify(described(await loadStrategy(named)))}\n`)
}

function listenFault(error: unknown): UsageError | null {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null
  const other = code === 'EADDRINUSE' ? '; --port 0 picks a free one' : ''
  return new UsageError(`cannot listen: ${message}${other}`)
}

/** By the program that the system has for it; where it has none, the address is printed all the same. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

function openInBrowser(url: string): void {
  const [file = 'xdg-open', ...words] = OPENERS[process.platform] ?? []
  const opener = spawn(file, [...words, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => process.stderr.write(`note: ${file} is not there; open the address yourself\n`))
  opener.unref()
}
