import { whyNotOpened } from '../../files/whyNotOpened.ts'
import { FeedError } from './feedError.ts'

/** Of a data file that could not be opened. */
export function notOpened(path: string, cause: NodeJS.ErrnoException): FeedError {
  return new FeedError(path, null, `the file cannot be opened (${whyNotOpened(path, cause)})`, { cause })
}
