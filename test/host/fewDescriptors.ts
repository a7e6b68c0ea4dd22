// A venue whose log begins a new file every few commits, and which says where it listens.

import { readFileSync } from 'node:fs'
import { readConfiguration } from '../../src/host/configuration.ts'
import { serveVenue } from '../../src/host/serveVenue.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'

const [configurationPath = '', data = ''] = process.argv.slice(2)
const configuration = readConfiguration(readFileSync(configurationPath))
const store = await openLmdbStore(data, { segmentBytes: 2_000 })
const { url } = await serveVenue({ configuration, port: 0, store, snapshotEvery: 20 })
process.stdout.write(`listening on ${url}\n`)
