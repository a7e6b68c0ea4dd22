#!/usr/bin/env node
/** Starts the program. */
import { programFor } from './program.ts'

const args = process.argv.slice(2)
await (await programFor(args)).parseAsync()
