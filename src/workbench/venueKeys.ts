/** Keys of venues: whose environment has one, and which files of a folder hold one. What a key is never leaves this file. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { type FolderFiles, inFolder } from './folderFiles.ts'

/** The environment variable that a live run takes its key from. */
const VARIABLE = 'MARGIN_CORE_KEY'
/** A file that is larger holds something else. */
const LARGEST = 256

export function hasKeyInEnvironment(): boolean {
  return (process.env[VARIABLE] ?? '') !== ''
}

/** The environment of what is started: a key is in that of a run alone which trades with it. */
export function environmentFor({ trades }: { readonly trades: boolean }): NodeJS.ProcessEnv {
  if (trades) return process.env
  const { [VARIABLE]: _, ...others } = process.env
  return others
}

/** The files of a folder that are named as those of a key and hold one word. */
export async function keyFilesIn(home: string, { folders }: FolderFiles): Promise<string[]> {
  const places = [...folders].flatMap(([at, names]) =>
    names.filter((name) => /key/i.test(name)).map((name) => inFolder(at, name)),
  )
  const found = await Promise.all(places.map((place) => holdsWord(path.join(home, place))))
  return places.filter((_, index) => found[index])
}

async function holdsWord(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile() || found.size > LARGEST) return false
  return /^[\x21-\x7e]{8,}$/.test((await readFile(file, 'utf8').catch(() => '')).trim())
}

/** Whether a text has a key in it, as venues draw them. */
export function hasKey(text: string): boolean {
  return /\bmtk_[\w-]{8,}/.test(text)
}
