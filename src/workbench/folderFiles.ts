/** The files of a folder of research, as far as they can matter, and not what packages and tools keep in it. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'

export interface FolderFiles {
  /** By folder, as a path from the one that is looked at, `''` for itself: the names of its files. */
  readonly folders: ReadonlyMap<string, readonly string[]>
  /** Whether there are more than are looked at. */
  readonly isCut: boolean
}

const DEEPEST = 5
const MOST_FOLDERS = 3_000
const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'coverage', '__pycache__'])

/** Links are not followed: what they lead to is not in the folder. */
export async function filesIn(home: string): Promise<FolderFiles> {
  const folders = new Map<string, readonly string[]>()
  const waiting: { readonly at: string; readonly depth: number }[] = [{ at: '', depth: 0 }]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (folders.size >= MOST_FOLDERS) return { folders, isCut: true }
    const { at, depth } = next
    const entries: Dirent[] = await readdir(path.join(home, at), { withFileTypes: true }).catch(() => [])
    entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    folders.set(
      at,
      entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name),
    )
    if (depth === DEEPEST) continue
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name))
        waiting.push({ at: at === '' ? entry.name : `${at}/${entry.name}`, depth: depth + 1 })
  }
  return { folders, isCut: false }
}

export function inFolder(at: string, name: string): string {
  return at === '' ? name : `${at}/${name}`
}
