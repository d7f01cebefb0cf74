// npm run ledger:check: checks that every balance is the sum of its rows. Works beside a running server.
import { StartupError } from '../server/config.ts'
import { operate, reportLedgers } from './operator.mjs'

await operate(async sql => {
  const [schema] = await sql`select to_regclass('schema_version') is not null as exists`
  if (!schema.exists) throw new StartupError('数据库尚未初始化，没有账可核对。请先用 npm start 启动一次。')
  return reportLedgers(sql)
})
