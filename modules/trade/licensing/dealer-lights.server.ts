import { today } from '#kernel/values/date.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { configValue } from '#server/public/settings.ts'
import type { Tx } from '#server/public/database.ts'

/** Licences under which a dealer may trade devices of a class. Class I needs none. */
const needed: Readonly<Record<string, string>> = { III: '医疗器械经营许可证', II: '第二类医疗器械经营备案凭证' }

type Counted = {
  product_id: string
  name: string
  device_class: string
  supplier_id: string | null
  licensed: boolean
  in_scope: boolean
  certified: boolean
  authorised: boolean
  from_maker: boolean
  class_name: string | null
  approved: boolean
  number: string | null
  giver: string | null
  area: string | null
  begins: string | null
  ends: string | null
  level: number | null
  public_customers: boolean
}

/**
 * Computes the four lights of a dealer's products, in the dealer's own transaction, and sends them: the platform sees
 * the result and reads none of the dealer's licences. `approving` is the 首营 that is being approved. A scope that names
 * a class of one list covers its mapped classes in the other.
 */
export async function countLights(
  tx: Tx,
  dealer: string,
  products: readonly string[] | null,
  approving: string | null = null,
): Promise<void> {
  const rows = await tx<Counted[]>`
    with traded as (
      select s.product_id, min(d.supplier_id) as supplier_id from dealer_product d
        join specification s on s.id = d.specification_id
       where d.org_id = ${dealer} and d.status = 'enabled'
         and ${products === null ? tx`true` : tx`s.product_id = any(${products as string[]}::bigint[])`}
         group by s.product_id)
    select p.id as product_id, p.name, p.device_class, k.supplier_id,
           (select min(c.code || c.name) from device_class c where c.catalogue = '2017' and c.code =
             left(p.class_code, 2) or p.class_code is null and c.catalogue = '2002' and c.code =
             left(p.class_code_2002, 4)) as class_name,
           exists (select 1 from licence l where ${licenceOf(tx, dealer)}) as licensed,
           exists (select 1 from licence l
             where ${licenceOf(tx, dealer)}
             and (coalesce(l.scope, '') = '' or l.scope ~ '(全部|所有|Ⅲ类|Ⅱ类|III类|II类|医疗器械)' or exists (
             select 1 from device_class c
               where (c.code = p.class_code and c.catalogue = '2017' or c.code =
               left(p.class_code, 2) and c.catalogue = '2017' or c.code =
               left(p.class_code_2002, 4) and c.catalogue = '2002'
                   or c.catalogue = '2002' and left(p.class_code, 2) = any(string_to_array(c.corresponds, ' '))
                     or c.catalogue = '2017' and left(p.class_code_2002, 4) = any(string_to_array(c.corresponds, ' ')))
               and (position(c.code in l.scope) > 0 or position(c.name in l.scope) > 0)))) as in_scope,
           not exists (select 1 from specification s left
             join registration_certificate r on r.id = s.registration_certificate_id
                        where s.product_id = p.id and s.mapped_to_id is null
                          and (r.id is null or r.valid_to < ${today()})) as certified,
           h.id is not null as authorised, coalesce(k.supplier_id = p.manufacturer_id, false) as from_maker,
           exists (select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
             join specification s on s.id = l.specification_id
                    where d.org_id = ${dealer} and d.kind = 'firstSellProduct' and d.role = 'own'
                      and (d.state = 'reviewed' or d.id = ${approving}) and s.product_id = p.id) as approved,
           h.authorisation_no as number, g.name as giver, h.area, h.valid_from as begins, h.valid_to as ends,
             case when h.id is null then null when h.from_org_id = p.manufacturer_id then 1 else 2 end as level,
           exists (select 1 from org_relation r join organisation o on o.id = r.partner_id
             where r.org_id = ${dealer} and o.system_type = 1 and o.nature = '公立') as public_customers
      from traded k join product p on p.id = k.product_id
      left join lateral (select a.* from authorised_for(${dealer}, p.id) a
        where a.status = 'enabled' and a.valid_from <= ${today()} and (a.valid_to is null or a.valid_to >= ${today()})
                          order by a.valid_to desc limit 1) h on true
      left join organisation g on g.id = h.from_org_id`
  const needsFirst = (await configValue(tx, dealer, 'first_approval')) !== 'off'
  const sample = inexact((await configValue(tx, dealer, 'dealer_check_sample')) as number)
  const sent = rows.map(row => checked(row, needsFirst, sample))
  await tx`
    insert into dealer_check as c (dealer_id, product_id, supplier_id, scope_light, certificate_light, chain_light,
      first_light, authorisation_no, authorised_from, area,
           authorisation_begins, authorisation_ends, chain_level, two_invoices, problem, state, checked_by, checked_at)
    select ${dealer}, r.*
      from jsonb_to_recordset(${tx.json(sent)}::jsonb) r(product_id bigint, supplier_id bigint,
      scope_light text, certificate_light text, chain_light text, first_light text,
           authorisation_no text, authorised_from text, area text, authorisation_begins date, authorisation_ends date,
             chain_level int, two_invoices boolean, problem text, state text, checked_by text, checked_at timestamptz)
    on conflict (dealer_id, product_id) do update set supplier_id = excluded.supplier_id,
      scope_light = excluded.scope_light, certificate_light = excluded.certificate_light,
           chain_light = excluded.chain_light, first_light = excluded.first_light,
             authorisation_no = excluded.authorisation_no, authorised_from = excluded.authorised_from,
             area = excluded.area,
           authorisation_begins = excluded.authorisation_begins, authorisation_ends = excluded.authorisation_ends,
             chain_level = excluded.chain_level, two_invoices = excluded.two_invoices,
           problem = excluded.problem, version = c.version + 1,
           state = case when c.state in ('pending', 'asked') and excluded.state = 'passed' then 'passed'
             when c.state = 'passed' and c.checked_by = '系统' and excluded.problem is not null then 'pending'
             else c.state end,
           checked_by = case when c.state in ('pending', 'asked') and excluded.state = 'passed' then '系统'
             else c.checked_by end,
           checked_at = case when c.state in ('pending', 'asked') and excluded.state = 'passed' then now()
             else c.checked_at end
     where (c.scope_light, c.certificate_light, c.chain_light, c.first_light, c.problem, c.authorisation_no,
       c.authorisation_ends, c.supplier_id)
           is distinct from (excluded.scope_light, excluded.certificate_light, excluded.chain_light,
             excluded.first_light, excluded.problem, excluded.authorisation_no, excluded.authorisation_ends,
             excluded.supplier_id)`
}

