/** `margin-core init`: a venue configuration to begin with. */
import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { examples } from './examples.ts'
import { reportFailure, UsageError } from './failure.ts'

export function initCommand(): Command {
  return new Command('init')
    .argument('[file]', 'where it is written; what is there is never overwritten', 'venue.json')
    .addHelpText(
      'after',
      examples('init', 'init my-venue.json', 'check my-venue.json', 'serve --config my-venue.json'),
    )
    .action((file: string) => reportFailure(() => init(file), 1))
}

async function init(file: string): Promise<void> {
  const { sampleConfiguration } = await import('../host/sampleConfiguration.ts')
  // It holds secrets.
  await writeFile(file, sampleConfiguration(), { flag: 'wx', mode: 0o600 }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new UsageError(`cannot write ${file}: ${NOT_WRITTEN[code ?? ''] ?? code}`)
    },
  )
  process.stdout.write(
    `${file} is written, with keys and tokens of its own; start it with: margin-core serve --config ${file}\n`,
  )
}

const NOT_WRITTEN: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already, and is not overwritten; name another file, or move it away',
  ENOENT: 'there is no such directory; make it first',
  EACCES: 'this process has no right to; name a file elsewhere',
  EROFS: 'nothing can be written there; name a file elsewhere',
  ENOSPC: 'the disk is full; make room',
}
