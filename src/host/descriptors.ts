/**
 * Connections of a server, bounded by the file descriptors of its process: each takes one, whoever it is of, and a log that finds
 * none for its next file stops the venue. So some are kept for what the venue does itself.
 */
import type { Server } from 'node:net'

/** Those of the runtime, of log, lists and snapshots, of feeds and webhooks, with some to spare. */
const KEPT = 96
/** Let in in any case: with less than that, nothing is to be had anyway. */
const FEWEST = 16

/** Asked for once, because a report takes some 30 ms: the bound that a process was started under stays. */
let most: number | null = null

/** Each connection may have the server open so many others. */
export function boundByDescriptors(server: Server, eachOpens = 0): void {
  most ??= descriptors()
  if (!Number.isFinite(most)) return
  server.maxConnections = Math.max(FEWEST, Math.floor((most - KEPT) / (1 + eachOpens)))
}

/** What the system allows the process; infinite where it sets no bound, or is none that does. */
function descriptors(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } }
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft
}
