// Programs run as somebody who is bound by permissions: root is not.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const NOBODY = { uid: 65_534, gid: 65_534 }

/** Options for a child process that runs as nobody, where this one is root's; otherwise it is bound already. */
export const UNPRIVILEGED: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? NOBODY : {}

const READ = "require('node:fs').readFileSync(process.argv[1])"

/** Whether such a process gets at a file, and at Node. */
export const canReadUnprivileged = (file: string): boolean =>
  process.platform !== 'win32' && spawnSync(process.execPath, ['-e', READ, file], UNPRIVILEGED).status === 0

/** Whether it gets at the program. */
export const canRunUnprivileged = canReadUnprivileged(path.join(root, 'package.json'))
