// The pages of docs/api, docs/commands.md, docs/command-line.md, docs/configuration.md, docs/events.md and docs/indicators.md, and the meanings that the API
// description tells: what they should say today, and what they say.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { commandLinePage } from './commandLinePage.ts'
import { commandPage } from './commandPage.ts'
import { configurationPage } from './configurationPage.ts'
import { emitDeclarations, entryPoints } from './declarations.ts'
import { eventPage } from './eventPage.ts'
import { indicatorPage } from './indicatorPage.ts'
import { meaningsFile } from './meaningsFile.ts'
import { differences, type EntrySurface, type Page, pageOf, surfaceOf } from './report.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'docs/api')

export const todaysSurface = (): EntrySurface[] => surfaceOf(emitDeclarations(), entryPoints())

/** What is declared to be without promise has no page. */
const WITHOUT_PROMISE = 'margin-core/internal'

export const todaysPages = (surface = todaysSurface()): Page[] => [
  ...surface.filter(({ entry }) => entry !== WITHOUT_PROMISE).map(pageOf),
  commandPage(surface),
  commandLinePage(),
  configurationPage(surface),
  eventPage(surface),
  indicatorPage(),
  meaningsFile(surface),
]

/** What differs between the pages and what is kept of them, a line each. */
export function surfaceChanges(pages: readonly Page[]): string[] {
  const kept = existsSync(folder) ? readdirSync(folder) : []
  const changed = pages.flatMap((page) => {
    const file = path.join(root, page.path)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return differences(text, page.text).map((difference) => `${page.path}: ${difference}`)
  })
  const left = kept.filter((base) => !pages.some((page) => path.basename(page.path) === base))
  return [...changed, ...left.map((base) => `docs/api/${base}: no such entry point`)]
}

/** Keeps these pages, and no others. */
export function acceptPages(pages: readonly Page[]): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const page of pages) writeFileSync(path.join(root, page.path), page.text)
}
