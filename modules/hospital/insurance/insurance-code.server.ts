import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { CallContext, ListActionHandler, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * 自动匹配: matches what is not matched yet, by certificate, model and manufacturer, with the organisation's own
 * specifications.
 */
const match: ListActionHandler = async ({ tx, session }) => {
  const org = session.org.id
  const found = await tx<{ match_state: string }[]>`
    with candidates as (
      select i.id, count(*) as hits, min(s.id) as specification_id
        from insurance_code i
        join registration_certificate c on c.certificate_no = i.certificate_no
        join specification s on s.registration_certificate_id = c.id and i.model in (s.name, s.model)
        join product p on p.id = s.product_id
        join organisation o on o.id = p.manufacturer_id and (i.manufacturer is null or i.manufacturer = o.name)
        join own_specification w on w.org_id = ${org} and w.specification_id = s.id
       where i.org_id = ${org} and i.match_state in ('none', 'many')
         and not exists (select 1 from insurance_code k where k.org_id = i.org_id and k.code = i.code
           and k.specification_id = s.id and k.id <> i.id and k.match_state <> 'past')
       group by i.id)
    update insurance_code i set match_state = case when c.hits = 1 then 'waiting' else 'many' end,
      specification_id = case when c.hits = 1 then c.specification_id end,
           changed_at = now(), version = i.version + 1
      from candidates c where i.org_id = ${org} and i.id = c.id
    returning i.match_state`
  const waiting = found.filter(row => row.match_state === 'waiting').length
  return { said: `找到待确认${waiting}条，多个候选${found.length - waiting}条` }
}

type Chosen = {
  id: string
  code: string
  certificate_no: string | null
  specification_id: string | null
  match_state: string
}

const chosenOf = (tx: CallContext['tx'], org: string, keys: readonly string[]) => tx<Chosen[]>`
  select i.id, i.code, c.certificate_no, i.specification_id, i.match_state
    from insurance_code i left join specification s on s.id = i.specification_id left
      join registration_certificate c on c.id = s.registration_certificate_id
   where i.org_id = ${org} and i.id::text = any(${keys as string[]}) order by i.id for update of i`

/** 确认匹配: from now on it is the specification's code; the previous one keeps its dates. Hospitals charge by it. */
const confirm: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  const rows = await chosenOf(tx, org, ids)
  const open = rows.find(row => row.specification_id === null || row.match_state === 'many')
  if (open) throw new BusinessError('rule', `编码${open.code}还没有对应的规格，请先在编辑中选择规格型号`)
  const old = rows.find(row => ['gone', 'past'].includes(row.match_state))
  if (old) throw new BusinessError('rule', `编码${old.code}已失效，不能匹配`)
  const twice = rows.find((row, at) => rows.findIndex(other => other.specification_id === row.specification_id) !== at)
  if (twice) throw new BusinessError('rule', `编码${twice.code}：同一规格只能有一个有效编码，请只勾选一个`)
  const [other] = await tx<{ code: string; certificate_no: string }[]>`
    select i.code, c.certificate_no from insurance_code i
      join specification s on s.id = i.specification_id
        join registration_certificate c on c.id = s.registration_certificate_id
      join jsonb_to_recordset(${tx.json(rows.map(({ code, certificate_no }) => ({ code, certificate_no })))}) as
        k(code text, certificate_no text) on k.code = i.code
     where i.org_id = ${org} and i.match_state = 'matched' and c.certificate_no is distinct from k.certificate_no
       limit 1`
  if (other)
    throw new BusinessError('rule', `编码${other.code}已用于注册证${other.certificate_no}，不能用于其他注册证的规格`)
  const specifications = rows.map(row => row.specification_id!)
  await tx`
    update insurance_code set match_state = 'past', valid_to = ${today()}, changed_at = now(), version = version + 1
     where org_id = ${org} and match_state = 'matched' and specification_id = any(${specifications}::bigint[])
       and not id::text = any(${ids as string[]})`
  await tx`
    update insurance_code set match_state = 'matched', matched_by = ${session.userName}, matched_at = now(),
      notified_at = ${session.org.type === 'H' ? tx`now()` : null}, valid_from = coalesce(valid_from, ${today()}),
      changed_at = now(), version = version + 1
     where org_id = ${org} and id::text = any(${ids as string[]}) and match_state <> 'matched'`
  await chargeBy(tx, org, specifications)
  return { said: `已确认${rows.length}条匹配` }
}

/** The published data of a code. */
const published = (tx: CallContext['tx']) =>
  tx`code, first_class, second_class, third_class, generic_name, material, feature, certificate_no, manufacturer,
    product_name, model, platform_code, pay_class, is_collective, remark`

/**
 * 解除匹配: the specification has no code until another is confirmed; the previous code keeps its dates and is free
 * again.
 */
