/** What a browser loads of the console: as packed with a release, or made now from the sources of a checkout. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** By the name below `/console`, with the type it is sent as. */
export const CONSOLE_FILES = {
  'console.js': 'text/javascript; charset=utf-8',
  'charts.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'licences.txt': 'text/plain; charset=utf-8',
} as const

export type ConsoleFileName = keyof typeof CONSOLE_FILES

export interface ConsoleFile {
  /** Shared by everybody who reads them, however slowly. */
  readonly bytes: Buffer
  /** Another one for another text. */
  readonly tag: string
}

const PACKED = new URL('./packed/', import.meta.url)
const SOURCES = new URL('./page/', import.meta.url)

const known = new Map<ConsoleFileName, Promise<ConsoleFile>>()

/** A file, read or made once. */
export function consoleFile(name: ConsoleFileName): Promise<ConsoleFile> {
  const before = known.get(name)
  if (before !== undefined) return before
  const file = textOf(name).then((text) => ({ bytes: Buffer.from(text), tag: tagOf(text) }))
  known.set(name, file)
  return file
}

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

async function textOf(name: ConsoleFileName): Promise<string> {
  if (existsSync(PACKED)) return readFile(new URL(name, PACKED), 'utf8')
  const files = await made()
  return files.get(name) as string
}

let making: Promise<Map<string, string>> | undefined

function made(): Promise<Map<string, string>> {
  making ??= import('./bundle.ts').then(({ bundleConsole }) => bundleConsole(fileURLToPath(SOURCES)))
  return making
}
