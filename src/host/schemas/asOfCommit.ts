/** The commit that a read is as of. */
import { count, instant } from '../../resources/fields.ts'

export const seq = count('Sequence of the commit it is as of.')
export const at = instant('Time of the venue at that commit.')
