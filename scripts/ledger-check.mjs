// npm run ledger:check: proves that every balance is the sum of its rows. Works beside a running server.
import { readConfig, StartupRefusal } from '../server/config.ts'
import { openDatabase } from '../server/plugins/database.ts'
import { withCluster } from './embedded.mjs'

const MOST_SHOWN = 200

process.exitCode = await main().catch(error => {
  console.error(error instanceof StartupRefusal ? error.message : error)
  return 1
})

async function main() {
  const cluster = await withCluster(readConfig())
  try {
    const database = await openDatabase(cluster.config)
    return await check(database.owner).finally(() => database.close())
  } finally {
    await cluster.stop()
  }
}

async function check(sql) {
  const [schema] = await sql`select to_regclass('schema_version') is not null as exists`
  if (!schema.exists) throw new StartupRefusal('数据库尚未初始化，没有账可核对。请先用 npm start 启动一次。')
  const { checkLedgers } = await import('../server/ledger/check.ts')
  const findings = await checkLedgers(sql)
  for (const finding of findings.slice(0, MOST_SHOWN))
    console.log(typeof finding === 'string' ? finding : JSON.stringify(finding))
  if (findings.length > MOST_SHOWN) console.log(`……另有 ${findings.length - MOST_SHOWN} 处`)
  console.log(findings.length ? `账不平：${findings.length} 处差异` : '账平：各项余额与流水一致')
  return findings.length ? 1 : 0
}
