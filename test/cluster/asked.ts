// What a program says to whoever types it, beside clients that are answered meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function asked(program: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { status: null as number | null, stdout: '', stderr: '' }
  for (const from of ['stdout', 'stderr'] as const)
    child[from].on('data', (chunk) => {
      said[from] += String(chunk)
    })
  ;[said.status] = (await once(child, 'close')) as [number | null]
  return said
}
