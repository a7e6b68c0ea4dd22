// The rules of docs/rules.md, and what the tree says by their ids.

import { textOf } from './sourceTree.ts'

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

/** A file that TypeScript compiles declares a name. */
export function declares(text: string, name: string): boolean {
  return new RegExp(`\\b(function\\*?|const|class|interface|type) ${name}\\b`).test(text)
}

/** A text on one line, without what marks comments and quotes inside strings. */
export function plain(text: string): string {
  return text
    .replace(/^\s*(\/\/|\*)/gm, ' ')
    .replace(/\\(['`])/g, '$1')
    .replace(/\s+/g, ' ')
}
