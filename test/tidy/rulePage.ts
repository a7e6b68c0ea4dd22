// The rules of docs/rules.md, and what the tree says by their ids.

import { isNode, type Node, type Source, textOf } from './sourceTree.ts'

const PAGE = 'docs/rules.md'

interface Link {
  readonly label: string
  /** From the root. */
  readonly file: string
}

export interface Rule {
  readonly id: string
  readonly anchor: string
  /** Where it is decided. */
  readonly code: readonly Link[]
  /** What holds it. */
  readonly law: readonly Link[]
}

export const page = (): string => textOf(PAGE)

const SECTION = /^### <a id="([^"]+)"><\/a>([A-Z]\d+) .+?\n(.*?)(?=^##)/gms

/** The rules in the order of the page. */
export function rulesOf(text: string): Rule[] {
  return [...text.matchAll(SECTION)].map(([, anchor = '', id = '', body = '']) => {
    const [, code = '', law = ''] = /^Code: (.+) · Law: (.+)$/m.exec(body) ?? []
    return { id, anchor, code: linksOf(code), law: linksOf(law) }
  })
}

function linksOf(line: string): Link[] {
  return [...line.matchAll(/\[(.+?)\]\(\.\.\/([^)]+)\)/g)].map(([, label = '', file = '']) => ({
    label,
    file,
  }))
}

const RULE = /(?<![\w.$#/-])([A-K])(\d{1,2})(?:[–-]\1?(\d{1,2}))?(?![\w-])/g

/** The rules that a text cites; `D1–D8` and `D1–8` are eight. */
export function citedIn(text: string): Set<string> {
  const cited = new Set<string>()
  for (const [, letter, first, last = first] of text.matchAll(RULE))
    for (let number = Number(first); number <= Number(last); number += 1) cited.add(`${letter}${number}`)
  return cited
}

const PLACE = /\b(POST|PATCH|[Ii]nvariants?|Events|WSD|Auth|Limits) (\d+)(?: and (\d+))?\b/g

/** The numbered places inside rules that a text cites, as anchors: `POST 2` is `post-2`. */
export function placesIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(PLACE)].flatMap(([, what = '', first = '', second]) =>
      [first, second ?? first].map((number) => `${what.toLowerCase().replace(/s$/, '')}-${number}`),
    ),
  )
}

const DECLARATIONS = /^(Function|Class|TSInterface|TSTypeAlias)Declaration$|^VariableDeclarator$/

/** What a file says about a name it declares: its opening comment, the comment on the declaration, and what it is. */
export function saidOf(source: Source, name: string): string | undefined {
  const declared = source.nodes.find(
    ({ type, id }) => DECLARATIONS.test(type) && isNode(id) && id.name === name,
  )
  if (declared === undefined) return undefined
  const before = source.comments.filter(({ end }) => end <= declared.start).at(-1)
  const comment =
    before !== undefined && isOn(source.text.slice(before.end, declared.start)) ? before.value : ''
  return [opening(source), comment, source.text.slice(declared.start, declared.end)].join('\n')
}

/** Between a comment and what it is about stands nothing but how that is declared. */
function isOn(between: string): boolean {
  return /^\s*(\*\/)?\s*(export\s+)?(async\s+)?(let\s+|const\s+)?$/.test(between)
}

/** What a test says, by its title: the opening comment of its file, the titles around it, and the test itself. */
export function saidBy(source: Source, title: string): string | undefined {
  const header = opening(source)
  const calls = source.nodes.filter(isTest)
  const test = calls.find((call) => titleOf(source, call).includes(title))
  if (test === undefined) return plain(header).includes(title) ? header : undefined
  const around = calls.filter(({ start, end }) => start < test.start && test.end < end)
  const titles = around.map((call) => titleOf(source, call))
  return [header, ...titles, source.text.slice(test.start, test.end)].join('\n')
}

function isTest({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false
  const called = isNode(callee.callee) && isNode(callee.callee.object) ? callee.callee.object : callee
  return called.name === 'test' || called.name === 'describe'
}

function titleOf(source: Source, call: Node): string {
  const [title] = call.arguments as readonly Node[]
  return title === undefined ? '' : plain(source.text.slice(title.start, title.end))
}

/** The comments before the first import or declaration. */
function opening({ nodes, comments }: Source): string {
  const first = nodes.find(({ type }) => type !== 'Program')?.start ?? 0
  return comments
    .filter(({ start }) => start < first)
    .map(({ value }) => value)
    .join('\n')
}

/** A text on one line, without what marks comments and quotes inside strings. */
function plain(text: string): string {
  return text
    .replace(/^\s*\*/gm, ' ')
    .replace(/\\(['`])/g, '$1')
    .replace(/\s+/g, ' ')
}
