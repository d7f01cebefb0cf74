// A database server with durable settings for one command only, removed afterwards.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { OWNER, startPg } from './pg.mjs'

/** Runs the work with the database location, removes the server, and exits with 1 if the work failed. */
export async function onThrowAway(database, work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `medtrace-${database}-`))
  fs.chmodSync(folder, 0o755) // the account PostgreSQL runs as must get in
  const pg = await startPg({ dataRoot: folder, log: () => {} })
  const failed = await reported(work({ folder: pg.sock, user: OWNER, password: pg.password, database }))
  await pg.stop()
  fs.rmSync(folder, { recursive: true, force: true })
  process.exit(failed ? 1 : 0)
}

/** Waits for the work; prints the error, and returns whether there was one. */
export function reported(work) {
  return work.then(
    () => false,
    error => {
      console.error(error)
      return true
    },
  )
}
