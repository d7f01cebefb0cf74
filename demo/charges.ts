import { addDays, today } from '#kernel/values/date.ts'
import { askCharges } from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { matchCharges } from '#modules/hospital/charges/checking/match-charges.server.ts'
import { raiseChecks } from '#modules/hospital/charges/checking/raise-checks.server.ts'
import { askDictionary, takeDictionary } from '#modules/hospital/charges/matching/dictionary.server.ts'
import type { His } from '#server/outbound/his/contract.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The number of days back for which uses are charged once the HIS is there. */
const DAYS = 10
/** One use in so many is left for the clerk to find. */
const LEFT_EVERY = 9
/** Products that nobody used: some are left to be matched, one waits for its confirmation, one needs no item. */
const OPEN = 4

/** 对照: the catalogue says under which item each product is charged; the pairs are in force since half a year. */
async function matchProducts(tx: Tx, org: string): Promise<void> {
  await tx`
    insert into his_match (org_id, id, specification_id, match_state, his_item_id, valid_from, basis, matched_by,
      matched_at)
    select h.org_id, h.id, h.specification_id,
           case when k.place between 1 and ${OPEN} then 'proposed' when k.place = ${OPEN + 1} then 'skipped'
             else 'matched' end,
           case when k.place = ${OPEN + 1} then null else i.id end, ${addDays(today(), -200)}, 'HIS编码', '系统导入',
           now()
      from hospital_product h
      join his_item i on i.org_id = h.org_id and i.item_code = h.his_charge_code
      left join (
        select x.id, row_number() over (order by x.id) as place from hospital_product x
         where x.org_id = ${org} and x.is_chargeable and not exists (
           select 1 from document_line l where l.org_id = x.org_id and l.specification_id = x.specification_id)) k
        on k.id = h.id
     where h.org_id = ${org} and h.is_chargeable and coalesce(k.place, 99) > 1
    on conflict do nothing`
  await tx`
    insert into his_match_version (org_id, specification_id, his_item_id, factor, valid_from, matched_by)
    select m.org_id, m.specification_id, m.his_item_id, m.factor, m.valid_from, m.matched_by from his_match m
     where m.org_id = ${org} and m.match_state = 'matched'`
  await tx`
    insert into his_match_skip (org_id, specification_id, valid_from)
    select m.org_id, m.specification_id, m.valid_from from his_match m
     where m.org_id = ${org} and m.match_state = 'skipped'`
}

type Use = { readonly id: string; readonly visit_no: string }

/** The uses of the last days on patients who are still here are charged; some are left out. */
async function chargeUses(tx: Tx, org: string, his: His): Promise<void> {
  const uses = await tx<Use[]>`
    select d.id, d.fields->>'admission_no' as visit_no from document d
     where d.org_id = ${org} and d.kind in ('departmentUse', 'surgeryUse') and d.role = 'own'
       and d.state in ('reviewed', 'partial', 'completed') and d.red_of_id is null
       and d.business_date >= ${addDays(today(), -DAYS)} and coalesce(d.fields->>'admission_no', '') <> ''
       and not exists (select 1 from document r where r.org_id = d.org_id and r.red_of_id = d.id)
     order by d.id`
  const raised = await raiseChecks(
    tx,
    org,
    uses.map(use => use.id),
  )
  const open = new Map<string, boolean>()
  for (const visit of new Set(uses.map(use => use.visit_no)))
    open.set(visit, (await his.visit(visit))?.is_account_open === true)
  const chargeable = uses.filter(use => open.get(use.visit_no)).map(use => use.id)
  const checks = await tx<{ id: string }[]>`
    select id from use_check where org_id = ${org} and id = any(${raised as string[]}::bigint[])
      and use_document_id = any(${chargeable}::bigint[]) order by id`
  await askCharges(
    tx,
    org,
    checks.filter((_, at) => at % LEFT_EVERY !== 0).map(row => row.id),
    { name: '系统', reason: null },
  )
  await matchCharges(tx, org)
}

/**
 * The consequences of a HIS that is there for the first time: its dictionary, the pairs, and the charges of the last
 * days.
 */
export async function bringCharges(tx: Tx, org: string, his: His): Promise<void> {
  const all = { org, whole: true }
  await takeDictionary(tx, all, await (await askDictionary(tx, all))())
  await matchProducts(tx, org)
  await chargeUses(tx, org, his)
}
