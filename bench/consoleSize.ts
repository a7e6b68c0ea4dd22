// What a browser loads of the console: `npx tsx bench/consoleSize.ts`.

import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleConsole } from '../src/host/console/bundle.ts'

const page = path.join(import.meta.dirname, '../src/host/console/page')
for (const [name, text] of await bundleConsole(page))
  console.log(`${name.padEnd(12)} ${Buffer.byteLength(text)} bytes, with gzip ${gzipSync(text).length}`)
