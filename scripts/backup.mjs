// npm run backup -- --to FOLDER: consistent backup of everything into an empty folder. Works beside a running
// server.
import path from 'node:path'
import { operate } from './operator.mjs'
import { optionOf } from './options.mjs'

await operate(async (sql, config) => {
  const { backUp } = await import('../app/operations/backup.ts')
  const moment = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const folder = path.resolve(optionOf('to') ?? path.join(config.dataDir, 'backups', moment))
  const { tables, files } = await backUp(sql, config, folder)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const kept = files === null ? '文件在对象存储中，请用它自己的备份' : `${files} 个文件`
  console.log(`已备份 ${tables.length} 张表 ${rows} 行，${kept}：${folder}`)
  return 0
})
