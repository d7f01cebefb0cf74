// npm run ward-day: plays a day of a ward at the consumable cabinets of a running demo server, over HTTP as devices
// do. WARD_DAY_URL is the server (default http://127.0.0.1:8080); LOGIN and PASSWORD are the hospital's
// administrator.
import { setTimeout as sleep } from 'node:timers/promises'
import { playDay, setStage } from './ward-day/play.ts'
import { signIn } from './ward-day/web.ts'

const { WARD_DAY_URL = 'http://127.0.0.1:8080', LOGIN = 'hospital', PASSWORD = 'Spd@2026' } = process.env
// The server checks open doors every two seconds.
const WATCH_MS = 5000

try {
  const web = await signIn(WARD_DAY_URL, LOGIN, PASSWORD)
  const stage = await setStage(WARD_DAY_URL, web, line => console.log(line))
  const { vanished, unknown } = await playDay(stage, () => sleep(WATCH_MS))
  const rows = await web.list('cabinetComparison', { state: 'waiting', cabinet_sn: stage.cabinet })
  for (const row of rows) console.log(`比对差异：${row.difference_kind} ${row.unit_code}`)
  const found = rows.map(row => `${row.difference_kind} ${row.unit_code}`).sort()
  const planted = [`missing ${vanished}`, `unknown ${unknown}`].sort()
  if (JSON.stringify(found) !== JSON.stringify(planted)) throw new Error('比对结果与埋下的差异不一致')
  console.log('比对只显示埋下的差异：一致')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
