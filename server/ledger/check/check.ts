import type { Sql } from 'postgres'
import { balanceChecks } from '#server/ledger/check/balances.ts'
import { intercompanyChecks } from '#server/ledger/check/intercompany.ts'
import { documentChecks } from '#server/ledger/check/documents.ts'
import { pendingEffects } from '#server/ledger/check/pending.ts'
import { progressChecks } from '#server/ledger/check/progress.ts'
import { serialChecks } from '#server/ledger/check/serials.ts'
import type { Check, CheckRow, Finding } from '#server/ledger/check/finding.ts'
import type { Tx } from '#server/database/transaction.ts'

export type { Finding }

const checks: readonly Check[] = [
  ...balanceChecks,
  ...serialChecks,
  ...progressChecks,
  ...documentChecks,
  ...intercompanyChecks,
]

/**
 * Checks as the owner, over all organisations, that every balance is the sum of its rows, that chains have no gaps
 * and that both books of a trade agree. One snapshot for all: concurrent work has no effect. Empty: clean.
 */
export function checkLedgers(sql: Sql): Promise<Finding[]> {
  return sql.begin('isolation level repeatable read read only', async tx => {
    const pending = await pendingEffects(tx)
    const found: { check: Check; row: CheckRow }[] = []
    for (const check of checks) for (const row of await check.run(tx, pending)) found.push({ check, row })
    const names = await namesOf(
      tx,
      found.map(({ row }) => row.org),
    )
    return found.map(({ check, row }) => ({
      check: check.name,
      ...row,
      msg:
        `${check.title}：${row.org ? `【${names.get(row.org) ?? row.org}】` : ''}${row.key} 应为${row.expected}，实际` +
        `${row.found}`,
    }))
  }) as Promise<Finding[]>
}

async function namesOf(tx: Tx, orgs: readonly (string | null)[]): Promise<Map<string, string>> {
  const ids = [...new Set(orgs.filter(org => org !== null))]
  if (ids.length === 0) return new Map()
  const rows = await tx<
    { id: string; name: string }[]
  >`select id, name from organisation where id = any(${ids}::bigint[])`
  return new Map(rows.map(row => [row.id, row.name]))
}
