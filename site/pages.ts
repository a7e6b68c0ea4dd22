// The pages of the site: those of the repository as they are, the reference, and the code that pages lead to. Links that lead
// to code or to a folder are turned to its page here; such a page is plain HTML beside the generated ones, which there are
// hundreds of and nobody searches.

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { files, root, textOf } from '../test/tidy/sourceTree.ts'
import { withPictures } from './pictures.ts'
import { referencePages } from './reference.ts'

/** Pages by their path in the site; a path that begins like one in the repository is that page. */
type Pages = Map<string, string>

const OWN = 'site/pages/'
const ASSET = /\.(png|svg|jpg)$/

/** Everything the site consists of, before the generator. */
export function sitePages(): Pages {
  const pages: Pages = new Map()
  const wanted = files.filter((file) => file.endsWith('.md') && !/^(test|site)\//.test(file))
  const add = (at: string, from: string, text: string) => pages.set(at, turned(text, from, wanted))
  for (const file of files)
    if (file.startsWith(OWN) && file.endsWith('.md'))
      pages.set(file.slice(OWN.length), withSections(turned(textOf(file), file, wanted), wanted))
  for (const [at, text] of referencePages()) add(at, at, text)
  for (const file of wanted) {
    if (pages.has(pageOf(file))) continue
    if (file.endsWith('.md')) add(file, file, withPictures(textOf(file)))
    else pages.set(pageOf(file), isFolder(file) ? folderPage(file, wanted) : codePage(file))
  }
  return pages
}

/** A page with the sections of others that it names put in, as `<!-- section: README.md, Embed it -->`. */
function withSections(page: string, wanted: string[]): string {
  return page.replaceAll(/^<!-- section: (\S+), (.+) -->$/gm, (_, file: string, heading: string) => {
    const [, section] = textOf(file).split(`\n## ${heading}\n`)
    if (section === undefined) throw new Error(`${file} has no section ${heading}`)
    return turned(`## ${heading}\n${section.split(/^## /m)[0]}`, file, wanted)
  })
}

export function writePages(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [at, text] of sitePages()) {
    const file = path.join(folder, at.endsWith('.md') ? at : `public/${at}`)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (const file of files.filter((file) => file.startsWith('docs/') && ASSET.test(file)))
    cpSync(path.join(root, file), path.join(folder, file))
}

/** Where the page of a file of the repository is, or of a folder. */
function pageOf(file: string): string {
  if (file.endsWith('.md')) return file
  if (!isFolder(file)) return `code/${file}.html`
  return files.includes(`${file}/README.md`) ? `${file}/README.md` : `code/${file}/index.html`
}

const isFolder = (file: string): boolean => files.some((other) => other.startsWith(`${file}/`))

const CODE_OR_LINK = /^```.*?^```|`[^`\n]*`|(!?)\]\(([^)\s]+)\)/gms

/** A page whose links within the repository lead to pages of the site; what they lead to is put among `wanted`. */
function turned(text: string, from: string, wanted: string[]): string {
  return text.replace(CODE_OR_LINK, (whole, _, target: string | undefined) => {
    if (target === undefined || /^([a-z]+:|#|\/)/.test(target) || ASSET.test(target)) return whole
    const [to = '', anchor] = target.split('#')
    const file = path.posix.join(path.posix.dirname(from), to).replace(/\/$/, '')
    if (!existsSync(path.join(root, file))) return whole
    if (!wanted.includes(file)) wanted.push(file)
    const page = pageOf(file)
    // Leaves the generated pages, which otherwise look for the page among themselves.
    if (page.endsWith('.html')) return `](/${page}){target="_self"}`
    return `](/${page}${anchor === undefined ? '' : `#${anchor}`})`
  })
}

function codePage(file: string): string {
  return plainPage(file, `<pre>${escaped(textOf(file))}</pre>`)
}

function folderPage(folder: string, wanted: string[]): string {
  const inside = files.filter((file) => file.startsWith(`${folder}/`))
  for (const file of inside) if (!wanted.includes(file)) wanted.push(file)
  return plainPage(folder, inside.map((file) => `<a href="/${addressOf(file)}">${file}</a><br>`).join('\n'))
}

const addressOf = (file: string): string => pageOf(file).replace(/\.md$/, '.html')

function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>:root { color-scheme: light dark; font: 14px/1.5 ui-monospace, monospace } body { margin: 2rem auto; max-width: 130ch; padding: 0 1rem } pre { overflow-x: auto; font: inherit }</style>
<p><a href="/">margin-core</a></p>
<h1>${title}</h1>
${body}
</html>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
