// Loaded into a node before it starts: prints each step of a hand-over to standard error, for `--trace`.
import { subscribe } from 'node:diagnostics_channel'

subscribe('margin-core:handover', (step) => console.error(`step ${JSON.stringify(step)}`))
