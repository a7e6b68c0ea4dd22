/** Where commands keep the columns of the data they have read. */
import { homedir } from 'node:os'
import path from 'node:path'

/** The variable that names another folder; `off` keeps none. */
export const DATA_CACHE = 'MARGIN_CORE_CACHE'

export function usualDataCache(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'margin-core')
}
