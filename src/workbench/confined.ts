/** Paths that come from a page, kept within the folder that is worked in, whatever links it holds. */
import { realpath } from 'node:fs/promises'
import path from 'node:path'

/** A path that leads out of the folder, or is none. */
export class Outside extends Error {
  override readonly name = 'Outside'
}

/**
 * The real place of something that is there.
 *
 * @throws Outside where it is not in the folder, or is not there.
 */
export async function placeIn(folder: string, shown: string): Promise<string> {
  mustBeRelative(shown)
  const place = await realpath(path.resolve(folder, shown)).catch(() => null)
  if (place === null) throw new Outside(`${shown}: there is no such file in the folder`)
  return mustBeWithin(await realpath(folder), place, shown)
}

/**
 * Where something may be made: what is there of the way leads out of the folder nowhere.
 *
 * @throws Outside otherwise.
 */
export async function newPlaceIn(folder: string, shown: string): Promise<string> {
  mustBeRelative(shown)
  const wanted = path.resolve(folder, shown)
  const home = await realpath(folder)
  let there = wanted
  let real = await realpath(there).catch(() => null)
  while (real === null && there !== path.dirname(there)) {
    there = path.dirname(there)
    real = await realpath(there).catch(() => null)
  }
  const place = path.join(real ?? there, path.relative(there, wanted))
  return mustBeWithin(home, place, shown)
}

function mustBeRelative(shown: string): void {
  const isPlain = shown !== '' && !/[\p{Cc}]/u.test(shown) && !shown.startsWith('-') && shown.length <= 1_024
  if (!isPlain) throw new Outside(`${JSON.stringify(shown)} is no path in the folder`)
  if (path.isAbsolute(shown) || /^[A-Za-z]:/.test(shown) || shown.split(/[\\/]/).includes('..'))
    throw new Outside(`${shown}: a path in the folder is written from the folder on`)
}

function mustBeWithin(home: string, place: string, shown: string): string {
  const way = path.relative(home, place)
  if (way === '' || way.split(path.sep)[0] === '..' || path.isAbsolute(way))
    throw new Outside(`${shown}: it is not in the folder`)
  return place
}
