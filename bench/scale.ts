// What a large venue holds back: how long each thing that it does by itself, or for one of many, takes, and the longest time
// that the loop was held meanwhile (K15). `npx tsx bench/scale.ts [name ...]`. Names: midnight, start, restart, snapshot,
// snapshotOfMillion, close, keys, stop. SCALE_SHARE=0.1 takes a tenth of every size. Each part is a process of its own.

import { spawnSync } from 'node:child_process'
import { printPeak } from './scale/held.ts'
import { INNER, PARTS } from './scale/parts.ts'

const PART = '--part'

function again(part: string, directory = ''): void {
  const options = ['--max-old-space-size=16000', '--import', 'tsx']
  const { status } = spawnSync(process.execPath, [...options, import.meta.filename, PART, part, directory], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${part} ended with ${status}`)
}

const [flag, name = '', directory = ''] = process.argv.slice(2)
if (flag === PART) {
  await { ...PARTS, ...INNER }[name]?.(again, directory)
  if (name !== 'restart') printPeak()
  process.exit()
}
const chosen = process.argv.slice(2)
for (const part of Object.keys(PARTS)) if (chosen.length === 0 || chosen.includes(part)) again(part)
