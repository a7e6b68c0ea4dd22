/** The commands of the research page run as shown, on fewer days, sets and paths. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../bundle.ts'

const page = await readFile(new URL('../../docs/research.md', import.meta.url), 'utf8')
const run = promisify(execFile)

let folder: string
let main: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'margin-core-research-'))
  main = bundle('src/cli/main.ts', folder)
  const [, plan = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  await writeFile(join(folder, 'breakout.json'), plan.replace('"days": 60', '"days": 9'))
})
afterAll(() => rm(folder, { recursive: true }))

const SOURCE = new URL('../../', import.meta.url).pathname
/** A report is drawn with the files that lie beside the source. */
const fromSource = [
  '--import',
  join(SOURCE, 'node_modules/tsx/dist/esm/index.mjs'),
  join(SOURCE, 'src/cli/main.ts'),
]

/** What a command prints, made smaller. */
async function printed(command: string): Promise<string> {
  const words = command
    .replace('240,480,960,1440', '240,480')
    .replace('5,10,20', '5,10')
    .replace(/--paths \d+/, '--paths 4')
    .replace('--horizon 30', '--horizon 3')
    .replace(/--sets \d+/, '--sets 3')
    .split(' ')
  const program = words.includes('--out') || words.includes('--report') ? fromSource : [main]
  const alone = ['backtest', 'compare', 'what-if'].includes(words[0] ?? '') ? [] : ['--workers', '1']
  const { stdout } = await run(process.execPath, [...program, ...words, ...alone], { cwd: folder })
  return stdout
}

test('every command of the page says what the page takes from it', async () => {
  const commands = [...page.matchAll(/^npx margin-core (.*)$/gm)].map(([, command]) => command as string)
  const said: string[] = []
  for (const command of commands) said.push(await printed(command))
  const expected = [
    /From prices to profit/,
    /From prices to profit/,
    /parameters\.lookback +480 +1440[\s\S]*trade\(s\) are the same/,
    /spread=x2 .* delay=1/,
    /plateau[\s\S]*4 runs/,
    /3 sets in 3 runs/,
    /Outside of the trainings: .* in 6 days/,
    /passed +\d+ .* to /,
    /in 3 attempts +fees +result/,
  ]
  expect(said).toHaveLength(expected.length)
  for (const [index, text] of expected.entries()) expect(said[index]).toMatch(text)
  expect(await readFile(join(folder, 'sweep.csv'), 'utf8')).toMatch(/^lookback,width,/)
  expect(await readFile(join(folder, 'walk.csv'), 'utf8')).toMatch(/^day,fold,return,equity\n/)
  expect(await readFile(join(folder, 'studies/breakout/study.json'), 'utf8')).toContain('"method": "tpe"')
})
