// Starts a throw-away cluster with durable settings and runs the figures of bench/ on it, or on DATABASE_URL.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPg } from './pg.mjs'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'medtrace-bench-'))
fs.chmodSync(folder, 0o755)
const pg = process.env.DATABASE_URL ? null : await startPg({ dataRoot: folder, log: () => {} })
let failed = false
try {
  const { bench } = await import('../bench/bench.ts')
  await bench({
    databaseUrl: process.env.DATABASE_URL ?? null,
    socket: pg && { folder: pg.sock, user: 'spd_owner', password: pg.password, database: 'bench' },
    only: process.argv.slice(2),
  })
} catch (error) {
  console.error(error)
  failed = true
} finally {
  await pg?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