const licenceOf = (tx: Tx, dealer: string) => tx`
  l.org_id = ${dealer} and l.holder_id = ${dealer} and l.status = 'enabled' and l.audit_state = 'passed'
    and l.valid_from <= ${today()}
    and (l.long_term or l.valid_to is null or l.valid_to >= ${today()})
  and l.licence_type = case p.device_class when 'III' then ${needed.III!} else ${needed.II!} end`

/** The lights of one row, and its faults in words; if all are green it passes without a person, unless sampled. */
function checked(row: Counted, needsFirst: boolean, sample: number) {
  const doc = needed[row.device_class]
  const scope = doc === undefined ? 'none' : row.licensed && row.in_scope ? 'ok' : 'bad'
  const chain = row.authorised || row.from_maker ? 'ok' : 'bad'
  const first = !needsFirst ? 'none' : row.approved ? 'ok' : 'bad'
  const problems = [
    scope === 'bad' ? (row.licensed ? `超出经营范围：${row.class_name ?? row.name}` : `缺少${doc}`) : null,
    row.certified || row.device_class === 'I' ? null : '注册证缺失或已过期',
    chain === 'bad' ? '授权链不完整：缺少有效的授权书' : null,
    first === 'bad' ? '未通过首营审批' : null,
  ].filter(each => each !== null)
  const picked = parseInteger(row.product_id) % 100 < sample
  const passes = problems.length === 0 && !picked
  return {
    product_id: row.product_id,
    supplier_id: row.supplier_id,
    scope_light: scope,
    certificate_light: row.certified || row.device_class === 'I' ? 'ok' : 'bad',
    chain_light: chain,
    first_light: first,
    authorisation_no: row.number,
    authorised_from: row.giver,
    area: row.area,
    authorisation_begins: row.begins,
    authorisation_ends: row.ends,
    chain_level: row.level ?? (row.from_maker ? 1 : null),
    two_invoices: row.public_customers && (row.level ?? 1) > 1,
    problem: problems.length === 0 ? (picked ? '抽查' : null) : problems.join('；'),
    state: passes ? 'passed' : 'pending',
    checked_by: passes ? '系统' : null,
    checked_at: passes ? new Date().toISOString() : null,
  }
}