const unmatch: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  const rows = (await chosenOf(tx, org, ids)).filter(row => ['matched', 'waiting'].includes(row.match_state))
  if (rows.length === 0) throw new BusinessError('rule', '所选编码没有匹配，不需要解除')
  const [matched, waiting] = [true, false].map(was =>
    rows.filter(row => (row.match_state === 'matched') === was).map(row => row.id),
  )
  await tx`
    update insurance_code set match_state = 'none', specification_id = null, changed_at = now(), version = version + 1
     where org_id = ${org} and id = any(${waiting!}::bigint[])`
  await tx`
    update insurance_code set match_state = 'past', valid_to = ${today()}, changed_at = now(), version = version + 1
     where org_id = ${org} and id = any(${matched!}::bigint[])`
  await tx`
    insert into insurance_code (org_id, ${published(tx)}, batch_at) select org_id, ${published(tx)}, batch_at
      from insurance_code
     where org_id = ${org} and id = any(${matched!}::bigint[]) on conflict do nothing`
  await chargeBy(
    tx,
    org,
    rows.map(row => row.specification_id!),
  )
  return { said: `已解除${rows.length}条匹配` }
}

/** The hospital's own product has the 20 characters of the currently valid code, or none. */
const chargeBy = (tx: CallContext['tx'], org: string, specifications: readonly string[]) => tx`
  update hospital_product h set insurance_code = (
    select left(i.code, 20) from insurance_code i where i.org_id = h.org_id and i.specification_id = h.specification_id
      and i.match_state = 'matched')
   where h.org_id = ${org} and h.specification_id = any(${specifications as string[]}::bigint[])`

/** The organisation's own purchase or sale price for the goods of a code. */
const own = (tx: Tx, session: Session, price: string) =>
  tx`(select ${tx(`c.${price}`)} from ${tx(session.org.type === 'H' ? 'hospital_product' : 'dealer_product')} c
    where c.org_id = ${session.org.id} and c.specification_id = t.specification_id)`

export const insuranceCodeRules: RecordRules = {
  kind: 'insuranceCode',
  columns: (tx, session) => ({
    stock: tx`(select sum(b.quantity) from stock_balance b
      where b.org_id = ${session.org.id} and b.specification_id = t.specification_id)::numeric(18,3)`,
    purchase_price: own(tx, session, 'purchase_price'),
    charge_price: session.org.type === 'H' ? own(tx, session, 'charge_price') : tx`null::numeric(18,4)`,
    sale_price: session.org.type === 'H' ? tx`null::numeric(18,4)` : own(tx, session, 'sale_price'),
    his_code: tx`(select h.his_code from hospital_product h
      where h.org_id = ${session.org.id} and h.specification_id = t.specification_id)`,
  }),
  calls: { match, confirm, unmatch },
  async check(_tx, _session, { before, sent }) {
    if (before?.match_state !== 'matched' && before?.match_state !== 'past') return []
    const changed = ['code', 'specification_sn'].find(
      name => sent[name] !== undefined && String(sent[name] ?? '') !== String(before[name] ?? ''),
    )
    const why = before.match_state === 'past' ? '以前的编码留作历史，不能修改' : '已匹配的编码不能修改，请先解除匹配'
    return changed ? [{ field: changed, msg: why }] : []
  },
  // Naming a specification is a proposal; a user confirms it.
  alsoWrites: async (_tx, _session, { before, after }) => {
    const open = ['none', 'many', 'waiting'].includes(String(before?.match_state ?? 'none'))
    const state = after.specification_sn ? 'waiting' : 'none'
    return {
      ...(open ? { match_state: before?.match_state === 'many' && state === 'none' ? 'many' : state } : {}),
      changed_at: new Date().toISOString(),
    }
  },
  async mayLeave(_tx, _session, _action, row) {
    if (row.match_state === 'matched') throw new BusinessError('blocked', '已匹配的编码不能删除，请先解除匹配')
    if (row.match_state === 'past') throw new BusinessError('blocked', '以前的编码留作历史，不能删除')
  },
  /**
   * A sheet is a batch: codes of an earlier one that this one omits are no longer valid, and become valid again with a
   * later one.
   */
  async imported(tx, session, codes) {
    const org = session.org.id
    await tx`
      update insurance_code set batch_at = now(), match_state = case match_state when 'gone' then case
        when specification_id is null then 'none' else 'waiting' end else match_state end
       where org_id = ${org} and code = any(${codes as string[]})`
    const gone = await tx<{ specification_id: string | null }[]>`
      update insurance_code set match_state = 'gone', valid_to = coalesce(valid_to, ${today()}), changed_at = now(),
        version = version + 1
       where org_id = ${org} and batch_at < now() and match_state not in ('gone', 'past')
      returning specification_id`
    await chargeBy(
      tx,
      org,
      gone.flatMap(row => row.specification_id ?? []),
    )
  },
}
