import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { configValue } from '#server/public/settings.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordRules } from '#server/public/records.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

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
 * Computes the four lights of what a dealer trades, in the dealer's own transaction, and sends them: the platform
 * sees the result and reads none of the dealer's licences. A scope that names a class of one list covers its mapped
 * classes in the other.
 */
export async function countLights(tx: Tx, dealer: string, products: readonly string[] | null): Promise<void> {
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
                      and d.state = 'reviewed' and s.product_id = p.id) as approved,
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
      from jsonb_to_recordset(${tx.json(sent as never)}::jsonb) r(product_id bigint, supplier_id bigint,
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
  l.org_id = ${dealer} and l.holder_id = ${dealer} and l.status = 'enabled' and l.valid_from <= ${today()}
    and (l.long_term or l.valid_to is null or l.valid_to >= ${today()})
  and l.licence_type = case p.device_class when 'III' then ${needed.III!} else ${needed.II!} end`

/** The lights of one row, and in words what is wrong; if all are green it passes without a person, unless sampled. */
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

/**
 * Every hour: lights are computed again, and dealers who did not supply the missing licence by the due date are
 * refused.
 */
export async function recheckDealers(owner: Sql): Promise<void> {
  const dealers = await owner<
    { id: string }[]
  >`select id from organisation where system_type = 2 and status = 'enabled' and kept_by_id is null order by id`
  for (const { id } of dealers) await inOrganisation(owner, id, '0', tx => countLights(tx, id, null))
  const late = await owner<{ dealer_id: string; name: string; licence: string }[]>`
    update dealer_check c set state = 'refused', opinion = '逾期未补证', checked_by = '系统', checked_at = now(),
      version = c.version + 1
      from product p where p.id = c.product_id and c.state = 'asked' and c.due_on < ${today()} returning c.dealer_id,
        p.name, coalesce(c.asked_licence, '') as licence`
  for (const one of late)
    await notify(owner, one.dealer_id, '产品核对未通过', `【${one.name}】逾期未补${one.licence}，已停止新的销售`)
}

const notify = (sql: Sql, dealer: string, title: string, body: string, id = '') =>
  inOrganisation(sql, dealer, '0', tx =>
    sendMessage(tx, dealer, {
      title,
      body,
      uri: '/ptm/businessProduct',
      objectId: id,
      kind: 'dealerProduct',
      type: 'audit',
    }),
  )

export const dealerProductCheckRules: RecordRules = {
  kind: 'dealerProductCheck',
  visible: (tx, session) =>
    session.org.type === 'P'
      ? tx`true`
      : tx`exists (select 1 from product p where p.id = t.product_id and p.manufacturer_id = ${session.org.id})`,
  columns: tx => ({
    specification_names: tx`(select left(string_agg(s.name, '、' order by s.code), 200) from specification s
      where s.product_id = t.product_id and s.mapped_to_id is null)`,
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = t.product_id)`,
    registration_no: tx`(select min(c.certificate_no) from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.product_id)`,
    registration_expiry: tx`(select min(c.valid_to) from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.product_id)`,
  }),
  mayWrite(session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('forbidden', '核对记录由系统生成')
    if (session.org.type !== 'P') throw new BusinessError('forbidden')
    if (action === 'review' && row?.state === 'passed') throw new BusinessError('wrongState', '该产品已核对通过')
    if (action === 'reject' && row?.state === 'refused') throw new BusinessError('wrongState', '该产品已驳回')
  },
  actions: {
    review: async (_tx, session, _row, _reason, answers) => ({
      state: 'passed',
      opinion: answers.review_opinion ?? null,
      checked_by: session.userName,
      checked_at: new Date().toISOString(),
    }),
    reject: async (_tx, session, _row, reason) => ({
      state: 'refused',
      opinion: reason,
      checked_by: session.userName,
      checked_at: new Date().toISOString(),
    }),
    async notify(_tx, session, _row, _reason, answers) {
      if (String(answers.until) < today())
        throw new BusinessError('invalid', '补证期限不能早于今天', [{ field: 'until', msg: '补证期限不能早于今天' }])
      return {
        state: 'asked',
        asked_licence: answers.licence,
        due_on: answers.until,
        checked_by: session.userName,
        checked_at: new Date().toISOString(),
      }
    },
  },
  async afterwards(sql, _session, action, row) {
    const name = `【${String(row.product_name)}】`
    const said: Readonly<Record<string, readonly [string, string]>> = {
      review: ['产品核对通过', `${name}核对通过`],
      reject: ['产品核对未通过', `${name}被驳回：${String(row.opinion ?? '')}；不能新的销售，库存只能退回供应商`],
      notify: ['请补证照', `${name}缺少${String(row.asked_licence)}，请于${String(row.due_on)}前补齐`],
    }
    const say = said[action]
    if (say) await notify(sql, String(row.dealer_sn), say[0], say[1], String(row.dealer_check_sn))
  },
}
