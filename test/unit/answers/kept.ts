// The shapes that are kept, and the modules they are of.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Modules } from './asked.ts'
import type { Asked, Shapes } from './shape.ts'

/** Folders of src whose functions are asked; what a browser shows is of the page, and compiled as such. */
export const AREAS = [
  'backtest',
  'host',
  'store',
  'cli',
  'client',
  'cluster',
  'workbench',
  'page',
  'core',
] as const
export type Area = (typeof AREAS)[number]

/** The engine, and what it stands on. */
const CORE = new Set(
  'domain engine events history projections resources terms collections quantity hashes files'.split(' '),
)

const PAGES = /^src\/(host\/console|workbench)\/page\//

export function areaOf(file: string): Area | null {
  if (PAGES.test(file)) return 'page'
  const [top, folder = ''] = file.split('/')
  if (top !== 'src' || file.includes('/page/')) return null
  return CORE.has(folder) ? 'core' : (AREAS.find((area) => area === folder) ?? null)
}

const fileOf = (area: Area) => path.join(import.meta.dirname, 'shapes', `${area}.jsonl`)

/** One part a line, so that a change is seen where it is. */
export function keepShapes(area: Area, { subjects, tables, named, constants }: Shapes<Asked>): void {
  const lines = [
    ...subjects.map((subject) => ({ subject })),
    ...Object.entries(tables).map(([file, names]) => ({ file, names })),
    ...Object.entries(constants).map(([file, of]) => ({ file, of })),
    ...Object.entries(named).map(([name, shape]) => ({ name, shape })),
  ]
  writeFileSync(fileOf(area), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

type Line =
  | { readonly subject: Asked }
  | { readonly file: string; readonly names: readonly string[] }
  | { readonly file: string; readonly of: Shapes['constants'][string] }
  | { readonly name: string; readonly shape: Shapes['named'][string] }

/** Of an area that was never read, none. */
export function keptShapes(area: Area): Shapes<Asked> {
  if (!existsSync(fileOf(area))) return { subjects: [], tables: {}, named: {}, constants: {} }
  const lines = readFileSync(fileOf(area), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  return {
    subjects: lines.flatMap((line) => ('subject' in line ? [line.subject] : [])),
    tables: Object.fromEntries(lines.flatMap((line) => ('names' in line ? [[line.file, line.names]] : []))),
    constants: Object.fromEntries(lines.flatMap((line) => ('of' in line ? [[line.file, line.of]] : []))),
    named: Object.fromEntries(lines.flatMap((line) => ('name' in line ? [[line.name, line.shape]] : []))),
  }
}

/**
 * The modules of what is asked, and of the classes that are given to it; without those that need a browser to begin with.
 *
 * @param load loads a module with what it does not export.
 */
export async function modulesOf(shapes: Shapes, load: (file: string) => Promise<unknown>): Promise<Modules> {
  const files = new Set(Object.keys(shapes.tables))
  JSON.stringify([shapes.subjects, shapes.named], (key, value) => {
    if (key === 'file' && typeof value === 'string' && value.startsWith('src/')) files.add(value)
    return value
  })
  const modules = new Map<string, Readonly<Record<string, unknown>>>()
  for (const file of files)
    try {
      modules.set(file, (await load(file)) as Record<string, unknown>)
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error
    }
  return modules
}
