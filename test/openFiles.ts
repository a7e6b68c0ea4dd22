import { readdirSync, readlinkSync } from 'node:fs'

/** Files of the folder that this process has open; none where the system does not tell. */
export function openIn(folder: string): string[] {
  if (process.platform !== 'linux') return []
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      // That of the folder of them itself.
      return []
    }
  })
  return open.filter((file) => file.startsWith(folder))
}
