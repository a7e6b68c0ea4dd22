/** `margin-core check`: whether a venue would start with a configuration, without starting it. */
import { Command } from 'commander'
import { configurationIn } from './configurationFile.ts'
import { examples } from './examples.ts'
import { reportFailure } from './failure.ts'

export function checkCommand(): Command {
  return new Command('check')
    .argument('<file>', 'venue configuration')
    .addHelpText('after', examples('check venue.json'))
    .action((file: string) => reportFailure(() => check(file), 1))
}

/** In memory, because what a log has already is not the file's to say. */
async function check(file: string): Promise<void> {
  const configuration = await configurationIn(file)
  const { openVenue } = await import('../host/index.ts')
  const { requireFeed } = await import('../host/feed/feed.ts')
  const { engine } = await openVenue(configuration)
  try {
    if (configuration.feed !== null) await requireFeed(configuration.feed, engine)
  } finally {
    await engine.close()
  }
  const { markets, users, accounts } = configuration
  const counts = [
    counted(markets.length, 'market'),
    counted(users.length, 'user'),
    counted(accounts.length, 'account'),
  ]
  process.stdout.write(`${file} is good: ${counts.join(', ')}\n`)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
