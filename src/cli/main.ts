#!/usr/bin/env node
/** Starts the program. */
import { DATA_CACHE, usualDataCache } from './dataCachePlace.ts'
import { outlivesReader, reportFailure } from './failure.ts'
import { programFor } from './program.ts'
import { endWithListener } from './toldProgress.ts'

// The environment, because the threads that do a part of the work read data too.
process.env[DATA_CACHE] ??= usualDataCache()
outlivesReader(process.stdout)
outlivesReader(process.stderr)
endWithListener()
const args = process.argv.slice(2)
await reportFailure(async () => void (await (await programFor(args)).parseAsync()))
