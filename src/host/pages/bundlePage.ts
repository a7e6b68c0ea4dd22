/** How a page that is written in TypeScript becomes the files that a browser loads. */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

interface PageSources {
  /** Files of the folder, by what is made of each. */
  readonly entries: Readonly<Record<string, string>>
  /** Taken as it is, as `icon.svg`. */
  readonly icon: string
  /** The packages that are part of the files. */
  readonly inside: readonly string[]
  /** What is said before the licences. */
  readonly notice?: string
}

/** The files by name. `page`: the folder of its sources. */
export async function bundlePage(
  page: string,
  { entries, icon, inside, notice }: PageSources,
): Promise<Map<string, string>> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, path.join(page, file)]),
    ),
    outdir: page,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    splitting: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const files = new Map(outputFiles.map(({ path: at, text }) => [path.basename(at), text]))
  files.set('icon.svg', await readFile(path.join(page, icon), 'utf8'))
  const texts = await Promise.all(inside.map((name) => licenceOf(name, page)))
  return files.set('licences.txt', [...(notice === undefined ? [] : [notice]), ...texts].join('\n\n'))
}

async function licenceOf(name: string, page: string): Promise<string> {
  const { resolve } = createRequire(path.join(page, 'main.tsx'))
  const folder = path.dirname(resolve(`${name}/package.json`))
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one)) as string
  return `${name}\n\n${await readFile(path.join(folder, file), 'utf8')}`
}
