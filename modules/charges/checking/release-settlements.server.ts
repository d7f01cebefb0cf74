import { settingsFor } from '#server/public/settings.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * 结算依据 = 按HIS计费: uses of consigned goods that patients are to be charged for are settled once they are charged or
 * waived; until then their settlement records wait as 待计费. Settled by use, none of them waits.
 */
export async function releaseSettlements(tx: Tx, org: string, checks: readonly string[] | null): Promise<void> {
  const { settled_by_charge: byCharge } = await settingsFor(tx, org)
  const ofThese = checks === null ? tx`true` : tx`c.id = any(${checks as string[]}::bigint[])`
  await tx`
    update settlement_line s set state = k.state
      from (
        select x.id, case when ${byCharge} and c.state not in ('checked', 'waived') then 'uncharged'
                 when x.price is null then 'unpriced' else 'waiting' end as state
          from use_check c join settlement_line x on x.org_id = c.org_id and x.use_document_id = c.use_document_id
            and x.use_line_no = c.use_line_no and x.unit_code is not distinct from c.unit_code
         where c.org_id = ${org} and ${ofThese} and x.state in ('waiting', 'unpriced', 'uncharged')) k
     where s.org_id = ${org} and s.id = k.id and s.state <> k.state
       and (k.state = 'uncharged' or s.state = 'uncharged')`
}

/** The settlement records of a use that was reviewed just now. */
export async function holdUncharged({ tx, session, doc }: ActionContext): Promise<void> {
  const org = session.org.id
  const rows = await tx<{ id: string }[]>`
    select id from use_check where org_id = ${org} and use_document_id = ${doc.id}`
  if (rows.length === 0) return
  await releaseSettlements(
    tx,
    org,
    rows.map(row => row.id),
  )
}
