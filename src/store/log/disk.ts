/** What a log needs of the machine it is on. Small, so that faults can be put beneath the log in tests. */

export interface DiskFile {
  /** Length in bytes. */
  readonly size: number
  /** A number that this file has and no copy of it: the inode. */
  readonly identity: number
  /** Reads into `bytes` from a position on; gives how many there were. */
  read(bytes: Uint8Array, position: number): Promise<number>
  /** Writes all of `bytes`; they need not be durable before {@link flush}. */
  write(bytes: Uint8Array, position: number): Promise<void>
  /** Resolves once everything written is on the medium. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** One directory. */
export interface Disk {
  list(): Promise<string[]>
  open(name: string): Promise<DiskFile>
  /** Creates an empty file in the place of any other of that name. */
  create(name: string): Promise<DiskFile>
  rename(from: string, to: string): Promise<void>
  /** Gives a file another name, unless something has it already; says whether. Of two that try, one succeeds. */
  publish(from: string, to: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** Whether a name leads to this file still. At once, and cheap: it is asked before every append. */
  names(name: string, file: DiskFile): boolean
  /** Resolves once created, renamed and removed names are on the medium. */
  flush(): Promise<void>
  /** The SHA-256 of the parts, one behind the other. */
  sha256(...parts: readonly Uint8Array[]): Uint8Array
  /** Bytes that nobody can foresee. */
  random(count: number): Uint8Array
}
