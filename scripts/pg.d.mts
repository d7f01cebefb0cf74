export interface EmbeddedPostgres {
  /** The folder of the Unix socket. */
  sock: string
  password: string
  pid: number
  /** It was found running, left by a process that died. */
  adopted: boolean
  /** It was found running, and another living process uses it. */
  joined: boolean
  /** Leaves it; stops it when nobody else uses it. */
  stop(): Promise<void>
}

export const OWNER: string

export function startPg(options: {
  dataRoot: string
  test?: boolean
  log?: (line: string) => void
}): Promise<EmbeddedPostgres>
