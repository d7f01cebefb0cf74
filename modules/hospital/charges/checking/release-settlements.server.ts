import { checksOfUse } from '#modules/hospital/charges/checking/checks.server.ts'
import { policyForItems, settingsFor } from '#server/public/settings.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'

/** Goods of these checks that are settled by their charge, according to the rule for their class. */
async function settledByCharge(tx: Tx, org: string, checks: readonly string[] | null): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    select distinct c.specification_id as id from use_check c join settlement_line s on s.org_id = c.org_id
      and s.use_document_id = c.use_document_id and s.use_line_no = c.use_line_no
     where c.org_id = ${org} and ${concerned(tx, checks)}`
  if (rows.length === 0) return []
  const { settle_base: base } = await settingsFor(tx, org)
  const place = { org, warehouse: null, department: null }
  const ids = rows.map(row => row.id)
  const own = await policyForItems(tx, place, 'settleBase', ids)
  return ids.filter(id => (own(id).settle_base ?? base) === 'charge')
}

/** The records `s` of these checks `c`; in a round over all, those that wait for their charge. */
const concerned = (tx: Tx, checks: readonly string[] | null) =>
  checks === null
    ? tx`s.state = 'uncharged' and not c.in_advance`
    : tx`c.id = any(${checks as string[]}::bigint[]) and not c.in_advance
        and s.state in ('waiting', 'unpriced', 'uncharged')`

/**
 * 结算依据 = 按HIS计费: uses of consigned goods that patients are to be charged for are settled once they are charged or
 * waived; until then their settlement records wait as 待计费. If goods are settled by use, none of them waits.
 */
export async function releaseSettlements(tx: Tx, org: string, checks: readonly string[] | null): Promise<void> {
  const byCharge = await settledByCharge(tx, org, checks)
  await tx`
    update settlement_line x set state = k.state
      from (
        select s.id, case when c.specification_id = any(${byCharge as string[]}::bigint[])
                   and c.state not in ('checked', 'waived') then 'uncharged'
                 when s.price is null then 'unpriced' else 'waiting' end as state
          from use_check c join settlement_line s on s.org_id = c.org_id and s.use_document_id = c.use_document_id
            and s.use_line_no = c.use_line_no and s.unit_code is not distinct from c.unit_code
         where c.org_id = ${org} and ${concerned(tx, checks)}) k
     where x.org_id = ${org} and x.id = k.id and x.state <> k.state
       and (k.state = 'uncharged' or x.state = 'uncharged')`
}

/** The settlement records of a use that was reviewed just now. */
export async function holdUncharged({ tx, session, doc }: ActionContext): Promise<void> {
  const org = session.org.id
  const checks = await checksOfUse(tx, org, doc.id)
  if (checks.length > 0) await releaseSettlements(tx, org, checks)
}
