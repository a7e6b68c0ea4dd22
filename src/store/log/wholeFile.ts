/** A file that has its name only once all of it is on the medium. */
import type { Disk } from './disk.ts'

/** Writes the bytes to `part`, which takes the name then. The new name is durable after a {@link Disk.flush}. */
export async function writeWhole(disk: Disk, name: string, part: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.create(part)
  try {
    await file.write(bytes, 0)
    await file.flush()
  } finally {
    await file.close()
  }
  await disk.rename(part, name)
}
