// Shared by the operator commands: a running database, a one-sentence message on refusal, an exit code.
import { readConfig, StartupError } from '../server/config.ts'
import { openDatabase } from '../server/plugins/database.ts'
import { withCluster } from './embedded.mjs'

/** Runs the work on the installation's database; the work returns the exit code. */
export async function operate(work) {
  process.exitCode = await withDatabase(work).catch(error => {
    console.error(error instanceof StartupError ? error.message : error)
    return 1
  })
}

async function withDatabase(work) {
  const cluster = await withCluster(readConfig())
  try {
    const database = await openDatabase(cluster.config)
    return await work(database.owner, cluster.config).finally(() => database.close())
  } finally {
    await cluster.stop()
  }
}

/** Checks the ledgers, prints differences, and returns the exit code. */
export async function reportLedgers(sql) {
  const { registerModules } = await import('../app/composition.ts')
  const { checkLedgers } = await import('../server/ledger/check/check.ts')
  registerModules()
  const findings = await checkLedgers(sql)
  for (const finding of findings.slice(0, MOST_SHOWN)) console.log(JSON.stringify(finding))
  if (findings.length > MOST_SHOWN) console.log(`……另有 ${findings.length - MOST_SHOWN} 处`)
  console.log(findings.length ? `账不平：${findings.length} 处差异` : '账平：各项余额与流水一致')
  return findings.length ? 1 : 0
}

const MOST_SHOWN = 200
