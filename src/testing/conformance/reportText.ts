/** A report for people: what does not hold first and in full, then every rule in a line. */
import type { Exchange } from './exchange.ts'
import type { ConformanceReport, Failure, RuleReport } from './report.ts'
import { STAGE } from './script.ts'

/**
 * The report as lines of text.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const steered = { clock: { mode: 'manual', start: at }, feed: null, rateLimit: null, operatorToken: 'mine' } as const
 * const served = await serveVenue({ configuration: { ...configuration, ...steered }, port: 0 })
 * const host = { url: served.url, operatorToken: 'mine', keys: [apiKey] }
 * const report = await conformance({ host, only: ['F9'], runs: 0 })
 * await served.close()
 * console.log(conformanceText(report))
 * ```
 */
export function conformanceText(report: ConformanceReport): string {
  const { url, seed, rules, programs } = report
  const of = (verdict: RuleReport['verdict']) => rules.filter((rule) => rule.verdict === verdict)
  const [holding, broken, unasked] = [of('holds'), of('broken'), of('not asked')]
  const ran =
    programs.run === 0
      ? []
      : [`${programs.run} random programs, ${programs.requests} requests: ${programs.differing} differ`]
  return [
    `${url}, seed ${seed}`,
    '',
    ...broken.flatMap(brokenLines),
    ...rules.map(ruleLine),
    '',
    ...ran,
    `${holding.length} rules hold, ${broken.length} are broken, ${unasked.length} were not asked`,
  ].join('\n')
}

function ruleLine({ rule, title, verdict, cases, why }: RuleReport): string {
  const found = verdict === 'holds' ? `holds (${cases})` : verdict
  return `${rule.padEnd(4)}${found.padEnd(11)}${title}${why === null ? '' : `: ${why}`}`
}

function brokenLines({ rule, title, failures }: RuleReport): string[] {
  return [`${rule} ${title}`, ...failures.flatMap(failureLines), '']
}

function failureLines({ name, difference, exchanges }: Failure): string[] {
  const { path, expected, got } = difference
  return [
    `  ${name}`,
    ...exchanges.map(exchangeLine),
    `    expected ${path} ${shown(expected)}, got ${shown(got)}`,
  ]
}

/** Names in braces are fields of earlier answers, by the label at the beginning of the line. */
function exchangeLine({ step, expected, got }: Exchange): string {
  const { label, as, method, path, body, headers } = step
  const sent = [
    ...(body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body)]),
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  const status = got.status === expected.status ? got.status : `${got.status}, not ${expected.status}`
  const asker = as === 'trader' || label === STAGE || as === 'operator' ? '' : ` (${as})`
  return `    ${label.padEnd(10)} ${method} ${path}${asker} ${sent.join(' ')} → ${status}`
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
