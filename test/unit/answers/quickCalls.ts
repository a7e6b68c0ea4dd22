// Which of the drawn calls of a function are made each time.

import vm from 'node:vm'
import { root } from '../../tidy/sourceTree.ts'
import { answerTo, type Modules } from './asked.ts'
import type { Step } from './comeTo.ts'
import type { Passes } from './passes.ts'
import type { Shapes, Subject } from './shape.ts'
import { putBack } from './stillTime.ts'

/** So many are made, where they are quick; and of so many, each that passes where none before it did. */
const [CALLS, TRIED] = [40, 2_000]
/** What a call may take, and all of a function's together that pass where others do, ms of the processor. */
const [LONGEST_MS, ALL_MS] = [80, 8]
/** What those may take together that pass where no other does, and the search for them. */
const [FURTHER_MS, SEARCH_MS] = [25, 450]
const LEAST_CALLS = 5
/** Amounts of more digits than a double has, of which the last ones differ between versions of Node, and what some versions refuse. */
const BEYOND = /\d(,\d{3}){4}|maximumFractionDigits/

interface Quick {
  readonly call: number
  readonly ms: number
  readonly answer: string
  /** Whether it passes where no call before it did. */
  readonly isFurther: boolean
}

/** The calls that answer in time, the same twice, and nothing of where the tree is; none where they say nothing. */
export async function quickCalls(
  subject: Subject,
  shapes: Shapes,
  modules: Modules,
  passes: Passes,
): Promise<number[]> {
  const quick: Quick[] = []
  const passed = new Set<number>()
  const most = takesNothing(subject) ? 1 : TRIED
  const ask = (call: number) => inTime((step) => answerTo(call, subject, shapes, modules, step))
  const began = process.cpuUsage()
  for (let call = 0; call < most; call++) {
    if (call >= CALLS && msSince(began) > SEARCH_MS) break
    passes.taken(subject.file)
    const first = await ask(call)
    const further = passes.taken(subject.file).filter((way) => !passed.has(way))
    if (call >= CALLS && further.length === 0) continue
    const second = first && (await inAnotherZone(() => ask(call)))
    if (!first || !second || first.answer !== second.answer) continue
    if (BEYOND.test(first.answer) || first.answer.includes(root)) continue
    for (const way of further) passed.add(way)
    const { answer } = first
    quick.push({ call, ms: Math.min(first.ms, second.ms), answer, isFurther: further.length > 0 })
  }
  if (!quick.some(({ answer }) => /→|=/.test(answer))) return []
  const made = [
    ...cheapest(
      quick.filter(({ isFurther }) => isFurther),
      FURTHER_MS,
    ),
    ...cheapest(
      quick.filter(({ call, isFurther }) => call < CALLS && !isFurther),
      ALL_MS,
    ),
  ]
  return made.sort((one, other) => one - other)
}

function cheapest(quick: readonly Quick[], mostMs: number): number[] {
  const made: number[] = []
  let spent = 0
  for (const { call, ms } of quick.toSorted((one, other) => one.ms - other.ms)) {
    spent += ms
    if (spent <= mostMs || made.length < LEAST_CALLS) made.push(call)
  }
  return made
}

function msSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}

/** What shows a time as whoever looks at it has it is not the same everywhere. */
async function inAnotherZone<T>(run: () => Promise<T>): Promise<T> {
  const { TZ } = process.env
  process.env.TZ = 'Asia/Kathmandu'
  try {
    return await run()
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
}

/** A function that is given nothing answers the same each time. */
function takesNothing({ of }: Subject): boolean {
  return 'call' in of && of.call.takes.length === 0
}

/** Null where it takes too long: then it is ended where it is, and has put nothing back in its place. */
async function inTime(
  run: (step: Step) => Promise<string>,
): Promise<{ readonly answer: string; readonly ms: number } | null> {
  const back = putBack()
  const began = process.cpuUsage()
  try {
    const answer = await run(within(LONGEST_MS))
    return { answer, ms: msSince(began) }
  } catch {
    back()
    return null
  }
}

/** @param ms that one step may take. */
function within(ms: number): Step {
  const script = new vm.Script('step()')
  return <T>(taken: () => T): T => {
    Object.assign(globalThis, { step: taken })
    return script.runInThisContext({ timeout: ms }) as T
  }
}
