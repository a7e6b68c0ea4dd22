/** The file of a venue, read for a command: what is doubtful in it is told on stderr. */
import { readFile } from 'node:fs/promises'
import type { VenueConfiguration } from '../host/index.ts'
import { UsageError } from './failure.ts'

/** @throws UsageError where it cannot be read, ConfigurationError where it is no configuration. */
export async function configurationIn(file: string): Promise<VenueConfiguration> {
  const { readConfiguration } = await import('../host/index.ts')
  const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot read ${file}: ${NOT_READ[code ?? ''] ?? code}`)
  })
  return readConfiguration(bytes, (doubt) => process.stderr.write(`${doubt}\n`))
}

const NOT_READ: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; `margin-core init FILE` writes one to begin with',
  EISDIR: 'it is a directory; name the file in it',
  EACCES: 'this process has no right to; make it readable',
}
