/** A file of the user's own, JavaScript or TypeScript, as what it exports. */
import { spawnSync } from 'node:child_process'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mustBeRegular } from '../../files/regularFile.ts'

/** The ends of the names of files that can be imported. */
export const SCRIPTS: readonly string[] = ['.js', '.mjs', '.ts', '.mts']

export function isScript(file: string): boolean {
  return SCRIPTS.includes(extname(file))
}

/** What a file exports, by name. */
export type Exported = Readonly<Record<string, unknown>>

/** @throws Error that names the file as it is shown, with the line where it is no JavaScript. */
export async function importFile(shown: string): Promise<Exported> {
  const path = resolve(shown)
  const url = pathToFileURL(path).href
  try {
    await mustBeRegular(path)
    return (await import(url)) as Exported
  } catch (error) {
    if (NEEDS_TSX.has(codeOf(error))) return importTypeScript(url, shown)
    throw failed(shown, error)
  }
}

/** Node from 22.18 on strips types by itself, but does not compile what is more than types, such as enums. */
const NEEDS_TSX: ReadonlySet<unknown> = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
])

/** Where Node itself does not read it, tsx does. */
async function importTypeScript(url: string, shown: string): Promise<Exported> {
  let tsImport: (specifier: string, parent: string) => Promise<unknown>
  try {
    tsImport = (await import('tsx/esm/api')).tsImport
  } catch {
    throw new Error(
      `${shown}: this version of Node does not read its TypeScript; npm install tsx, or give a .js file`,
    )
  }
  try {
    return unwrapped((await tsImport(url, import.meta.url)) as Exported)
  } catch (error) {
    throw failed(shown, error)
  }
}

/** A file of a package without `"type": "module"` is CommonJS: all its exports arrive under `default`. */
function unwrapped(exported: Exported): Exported {
  const inner = exported.default
  return typeof inner === 'object' && inner !== null && 'default' in inner ? { ...inner } : exported
}

function failed(shown: string, error: unknown): Error {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
  const missing = codeOf(error) === 'ERR_MODULE_NOT_FOUND' && reason?.includes(resolve(shown))
  const line = error instanceof SyntaxError ? lineOf(resolve(shown)) : ''
  return new Error(missing ? `${shown}: there is no such file` : `${shown}${line}: ${reason}`, {
    cause: error,
  })
}

/** Where a file is no JavaScript. An import does not say it, Node's own check does; empty where the fault is in another file. */
function lineOf(path: string): string {
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' })
  return /^.*(:\d+)$/m.exec(stderr.split('\n')[0] ?? '')?.[1] ?? ''
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
