/** No link on a page is dead, and no text names a page that is not there. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, targetsOf } from './links.ts'
import { files, sources, textOf } from './sourceTree.ts'

const pages = files.filter((file) => file.endsWith('.md'))

test('every link on a page leads to a file, and to a place in it', () => {
  const dead = pages.flatMap((page) =>
    targetsOf(textOf(page))
      .filter((target) => !leads(page, target))
      .map((target) => `${page}: ${target}`),
  )
  expect(dead).toEqual([])
})

test('no anchor of a page is given twice', () => {
  const twice = pages.flatMap((page) => {
    const given = [...textOf(page).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)
    return given.filter((id, index) => given.indexOf(id) !== index).map((id) => `${page}: ${id}`)
  })
  expect(twice).toEqual([])
})

test('every page that code or another page names is there', () => {
  const names = new Set(pages.map((page) => path.posix.basename(page)))
  const named = [...pages, ...sources('src', 'test', 'bench', 'examples')].flatMap((file) =>
    [...textOf(file).matchAll(/(?<![\w/$}*-])(?:[\w-]+\/)*([\w-]+\.md)\b/g)]
      .filter(([, name]) => !names.has(name as string))
      .map(([whole]) => `${file}: ${whole}`),
  )
  expect(named).toEqual([])
})

function leads(page: string, target: string): boolean {
  const [to = '', anchor] = target.split('#')
  const file = to === '' ? page : path.posix.join(path.posix.dirname(page), to)
  const isThere =
    files.includes(file) || files.some((other) => other.startsWith(`${file.replace(/\/$/, '')}/`))
  return isThere && (anchor === undefined || (file.endsWith('.md') && anchorsOf(file).has(anchor)))
}
