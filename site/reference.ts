// The reference: a page for each entry point, with what the docstring of every export says.

import { NUMBER_KINDS } from '../test/api/numbers.ts'
import { todaysSurface } from '../test/api/pages.ts'
import type { EntrySurface } from '../test/api/report.ts'
import { exportsByRule } from '../test/api/rulesOfExports.ts'
import { hasExample, type Shown, shownBy } from '../test/api/shownBy.ts'
import type { Declared, Exported } from '../test/api/surface.ts'
import { page, rulesOf } from '../test/tidy/rulePage.ts'
import { files } from '../test/tidy/sourceTree.ts'

/** What every example goes on from; the test that runs them begins each with it. */
export const SETTING = `const store = new MemoryStore()
const engine = await openEngine({
  store,
  at, // noon of 5 January 2026
  markets: [{ id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('50000') }],
  accounts: [{ id: ALICE, userId: USER, balance: fp9('10000') }],
})
const log = () => store.read(1)
const order = { type: 'placeOrder', accountId: ALICE, marketId: BTC, orderType: 'market' } as const
const long = { direction: 'long', amount: fp9('1000'), leverage: fp9('10') } as const
await engine.send({ ...order, ...long })
const [position] = engine.read.activePositions(ALICE)`

const ABOUT_EXAMPLES = `Every example runs in a test, after what follows; \`BTC\`, \`ALICE\` and \`USER\` are ids, \`directory\`
and \`copy\` empty folders, \`database\` the URL of an empty PostgreSQL database. What stands behind \`// →\` is the value of its line.

\`\`\`ts
${SETTING}
\`\`\``

/** Every rule with what cites it, in the order of their page. */
function byRule(surface: readonly EntrySurface[]): string {
  const cited = exportsByRule(surface)
  const rows = rulesOf(page()).map(({ id, anchor }) => {
    const links = Array.from(
      cited.get(id) ?? [],
      ([name, entry]) => `[${name}](/${pathOf({ entry })}#${name.toLowerCase()})`,
    )
    return `| [${id}](/docs/rules.md#${anchor}) | ${links.join(', ')} |`
  })
  return ['| rule | decides |', '|---|---|', ...rows].join('\n')
}

const NUMBERS = NUMBER_KINDS.map(({ words, unit, range }) => `| ${words} | ${unit} | ${range} |`)

const ABOUT_NUMBERS = `Every number says what it is: by its type (\`Quote\`, \`Base\`, \`Price\`, \`Rate\` and \`Leverage\`, all fp9), or in words. A
range that is another than the one here stands beside them.

| words | unit | range |
|---|---|---|
${NUMBERS.join('\n')}`

/** By their path in the site. */
export function referencePages(surface = todaysSurface()): Map<string, string> {
  const promised = surface.filter(({ entry }) => entry !== 'margin-core/internal')
  const shown = shownBy(promised)
  const pages = promised.map((one): [string, string] => [pathOf(one), pageOf(one, shown)])
  const list = promised.map(
    (one) =>
      `- [${one.entry}](/${pathOf(one)}): ${one.exports.length} exports${summary(one) && `; ${summary(one)}`}`,
  )
  return new Map([
    [
      'reference/index.md',
      `# Reference\n\n${list.join('\n')}\n\n## The numbers\n\n${ABOUT_NUMBERS}\n\n## The examples\n\n${ABOUT_EXAMPLES}\n\n## By rule\n\n${byRule(promised)}\n`,
    ],
    ...pages,
  ])
}

const pathOf = ({ entry }: { readonly entry: string }): string => `reference/${entry.replaceAll('/', '-')}.md`

const summary = ({ entry }: EntrySurface): string => ABOUT[entry] ?? ''

const ABOUT: Readonly<Record<string, string>> = {
  'margin-core': 'engine, commands, events, records, memory store',
  'margin-core/testing': 'generators, laws, contracts, conformance',
  'margin-core/store-lmdb': 'the durable log',
  'margin-core/store-postgres': 'the log in a database',
  'margin-core/backtest': 'feeds, strategies, runs, reports',
  'margin-core/client': 'the HTTP interface as a program asks it, and its stream',
  'margin-core/host': 'the HTTP interface, a venue',
  'margin-core/codec': 'commits as bytes',
}

function pageOf({ entry, exports }: EntrySurface, shown: ReadonlyMap<string, readonly Shown[]>): string {
  const exportOf = (one: Exported) => exportText(one, shown.get(one.declared.key) ?? [])
  const values = exports.filter(({ typeOnly }) => !typeOnly)
  const types = exports.filter(({ typeOnly }) => typeOnly)
  const parts = [`---\noutline: [2, 3]\n---\n\n# ${entry}`, `\`import { … } from '${entry}'\``]
  if (values.length > 0)
    parts.push('## Functions, classes and values', listOf(values), ...values.map(exportOf))
  if (types.length > 0) parts.push('## Types', ...types.map(exportOf))
  return `${parts.join('\n\n')}\n`
}

/** Each with the first sentence of what it says of itself. */
function listOf(exports: readonly Exported[]): string {
  return exports
    .map(
      ({ name, declared: { doc } }) =>
        `- [${name}](#${name.toLowerCase()}): ${prose(firstSentence(doc ?? ''))}`,
    )
    .join('\n')
}

/** Up to a full stop, a colon before a block, or the end of the paragraph. */
function firstSentence(doc: string): string {
  const [paragraph = ''] = doc.split(/\n\n|\n(?=[-@`])/)
  return (/^.*?[.](?=\s[A-Z`]|$)/s.exec(paragraph)?.[0] ?? paragraph).replaceAll('\n', ' ')
}

function exportText({ name, declared }: Exported, shown: readonly Shown[]): string {
  const meanings = declared.members
    .filter(({ doc }) => doc !== null)
    .map(({ name: member, doc }) => `- \`${member}\`: ${prose(doc as string)}`)
  const parts = [`### ${name}`, prose(declared.doc ?? ''), `\`\`\`ts\n${declared.text}\n\`\`\``]
  return [...parts, meanings.join('\n'), hasExample(declared) ? '' : examplesIn(shown), sourceOf(declared)]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Where a type is made or read in an example. */
function examplesIn(shown: readonly Shown[]): string {
  const links = shown.slice(0, 3).map((one) => `[${one.name}](/${pathOf(one)}#${one.name.toLowerCase()})`)
  return links.length === 0 ? '' : `Shown by the examples of ${links.join(', ')}.`
}

function sourceOf({ file }: Declared): string {
  const source = `src/${file.replace(/\.d\.ts$/, '.ts')}`
  return files.includes(source) ? `<small>[${source}](../${source})</small>` : ''
}

/** A docstring as Markdown: code as it is, ids of rules as links, its tags as sentences. */
function prose(doc: string): string {
  return doc
    .split(/(```.*?```|`[^`\n]*`)/s)
    .map((part, index) => (index % 2 === 1 ? part : text(part)))
    .join('')
}

function text(part: string): string {
  return part
    .replaceAll(/\{@link ([\w.]+)\}/g, '`$1`')
    .replaceAll(/^@throws /gm, '\n**Throws** ')
    .replaceAll(/^@(param|returns) /gm, '\n**$1** ')
    .replaceAll(/^@deprecated /gm, '\n**Deprecated** ')
    .replaceAll('<', '&lt;')
    .replaceAll(/(?<![\w/])docs\/([\w-]+)\.md/g, '[docs/$1.md](/docs/$1.md)')
    .replaceAll(/(?<=[( –])([A-K]\d{1,2})(?=[),.–])/g, (id) => `[${id}](/docs/rules.md#${id.toLowerCase()})`)
}
