/**
 * What the functions and classes of a folder answer is kept: each is called with drawn values of what it takes, which lie where
 * its comparisons do, and whatever it gives, throws, prints, calls or changes is compared with what it did before.
 */
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from '../../tidy/sourceTree.ts'
import { keptOf, type Modules } from './asked.ts'
import { type Area, keptShapes, modulesOf } from './kept.ts'
import { keptTable } from './tables.ts'

export function keepAnswers(area: Area): void {
  const shapes = keptShapes(area)
  const files = [...shapes.subjects.map(({ file }) => file), ...Object.keys(shapes.tables)]
  const folders = [...new Set(files.map((file) => path.dirname(file)))]
  const tables = new Map<string, string>()
  let modules: Modules
  beforeAll(async () => {
    modules = await modulesOf(shapes, (file) => import(path.join(root, file)))
    // As they are before anything is asked.
    for (const [file, names] of Object.entries(shapes.tables))
      for (const name of names) tables.set(`${file} ${name}`, keptTable(name, modules.get(file)?.[name]))
  })
  test.each(folders)('what %s answers is what it answered', async (folder) => {
    const subjects = shapes.subjects.filter(({ file }) => path.dirname(file) === folder)
    const texts: string[] = []
    for (const [file, names] of Object.entries(shapes.tables))
      if (path.dirname(file) === folder)
        texts.push(`== ${file}`, ...names.map((name) => tables.get(`${file} ${name}`) ?? 'gone'))
    let file = ''
    for (const subject of subjects) {
      if (subject.file !== file) texts.push(`== ${subject.file}`)
      file = subject.file
      texts.push(await keptOf(subject, shapes, modules))
    }
    await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(
      `kept/${folder.split('/').slice(1).join('-')}.txt`,
    )
  })
}
