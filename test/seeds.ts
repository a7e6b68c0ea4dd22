/**
 * Property tests draw the same cases in every run, so that a change is what turns one red; a second pass of those that are
 * quick, and nightly runs, draw new ones. `MARGIN_CORE_SEED` says which.
 */
import fc from 'fast-check'

const SEED = 20_240_101
const chosen = process.env.MARGIN_CORE_SEED

// Where it only matters whether something fails, it is not made smaller first: that takes a hundred times as long.
if (process.env.MARGIN_CORE_UNSHRUNK === '1')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

if (process.env.MARGIN_CORE_NIGHTLY !== '1' || chosen !== undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(chosen ?? SEED) })
