// Which of the drawn calls of a function are made each time.

import vm from 'node:vm'
import { root } from '../../tidy/sourceTree.ts'
import { answerTo, type Modules } from './asked.ts'
import type { Step } from './comeTo.ts'
import type { Shapes, Subject } from './shape.ts'
import { putBack } from './stillTime.ts'

const CALLS = 40
/** What a call may take, and all of a function's together, ms of the processor. */
const [LONGEST_MS, ALL_MS] = [80, 8]
const LEAST_CALLS = 5
/** Amounts of more digits than a double has: the last ones differ between versions of Node. */
const BEYOND = /\d(,\d{3}){4}/

/** The calls that answer in time, the same twice, and nothing of where the tree is; none where they say nothing. */
export async function quickCalls(subject: Subject, shapes: Shapes, modules: Modules): Promise<number[]> {
  const quick: { readonly call: number; readonly ms: number; readonly answer: string }[] = []
  const most = takesNothing(subject) ? 1 : CALLS
  for (let call = 0; call < most; call++) {
    const first = await inTime((step) => answerTo(call, subject, shapes, modules, step))
    const second =
      first && (await inAnotherZone(() => inTime((step) => answerTo(call, subject, shapes, modules, step))))
    if (!first || !second || first.answer !== second.answer) continue
    if (BEYOND.test(first.answer) || first.answer.includes(root)) continue
    quick.push({ call, ms: Math.min(first.ms, second.ms), answer: first.answer })
  }
  if (!quick.some(({ answer }) => /→|=/.test(answer))) return []
  const made: number[] = []
  let spent = 0
  for (const { call, ms } of quick.sort((one, other) => one.ms - other.ms)) {
    spent += ms
    if (spent <= ALL_MS || made.length < LEAST_CALLS) made.push(call)
  }
  return made.sort((one, other) => one - other)
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
    const { user, system } = process.cpuUsage(began)
    return { answer, ms: (user + system) / 1_000 }
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
