import { clock } from '#kernel/values/date.ts'
import { settingDefaults } from '#modules/settings/setting-defaults.server.ts'
import { patchDocument } from '#server/public/documents.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { inOrganisation } from '#server/public/database.ts'
import type { Sql } from 'postgres'

type Waiting = { org_id: string; supplier: string; sn: string }

/** The answer by silence on one side's row of the document; nothing if it was answered meanwhile. */
async function agree(sql: Sql, side: string, { org_id, sn }: Waiting): Promise<void> {
  const session = await systemSessionOf(sql, side)
  await inOrganisation(sql, side, '0', async tx => {
    const [row] = await tx<{ id: string }[]>`
      select id from document
       where org_id = ${side} and from_org_id = ${org_id} and kind = 'settlement' and sn = ${sn}
         and state = 'submitted' and fields->>'confirm_state' = '1' for update`
    if (!row) return
    const entry = { action: 'confirm', label: '自动确认', state: 'submitted' }
    const place = { id: row.id, kind: 'settlement' }
    await patchDocument(tx, { ...session, userName: '系统' }, place, { confirm_state: '4' }, entry)
  })
}

/**
 * 自动确认: a supplier that does not answer within the days of the hospital's rule has agreed. Its copy first, then the
 * document itself, each in its own organisation's transaction; if interrupted in between, the next hourly run
 * completes it.
 */
export async function confirmByTime(owner: Sql): Promise<number> {
  const waiting = await owner<Waiting[]>`
    select d.org_id, d.counterparty_id as supplier, d.sn from document d
      left join hospital_rule r on r.org_id = d.org_id and r.name = 'settlementConfirm' and r.warehouse_id is null
        and r.department_id is null and r.custom_type_id is null
     where d.kind = 'settlement' and d.role = 'own' and d.state = 'submitted' and d.fields->>'confirm_state' = '1'
       and d.submitted_at + make_interval(days => coalesce(r.figure::int,
         ${settingDefaults.settlement_confirm_days}::int)) <= ${(clock.at ?? new Date()).toISOString()}`
  for (const doc of waiting) {
    await agree(owner, doc.supplier, doc)
    await agree(owner, doc.org_id, doc)
  }
  return waiting.length
}
