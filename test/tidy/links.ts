// Links and anchors of the pages.

import { textOf } from './sourceTree.ts'

const withoutCode = (page: string): string => page.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')

/** What a page links to, as written; addresses elsewhere are left out. */
export function targetsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** The names under which places of a page can be linked to: its headings as GitHub writes them, and its own anchors. */
export function anchorsOf(file: string): Set<string> {
  const text = textOf(file)
  const headings = [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    slug(heading as string),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id as string)])
}

function slug(heading: string): string {
  return heading
    .replace(/<[^>]+>/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
