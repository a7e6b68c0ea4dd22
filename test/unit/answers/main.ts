/**
 * What the functions of src are asked, and what they answer.
 *
 *     npm run answers                        reads anew of the compiler what each function takes
 *     npm run answers -- host store          of some folders
 *     npm run answers -- proportion Random   every call of some functions, in full: to be compared with those of another commit
 *
 * The answers that are kept are written by `npx vitest run test/unit/answers -u`, after a look at what is different.
 */
import { setImmediate } from 'node:timers/promises'
import vm from 'node:vm'
import { sources } from '../../tidy/sourceTree.ts'
import { answerTo, type Modules } from './asked.ts'
import { AREAS, keepShapes, keptShapes, modulesOf } from './kept.ts'
import type { Asked, Shapes, Subject } from './shape.ts'
import { ShapeReader } from './shapesOf.ts'

const CALLS = 48
/** What a call may take, and all of a function's together, ms. */
const [LONGEST_MS, ALL_MS] = [80, 14]
const LEAST_CALLS = 6

async function main(names: readonly string[]): Promise<void> {
  const areas = AREAS.filter((area) => names.length === 0 || names.includes(area))
  if (areas.length === 0) return tell(names)
  const reader = new ShapeReader()
  for (const area of areas) {
    const shapes = reader.of(sources(`src/${area}`).filter((file) => file.endsWith('.ts') && !file.includes('/page/')))
    const modules = await modulesOf(shapes)
    const subjects: Asked[] = []
    for (const subject of shapes.subjects) {
      const calls = quickCalls(subject, shapes, modules)
      if (calls.length > 0) subjects.push({ ...subject, calls })
      else console.log(`not asked: ${subject.file} ${subject.name}`)
      // What it leaves to be done later is done before the next.
      await setImmediate()
    }
    keepShapes(area, { ...shapes, subjects })
    console.log(`${area}: ${subjects.length} of ${shapes.subjects.length} are asked`)
  }
  reader.close()
}

async function tell(names: readonly string[]): Promise<void> {
  for (const area of AREAS) {
    const shapes = keptShapes(area)
    const modules = await modulesOf(shapes)
    for (const subject of shapes.subjects.filter(({ name }) => names.includes(name)))
      for (const call of subject.calls) console.log(`${answerTo(call, subject, shapes, modules)}\n`)
  }
}

/** The calls that answer in time, and the same twice; none where they say nothing. */
function quickCalls(subject: Subject, shapes: Shapes, modules: Modules): number[] {
  const quick: { call: number; ms: number; answer: string }[] = []
  for (let call = 0; call < CALLS; call++) {
    const first = inTime(() => answerTo(call, subject, shapes, modules))
    const second = first && inTime(() => answerTo(call, subject, shapes, modules))
    if (!first || !second || first.answer !== second.answer) continue
    quick.push({ call, ms: Math.min(first.ms, second.ms), answer: first.answer })
  }
  if (!quick.some(({ answer }) => /→|=/.test(answer))) return []
  let spent = 0
  return quick
    .sort((one, other) => one.ms - other.ms)
    .filter(({ ms }, index) => (spent += ms) <= ALL_MS || index < LEAST_CALLS)
    .map(({ call }) => call)
    .sort((one, other) => one - other)
}

const { Date: Clock, setTimeout, setInterval } = globalThis
const still = { setImmediate: globalThis.setImmediate, now: performance.now, random: Math.random }
const [out, err] = [process.stdout.write, process.stderr.write]

/** Null where it takes too long: then it is ended where it is, and has put nothing back in its place. */
function inTime(run: () => string): { answer: string; ms: number } | null {
  const began = process.cpuUsage()
  try {
    Object.assign(globalThis, { asked: run })
    const answer = new vm.Script('asked()').runInThisContext({ timeout: LONGEST_MS }) as string
    const { user, system } = process.cpuUsage(began)
    return { answer, ms: (user + system) / 1_000 }
  } catch {
    Object.assign(globalThis, { Date: Clock, setTimeout, setInterval, setImmediate: still.setImmediate })
    performance.now = still.now
    Math.random = still.random
    process.stdout.write = out
    process.stderr.write = err
    return null
  }
}

await main(process.argv.slice(2))
process.exit(0)
