/** The methods of a search: apart from what carries them out, so that a command line that names them loads none of it. */

/**
 * How sets are chosen: `random`, `latin-hypercube` and `sobol` before any has run; `tpe` (tree-structured Parzen estimator),
 * `gp` (a Gaussian process), `cma-es` (covariance matrix adaptation), `nsga-ii` and `nsga-iii` (for several objectives, and for three and more) from what has run; `halving` runs all over a ninth of the data, the best third over a third, and the best third of these over
 * all of it (successive halving: K. Jamieson, A. Talwalkar, AISTATS 2016).
 */
export type SearchMethod = (typeof SEARCH_METHODS)[number]

/** The methods by name. */
export const SEARCH_METHODS = [
  'sobol',
  'tpe',
  'gp',
  'cma-es',
  'nsga-ii',
  'nsga-iii',
  'halving',
  'latin-hypercube',
  'random',
] as const
