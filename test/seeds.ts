/** Property tests draw the same cases in every run, so that a change is what turns one red; nightly runs draw new ones. */
import fc from 'fast-check'

const SEED = 20_240_101

if (process.env.MARGIN_CORE_NIGHTLY !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
