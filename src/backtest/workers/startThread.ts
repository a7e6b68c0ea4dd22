/** A thread that runs a file of this package: as it is built, or from source. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

/** @param file without its ending: that is `.ts` from source and `.js` as built. */
export function startThread(file: URL, workerData: unknown): Worker {
  const fromSource = import.meta.url.endsWith('.ts')
  const { href } = new URL(`${file.href}${fromSource ? '.ts' : '.js'}`)
  if (!fromSource) return new Worker(new URL(href), { workerData })
  // From source, the worker has to learn TypeScript first; an import option does not reach it on Node 20.
  const home = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const tsx = new URL('./dist/esm/api/index.mjs', home).href
  const start = `import('${tsx}').then(({ register }) => { register(); return import('${href}') })`
  return new Worker(start, { eval: true, workerData, execArgv: [] })
}
