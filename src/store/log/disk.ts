/** What a log needs of a file system. Small, so that faults can be put beneath the log in tests. */

export interface DiskFile {
  /** Length in bytes. */
  readonly size: number
  /** Reads into `bytes` from a position on; gives how many there were. */
  read(bytes: Uint8Array, position: number): Promise<number>
  /** Writes all of `bytes`; they need not be durable before {@link flush}. */
  write(bytes: Uint8Array, position: number): Promise<void>
  /** Resolves once everything written is on the medium. */
  flush(): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
}

/** One directory. */
export interface Disk {
  list(): Promise<string[]>
  open(name: string): Promise<DiskFile>
  /** Creates an empty file, or empties one. */
  create(name: string): Promise<DiskFile>
  rename(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
  /** Resolves once created, renamed and removed names are on the medium. */
  flush(): Promise<void>
}
