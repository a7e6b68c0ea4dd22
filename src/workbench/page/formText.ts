// What a form is called and named where nobody has said it.
import type { Contents } from '../contents.ts'
import type { DataSet } from '../dataSets.ts'
import { FORM_KINDS, KINDS, type RunKind } from '../formKinds.ts'
import type { Job } from '../jobs.ts'
import type { RunForm } from '../runForm.ts'

export const KIND_CHOICES: readonly (readonly [RunKind, string])[] = KINDS.map((kind) => [
  kind,
  FORM_KINDS[kind].label,
])

/** A folder that is not there yet: `runs/breakout-sweep-2`; of a live run a file: `breakout-live-2.jsonl`. */
export function freshPlace(
  { kind, strategy, config }: RunForm,
  { results }: Contents,
  jobs: readonly Job[],
): string {
  const named = config === '' ? strategy : config
  const base = (named.split('/').pop() ?? '').replace(/\.[^.]*$/, '').replace(/[^\w-]/g, '') || 'run'
  const { ending = kind, savedBy } = FORM_KINDS[kind]
  const taken = new Set([...results.map(({ place }) => place), ...jobs.map(({ form }) => form.out)])
  for (let number = 1; ; number++) {
    const name = [base, ending, number].filter((part) => part !== '').join('-')
    const place = savedBy === '--journal' ? `${name}.jsonl` : `runs/${name}`
    if (!taken.has(place)) return place
  }
}

const QUOTES = /(?:USDT|USDC|BUSD|USD|EUR|PERP)$/

/** `BTCUSDT-1m` holds prices of BTC. */
export function assetIn(place: string): string {
  const name = (place.split('/').pop() ?? '').toUpperCase()
  const [symbol = ''] = /^[A-Z0-9]+/.exec(name) ?? []
  const asset = symbol.replace(QUOTES, '').slice(0, 20)
  return asset === '' ? 'BTC' : asset
}

export function dataText({ place, kind, intervalMs, files }: DataSet): string {
  const what = kind === 'bars' && intervalMs !== null ? `bars of ${spanText(intervalMs)}` : kind
  return `${place} (${what}${files > 1 ? `, ${files} files` : ''})`
}

function spanText(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 1) return `${ms / 1_000} s`
  if (minutes < 60) return `${minutes} min`
  return minutes < 1_440 ? `${minutes / 60} h` : `${minutes / 1_440} d`
}
