// npm run bench: starts a throw-away cluster with durable settings and runs the figures of bench/ on it, or on DATABASE_URL.
// npm run bench -- --scale [share]: on the network at its full size (some 20 GB and half an hour), or a share of it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPg } from './pg.mjs'

const given = process.argv.slice(2)
const isWhole = given[0] === '--scale'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'medtrace-bench-'))
fs.chmodSync(folder, 0o755)
const pg = process.env.DATABASE_URL ? null : await startPg({ dataRoot: folder, log: () => {} })
let failed = false
try {
  const { bench } = await import('../bench/bench.ts')
  await bench({
    databaseUrl: process.env.DATABASE_URL ?? null,
    socket: pg && { folder: pg.sock, user: 'spd_owner', password: pg.password, database: 'bench' },
    only: isWhole ? [] : given,
    scale: isWhole ? Number(given[1] ?? 1) : null,
  })
} catch (error) {
  console.error(error)
  failed = true
} finally {
  await pg?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
