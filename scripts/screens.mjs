// Takes screenshots of the product for docs/screens/: a throw-away cluster with the demo, a server, a browser.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildWeb } from './build-web.mjs'
import { startPg } from './pg.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'medtrace-screens-'))
fs.chmodSync(folder, 0o755)
await buildWeb(ROOT)
const pg = await startPg({ dataRoot: folder, test: true, log: () => {} })
let failed = false
try {
  const { takeScreens } = await import('../tests/support/screens.ts')
  await takeScreens({
    into: path.join(ROOT, 'docs', 'screens'),
    socket: { folder: pg.sock, user: 'spd_owner', password: pg.password, database: 'screens' },
  })
} catch (error) {
  console.error(error)
  failed = true
} finally {
  await pg.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
