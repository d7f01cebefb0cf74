// npm run restore -- --from FOLDER: fills an empty database and data folder from a backup, and checks the ledgers.
import path from 'node:path'
import { StartupError } from '../server/config.ts'
import { operate, reportLedgers } from './operator.mjs'
import { optionOf } from './options.mjs'

await operate(async (sql, config) => {
  const from = optionOf('from')
  if (!from) throw new StartupError('用法：npm run restore -- --from 备份目录')
  const { restore } = await import('../app/operations/restore.ts')
  const { tables, made_at } = await restore(sql, config, path.resolve(from))
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`已恢复 ${made_at} 的备份：${tables.length} 张表 ${rows} 行`)
  return reportLedgers(sql)
})
