/**
 * What the functions of src are asked, and what they answer.
 *
 *     npm run answers                        reads anew of the compiler what each function takes
 *     npm run answers -- host store          of some folders
 *     npm run answers -- proportion Random   every call of some functions, in full: to be compared with those of another commit
 *
 * The answers that are kept are written by `npx vitest run test/unit/answers -u`, after a look at what is different.
 */
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createViteServer } from 'vitest/node'
import { root, sources, textOf } from '../../tidy/sourceTree.ts'
import { answerTo, type Modules } from './asked.ts'
import { declaredIn, innerNames } from './innerNames.ts'
import { AREAS, type Area, areaOf, keepShapes, keptShapes, modulesOf } from './kept.ts'
import { Passes } from './passes.ts'
import { quickCalls } from './quickCalls.ts'
import type { Asked, Shapes, Subject } from './shape.ts'
import { LEFT_OUT, RUN_AT_ONCE, ShapeReader } from './shapesOf.ts'
import { isTable } from './tables.ts'

const passes = new Passes()
const vite = await createViteServer({
  root,
  configFile: path.join(root, 'vitest.config.ts'),
  plugins: [passes.plugin(), innerNames()],
  appType: 'custom',
  logLevel: 'silent',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, ws: false, hmr: false },
})
const load = (file: string) => vite.ssrLoadModule(path.join(root, file))

/** What a call leaves to be done may fail when nobody waits for it. */
let failedLater = 0

async function main(names: readonly string[]): Promise<void> {
  const areas = AREAS.filter((area) => names.length === 0 || names.includes(area))
  if (areas.length === 0) return tell(names)
  for (const project of new Set(areas.map(projectOf))) {
    const reader = new ShapeReader(project)
    for (const area of areas) if (projectOf(area) === project) await read(area, reader)
    reader.close()
  }
}

const projectOf = (area: Area) => (area === 'page' ? 'tsconfig.console.json' : 'tsconfig.json')

async function read(area: Area, reader: ShapeReader): Promise<void> {
  const files = sources('src').filter((file) => areaOf(file) === area && !file.endsWith('.d.ts'))
  const shapes = reader.of(files)
  const all = Object.fromEntries(files.filter((file) => !RUN_AT_ONCE.has(file)).map((file) => [file, []]))
  const modules = await modulesOf({ ...shapes, tables: all }, load)
  const tables = tablesOf(files, modules)
  const subjects: Asked[] = []
  const before = keptShapes(area).subjects
  for (const subject of shapes.subjects.filter(({ file }) => modules.has(file))) {
    const failedBefore = failedLater
    const calls = callsOf(subject, before) ?? (await quickCalls(subject, shapes, modules, passes))
    // What it leaves to be done later is done before the next.
    await setImmediate()
    if (calls.length > 0 && failedLater === failedBefore) subjects.push({ ...subject, calls })
    else console.log(`not asked: ${subject.file} ${subject.name}`)
  }
  keepShapes(area, { ...shapes, tables, subjects })
  console.log(`${area}: ${subjects.length} of ${shapes.subjects.length} are asked`)
}

function tablesOf(files: readonly string[], modules: Modules): Shapes['tables'] {
  const tables = files.map((file) => {
    const module = modules.get(file) ?? {}
    const names = declaredIn(file, textOf(file)).filter(
      (name) => isTable(module[name]) && !LEFT_OUT.has(`${file} ${name}`),
    )
    return [file, names] as const
  })
  return Object.fromEntries(tables.filter(([, names]) => names.length > 0))
}

/** Those of a subject that takes what it took: which calls are quick is a matter of the hour. */
function callsOf({ file, name, of }: Subject, before: readonly Asked[]): readonly number[] | undefined {
  const same = (one: Asked) => one.file === file && one.name === name && isDeepStrictEqual(one.of, of)
  return before.find(same)?.calls
}

async function tell(names: readonly string[]): Promise<void> {
  for (const area of AREAS) {
    const shapes = keptShapes(area)
    const modules = await modulesOf(shapes, load)
    for (const subject of shapes.subjects.filter(({ name }) => names.includes(name)))
      for (const call of subject.calls) console.log(`${await answerTo(call, subject, shapes, modules)}\n`)
  }
}

process.on('unhandledRejection', () => {
  failedLater += 1
})
await main(process.argv.slice(2))
process.exit(0)
