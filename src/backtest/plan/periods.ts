/** Periods that are named by whoever asks how a run fared in them. */
import { namedText } from '../../files/namedText.ts'
import { notJson } from '../../files/notJson.ts'
import { writtenInstant } from '../../terms/writtenInstant.ts'
import { PlanError } from './readPlan.ts'

/** A stretch of time with a name. */
export interface NamedPeriod {
  readonly name: string
  /** Epoch ms. */
  readonly from: number
  /** Epoch ms, not included. */
  readonly to: number
}

/**
 * A JSON list of `{ "name": …, "from": …, "to": … }`, times as 2025-05-04 or 2025-05-04T12:00, in UTC where no zone is said, the second of which is not included.
 *
 * ```ts
 * const { writeFile } = await import('node:fs/promises')
 * await writeFile(`${directory}/periods.json`, '[{ "name": "May", "from": "2025-05-01", "to": "2025-06-01" }]')
 * const periods = await readPeriods(`${directory}/periods.json`)
 * periods.map(({ name, to }) => `${name} ${to}`).join() // → May 1748736000000
 * ```
 *
 * @throws PlanError for a file that cannot be read, and for what is no such list; NoRegularFile for a pipe, a socket or a device.
 */
export async function readPeriods(file: string): Promise<NamedPeriod[]> {
  const refused = (reason: string, options: ErrorOptions) =>
    new PlanError(`${file}: the file cannot be opened (${reason})`, options)
  const listed = parsed(await namedText(file, refused), file)
  if (!Array.isArray(listed) || listed.length === 0)
    throw new PlanError(`${file}: periods are a list of { "name", "from", "to" }`)
  const periods = listed.map((period: unknown, index) => periodOf(period, `${file}: [${index}]`))
  const names = new Set<string>()
  for (const { name } of periods) {
    if (names.has(name)) throw new PlanError(`${file}: two periods are called ${name}`)
    names.add(name)
  }
  return periods
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PlanError(`${file}: ${notJson(error)}`, { cause: error })
  }
}

const FIELDS = ['name', 'from', 'to']

function periodOf(period: unknown, place: string): NamedPeriod {
  if (typeof period !== 'object' || period === null || Array.isArray(period))
    throw new PlanError(`${place} is no period: { "name", "from", "to" }`)
  const odd = Object.keys(period).find((key) => !FIELDS.includes(key))
  if (odd !== undefined) throw new PlanError(`${place}: unknown key ${odd}; known are ${FIELDS.join(', ')}`)
  const told = new Map(Object.entries(period))
  const name: unknown = told.get('name')
  if (typeof name !== 'string' || name === '') throw new PlanError(`${place}: name must be a text`)
  const [from, to] = [momentOf(told.get('from'), `${place}: from`), momentOf(told.get('to'), `${place}: to`)]
  if (from >= to) throw new PlanError(`${place}: ${name} has to begin before it ends`)
  return { name, from, to }
}

function momentOf(moment: unknown, place: string): number {
  if (Number.isSafeInteger(moment)) return Number(moment)
  const time = typeof moment === 'string' ? writtenInstant(moment) : null
  if (time === null) throw new PlanError(`${place} must be a time such as 2025-05-04 or 2025-05-04T12:00:00Z`)
  return time
}
