export interface EmbeddedPostgres {
  /** The folder of the Unix socket. */
  sock: string
  password: string
  pid: number
  /** Found running, left by a process that died. */
  takenOver: boolean
  /** Found running, and in use by another living process. */
  joined: boolean
  /** Leaves the cluster; stops it when no one else uses it. */
  stop(): Promise<void>
}

export const OWNER: string

export function startPg(options: {
  dataRoot: string
  test?: boolean
  log?: (line: string) => void
}): Promise<EmbeddedPostgres>
