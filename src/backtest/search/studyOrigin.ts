/** What a study was begun with, part by part, so that one that is begun again with something else can say what that is. */
import { VERSION } from '../../version.ts'
import { withoutPlaces } from '../plan/fingerprint.ts'
import type { InputFile } from '../plan/inputFiles.ts'
import type { RunPlan } from '../plan/plan.ts'

/** Plain JSON. */
export interface StudyOrigin {
  /** Name and version. */
  readonly software: string
  readonly plan: RunPlan
  readonly files: readonly InputFile[]
}

export function originOf(plan: RunPlan, files: readonly InputFile[]): StudyOrigin {
  return { software: `margin-core ${VERSION}`, plan, files }
}

/** Whether a file that may have been changed by hand says what a study was begun with. */
export function isOrigin(value: unknown): value is StudyOrigin {
  if (!isObject(value) || typeof value.software !== 'string' || !Array.isArray(value.files)) return false
  return isPlan(value.plan) && value.files.every(isFile)
}

function isPlan(value: unknown): boolean {
  return isObject(value) && Array.isArray(value.markets) && value.markets.every(isObject)
}

function isFile(value: unknown): boolean {
  return isObject(value) && [value.use, value.path, value.sha256].every((text) => typeof text === 'string')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** What is not as it was, each in a few words; none where nothing of it can be told. */
export function changedParts(before: StudyOrigin, now: StudyOrigin): string[] {
  return [
    ...(before.software === now.software ? [] : [`${before.software} was used and this is ${now.software}`]),
    ...changedFiles(before, now),
    ...changedSettings(before.plan, now.plan),
  ]
}

/** Files are the same where their bytes are, whatever they are called. */
function changedFiles(before: StudyOrigin, now: StudyOrigin): string[] {
  const uses = [...new Set([...before.files, ...now.files].map(({ use }) => use))]
  return uses.flatMap((use) => {
    const then = before.files.filter((file) => file.use === use)
    const own = now.files.filter((file) => file.use === use)
    const isIn = (files: readonly InputFile[], file: InputFile) =>
      files.some(({ sha256 }) => sha256 === file.sha256)
    const changed = own.filter((file) => !isIn(then, file))
    const gone = then.filter((file) => !isIn(own, file) && !changed.some(({ path }) => path === file.path))
    return [
      ...changed.map((file) => {
        const had = then.some(({ path }) => path === file.path)
        return `${shown(file, now.plan)} ${had ? 'has changed' : 'was not read then'}`
      }),
      ...gone.map((file) => `${shown(file, before.plan)} is no longer read`),
    ]
  })
}

/** `the strategy ./mine.ts`, `lib.ts, which a strategy imports,`, `BTC data btc.csv`. */
function shown(
  { use, path }: InputFile,
  { strategy, portfolio = [], others = [], objective }: RunPlan,
): string {
  if (use !== 'strategy' && use !== 'objective') return `${use} ${path}`
  const named = [strategy, objective, ...[...portfolio, ...others].map((other) => other.strategy)]
  return named.includes(path) ? `the ${use} ${path}` : `${path}, which the ${use} imports,`
}

function changedSettings(before: RunPlan, now: RunPlan): string[] {
  return changedValues(settingsOf(before), settingsOf(now))
}

/** Everything that a plan says, under a name of its own; what files are called is told of the files. */
function settingsOf(plan: RunPlan): object {
  const { markets, parameters, ...rest } = withoutPlaces(plan)
  const market = markets.map(({ asset, ...own }) => ({ name: asset, ...own }))
  return { parameter: parameters, market, ...rest }
}

/** What is not the same in two values of plain JSON, each place in words: `parameter fast was 5 and is 6`. */
export function changedValues(before: unknown, now: unknown): string[] {
  const [then, own] = [leavesOf(before), leavesOf(now)]
  return [...new Set([...then.keys(), ...own.keys()])].flatMap((name) => {
    const [was, is] = [then.get(name), own.get(name)]
    return was === is ? [] : [`${name} was ${was ?? 'not given'} and is ${is ?? 'not given'}`]
  })
}

function leavesOf(value: unknown, name = '', found = new Map<string, string>()): Map<string, string> {
  if (value === undefined) return found
  if (typeof value !== 'object' || value === null)
    return found.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const [key, field] of Object.entries(value)) {
    // What is listed is called by its name, where it has one.
    const own = Array.isArray(value) && isNamed(field) ? field.name : key
    leavesOf(field, name === '' ? own : `${name} ${own}`, found)
  }
  return found
}

function isNamed(value: unknown): value is { readonly name: string } {
  return isObject(value) && typeof value.name === 'string'
}
