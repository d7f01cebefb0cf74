// npm run load -- --minutes 10 --users 200: many people at mixed work on a throw-away copy of the demo, on durable settings.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPg } from './pg.mjs'

const option = (name, preset) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? preset : Number(process.argv[at + 1])
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'medtrace-load-pg-'))
fs.chmodSync(folder, 0o755)
const pg = await startPg({ dataRoot: folder, log: () => {} })
let failed = false
try {
  const { load } = await import('../bench/load.ts')
  const socket = { folder: pg.sock, user: 'spd_owner', password: pg.password, database: 'load' }
  await load({ socket, minutes: option('minutes', 10), users: option('users', 200) })
} catch (error) {
  console.error(error)
  failed = true
} finally {
  await pg.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
