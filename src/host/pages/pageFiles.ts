/** What a browser loads of a page: as packed with a release, or made now from the sources of a checkout. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface PageFile {
  /** Shared by everybody who reads them, however slowly. */
  readonly bytes: Buffer
  /** Another one for another text. */
  readonly tag: string
}

/**
 * Reads or makes each file once.
 *
 * @param beside the module beside which they are: `packed` of a release, or `page`, the folder of the sources.
 * @param bundle makes them by name of that folder.
 */
export function pageFiles<Name extends string>(
  beside: string,
  bundle: (sources: string) => Promise<ReadonlyMap<string, string>>,
): (name: Name) => Promise<PageFile> {
  const packed = new URL('./packed/', beside)
  let making: Promise<ReadonlyMap<string, string>> | undefined
  const textOf = async (name: Name): Promise<string> => {
    if (existsSync(packed)) return readFile(new URL(name, packed), 'utf8')
    making ??= bundle(fileURLToPath(new URL('./page/', beside)))
    return (await making).get(name) as string
  }
  const known = new Map<Name, Promise<PageFile>>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const file = textOf(name).then((text) => ({ bytes: Buffer.from(text), tag: tagOf(text) }))
    known.set(name, file)
    return file
  }
}

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}
