/** Whether what was sent has been taken. */
import type { Writable } from 'node:stream'

/** Resolves once it has, to true; false where it takes longer than `ms`, or nobody is there. */
export function taken(connection: Writable, ms: number): Promise<boolean> {
  if (!connection.writableNeedDrain || connection.destroyed) return Promise.resolve(!connection.destroyed)
  return new Promise((resolve) => {
    const settle = (isTaken: boolean) => {
      clearTimeout(timer)
      connection.off('drain', onDrain).off('close', onClose)
      resolve(isTaken)
    }
    const onDrain = () => settle(true)
    const onClose = () => settle(false)
    const timer = setTimeout(onClose, ms)
    connection.once('drain', onDrain).once('close', onClose)
  })
}
