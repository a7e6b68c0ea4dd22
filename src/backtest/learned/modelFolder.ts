/**
 * Kept models as files: `models.json` lists them with the SHA-256 of every other file, each fit has a file, and what learning goes on from
 * has one for each model. What is listed is there: files are written before the list, and those of the list before are removed after it.
 */
import { createHash } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { namedText } from '../../files/namedText.ts'
import { notJson } from '../../files/notJson.ts'
import { formatInstant } from '../../projections/wire.ts'
import { VERSION } from '../../version.ts'
import type { Plain } from './keepable.ts'
import { type KeptModel, KeptModelError } from './keptModel.ts'
import { keptText, type Listed, type ListedModel, listedOf, MODELS_FORMAT, modelOf } from './keptText.ts'

/** The list of a folder of models. */
export const MODELS_FILE = 'models.json'

const SOFTWARE = `margin-core ${VERSION}`

/**
 * Makes the folder and replaces the models that were kept there.
 *
 * ```ts
 * const models = new ModelShelf({ keeps: true })
 * const markets = [{ asset: 'BTC', feed: demoFeed('demo', 3) }]
 * await runBacktest({ markets, strategy: learnedDirection({ asset: 'BTC' }), models })
 * await saveModels(directory, models.kept)
 * const [kept] = await readModels(directory)
 * kept?.model // → change in 60 bars
 * ```
 *
 * @throws KeptModelError for a state that is no plain JSON; and what the file system throws.
 */
export async function saveModels(folder: string, models: readonly KeptModel[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const before = await listIn(folder).catch(() => null)
  const listed: ListedModel[] = []
  for (const [index, model] of models.entries()) {
    const { about, fits, goesOn } = textsOf(model)
    const names = `${index + 1}-${plainName(model.asset)}-${plainName(model.model)}`
    const saved = await Promise.all(
      fits.map(async ({ at, text }) => ({
        at: formatInstant(at),
        ...(await savedAs(folder, `${names}-${stamp(at)}.json`, text)),
      })),
    )
    const on = await savedAs(folder, `${names}-rows-${stamp(model.to)}.json`, goesOn)
    listed.push({ ...about, fits: saved, goesOn: on })
  }
  const list: Listed = { format: MODELS_FORMAT, software: SOFTWARE, models: listed }
  const file = path.join(folder, MODELS_FILE)
  await writeFile(`${file}.new`, `${JSON.stringify(list, null, 2)}\n`)
  await rename(`${file}.new`, file)
  const kept = new Set(filesOf(list))
  for (const name of before === null ? [] : filesOf(before))
    if (!kept.has(name)) await rm(path.join(folder, name), { force: true })
}

/**
 * The models of a folder.
 *
 * ```ts
 * await saveModels(directory, [])
 * const models = await readModels(directory)
 * models.length // → 0
 * ```
 *
 * @throws KeptModelError for a folder without any, for models of another version, and for a file that is not what was kept; NoRegularFile for
 * a pipe, a socket or a device.
 */
export async function readModels(folder: string): Promise<KeptModel[]> {
  const list = await listIn(folder)
  if (list.software !== SOFTWARE)
    throw new KeptModelError(
      `${folder}: the models were kept by ${list.software}, and this is ${SOFTWARE}, which may decide otherwise by them; learn them anew`,
    )
  return Promise.all(
    list.models.map(async (model) => {
      const fits = await Promise.all(model.fits.map((fit) => wholeFile(folder, fit)))
      return modelOf(model, fits, await wholeFile(folder, model.goesOn), path.join(folder, MODELS_FILE))
    }),
  )
}

/** The files of a folder of models, the list first. @throws KeptModelError for a folder without any. */
export async function modelFilesOf(folder: string): Promise<string[]> {
  return [MODELS_FILE, ...filesOf(await listIn(folder))].map((name) => path.join(folder, name))
}

function filesOf({ models }: Listed): string[] {
  return models.flatMap(({ fits, goesOn }) => [...fits, goesOn].map(({ file }) => file))
}

async function listIn(folder: string): Promise<Listed> {
  const file = path.join(folder, MODELS_FILE)
  return listedOf(parsed(await textOf(file), file), file)
}

async function wholeFile(
  folder: string,
  { file: name, sha256 }: { file: string; sha256: string },
): Promise<Plain> {
  const file = path.join(folder, name)
  const text = await textOf(file)
  if (hashOf(text) !== sha256)
    throw new KeptModelError(
      `${file}: it is not what was kept, its SHA-256 is another than ${MODELS_FILE} says`,
    )
  return parsed(text, file)
}

function textOf(file: string): Promise<string> {
  return namedText(
    file,
    (reason, options) => new KeptModelError(`${file}: there are no kept models (${reason})`, options),
  )
}

function parsed(text: string, file: string): Plain {
  try {
    return keptText.read(text)
  } catch (error) {
    throw new KeptModelError(`${file}: ${notJson(error)}`, { cause: error })
  }
}

async function savedAs(folder: string, file: string, text: string) {
  await writeFile(path.join(folder, file), text)
  return { file, sha256: hashOf(text) }
}

function textsOf(model: KeptModel) {
  try {
    return keptText.of(model)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new KeptModelError(`the model ${model.model} of ${model.asset} cannot be kept: ${error.message}`, {
      cause: error,
    })
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const plainName = (name: string) => name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
const stamp = (at: number) => formatInstant(at).replaceAll(/[:.]/g, '-')
