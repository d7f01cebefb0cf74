import { kindsOf } from '#kernel/measure/feeding.ts'
import { addDays, today, type Day } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { compare, type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import { askCharges } from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { scopeOfChecks } from '#modules/hospital/charges/checking/check-scope.server.ts'
import { dueSql } from '#modules/hospital/charges/checking/checks.server.ts'
import {
  lockMatching,
  pair,
  settleChecks,
  writeLinks,
} from '#modules/hospital/charges/checking/match-charges.server.ts'
import { connectedHis } from '#server/public/outbound.ts'
import { type ListActionHandler, type RecordRules, remoteAction } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The days that are shown if nobody chose any. */
const DAYS_SHOWN = 30

type Line = {
  readonly id: string
  readonly number: string
  left: Decimal
  readonly patient_no: string | null
  readonly visit_no: string | null
}

/** The uses among the ticked rows that the caller sees. */
const usesAmong = (tx: Tx, session: Session, keys: readonly string[]) => tx<Line[]>`
  select c.id, d.sn as number, ${dueSql(tx)} - c.charged_quantity as left,
         nullif(d.fields->>'patient_no', '') as patient_no, nullif(d.fields->>'admission_no', '') as visit_no
    from use_check c join document d on d.org_id = c.org_id and d.id = c.use_document_id
   where c.org_id = ${session.org.id} and c.id = any(${keys as string[]}::bigint[]) and not c.in_advance
     and ${scopeOfChecks(tx, session)}
   order by c.used_at, c.id`

/** The charges among them. */
const chargesAmong = (tx: Tx, session: Session, keys: readonly string[]) => tx<Line[]>`
  select h.id, h.charge_no as number, h.net_quantity - h.linked_quantity as left, h.patient_no, h.visit_no
    from his_charge_left h where h.org_id = ${session.org.id} and h.id = any(${keys as string[]}::bigint[])
     and ${scopeSql(tx, session, { stores: [], department: tx`h.department_id`, people: [] })}
   order by h.charged_at, h.id`

/** Both sides of the ticked rows, in their state after the lock. */
async function ticked(tx: Tx, session: Session, keys: readonly string[]) {
  for (const table of ['use_check', 'his_charge'])
    await tx`select 1 from ${tx(table)} where org_id = ${session.org.id} and id = any(${keys as string[]}::bigint[])
      order by id for update`
  return seen(tx, session, keys)
}

/** Both sides of the ticked rows; those that the caller does not see are refused. */
async function seen(tx: Tx, session: Session, keys: readonly string[]) {
  const uses = await usesAmong(tx, session, keys)
  const charges = await chargesAmong(tx, session, keys)
  if (uses.length + charges.length < keys.length)
    throw new BusinessError('notFound', '有的记录不存在或不可见，请刷新后重新勾选')
  return { uses, charges }
}

const idsOf = (lines: readonly Line[]) => lines.map(line => line.id)

type Note = { readonly state: 'handled' | 'ignored'; readonly cause: unknown; readonly cause_note: unknown }

/** Stores people's explanation of the differences of the ticked rows; without a cause an earlier one stays. */
async function note(tx: Tx, session: Session, keys: readonly string[], { state, cause, cause_note: words }: Note) {
  const lines = await ticked(tx, session, keys)
  for (const [table, of] of [
    ['use_check', lines.uses],
    ['his_charge', lines.charges],
  ] as const)
    await tx`
      update ${tx(table)} set difference_state = ${state}, cause = coalesce(${(cause ?? null) as string | null}, cause),
        cause_note = ${(words ?? null) as string | null},
        difference_by = ${session.userName}, difference_at = now(), version = version + 1
       where org_id = ${session.org.id} and id = any(${idsOf(of)}::bigint[])`
}

/** 登记处理: the reason why both sides differ. */
const handle: ListActionHandler = async ({ tx, session, asked: { cause, cause_note: words }, ids }) => {
  if (cause === 'other' && !words)
    throw new BusinessError('invalid', '原因为其他时请填写说明', [
      { field: 'cause_note', msg: '原因为其他时请填写说明' },
    ])
  await note(tx, session, ids, { state: 'handled', cause, cause_note: words })
  return { said: `已登记${ids.length}条差异的处理` }
}

/** 忽略: removes rows from the tabs, and keeps their reason. */
const ignore: ListActionHandler = async ({ tx, session, asked: { cause_note: words }, ids }) => {
  await note(tx, session, ids, { state: 'ignored', cause: null, cause_note: words })
  return { said: `已忽略${ids.length}条差异，可按处理状态筛选查看` }
}

const isOfPatient = (use: Line, charge: Line): boolean =>
  (use.visit_no !== null && use.visit_no === charge.visit_no) ||
  (use.patient_no !== null && use.patient_no === charge.patient_no)

/** Keys that the page sends as a text. */
const keysIn = (text: unknown): string[] => [
  ...new Set(
    String(text)
      .split(',')
      .map(key => key.trim())
      .filter(key => /^\d{1,18}$/.test(key)),
  ),
]

/** Refuses ticked rows of both sides: the other side is chosen beside them. */
async function oneSide(tx: Tx, session: Session, keys: readonly string[], look: typeof seen) {
  const found = await look(tx, session, keys)
  if (found.uses.length > 0 && found.charges.length > 0)
    throw new BusinessError('rule', '请只勾选使用行或只勾选HIS计费行，再选择另一方')
  return found
}

const leftOf = (lines: readonly Line[]): Decimal =>
  sum(
    lines.map(line => line.left),
    4,
  )

type Counterpart = {
  readonly sn: string
  readonly number: string
  readonly item_code: string | null
  readonly item_name: string | null
  readonly goods: string | null
  readonly unit_code: string | null
  readonly quantity: Decimal
  readonly at: Date
}
const MOST_OFFERED = 200

/** Charges of the patient of these uses that are linked to no use yet: those next to their use first. */
const chargesFor = (tx: Tx, session: Session, uses: readonly string[]) => tx<Counterpart[]>`
  select h.id as sn, h.charge_no as number, h.item_code, coalesce(h.item_name, i.item_name) as item_name,
         null as goods, h.unit_code, h.net_quantity - h.linked_quantity as quantity, h.charged_at as at
    from (select array_agg(d.fields->>'admission_no') as visits, array_agg(d.fields->>'patient_no') as patients,
                 min(c.used_at) as at
            from use_check c join document d on d.org_id = c.org_id and d.id = c.use_document_id
           where c.org_id = ${session.org.id} and c.id = any(${uses as string[]}::bigint[])) k
    join his_charge_left h on h.org_id = ${session.org.id} and h.charge_kind = 'charge'
      and (h.visit_no = any(k.visits) or h.patient_no = any(k.patients))
    left join his_item i on i.org_id = h.org_id and i.item_code = h.item_code
   where h.net_quantity > h.linked_quantity
     and ${scopeSql(tx, session, { stores: [], department: tx`h.department_id`, people: [] })}
   order by abs(extract(epoch from h.charged_at - k.at)), h.id limit ${MOST_OFFERED}`

/** Uses that are not wholly charged, of the patient of these charges. */
const usesFor = (tx: Tx, session: Session, charges: readonly string[]) => tx<Counterpart[]>`
  select c.id as sn, d.sn as number, c.item_code, i.item_name, p.name || ' ' || s.name as goods, c.unit_code,
         ${dueSql(tx)} - c.charged_quantity as quantity, c.used_at as at
    from (select array_agg(h.visit_no) as visits, array_agg(h.patient_no) as patients, min(h.charged_at) as at
            from his_charge h
           where h.org_id = ${session.org.id} and h.id = any(${charges as string[]}::bigint[])) k
    join document d on d.org_id = ${session.org.id} and d.kind = any(${kindsOf('used')})
      and (d.fields->>'admission_no' = any(k.visits) or d.fields->>'patient_no' = any(k.patients))
    join use_check c on c.org_id = d.org_id and c.use_document_id = d.id and not c.in_advance
    join specification s on s.id = c.specification_id join product p on p.id = s.product_id
    left join his_item i on i.org_id = c.org_id and i.item_code = c.item_code
   where ${dueSql(tx)} > c.charged_quantity and ${scopeOfChecks(tx, session)}
   order by abs(extract(epoch from c.used_at - k.at)), c.id limit ${MOST_OFFERED}`

/**
 * The rows of the other side with which the ticked rows may be matched: those of the same patient, and how much of them
 * is needed. The answer does not contain the patient's name.
 */
export async function counterparts(tx: Tx, session: Session, keys: readonly string[]) {
  const { uses, charges } = await oneSide(tx, session, keys, seen)
  const [side, rows] =
    uses.length > 0
      ? (['charge', await chargesFor(tx, session, idsOf(uses))] as const)
      : (['use', await usesFor(tx, session, idsOf(charges))] as const)
  return { side, wanted: leftOf([...uses, ...charges]), rows }
}

/** 手工匹配: uses and charges of one patient whose quantities agree after 换算系数. */
const link: ListActionHandler = async ({ tx, session, asked: { counterparts: chosen }, ids }) => {
  const org = session.org.id
  await lockMatching(tx, org)
  const first = await oneSide(tx, session, ids, ticked)
  const second = await oneSide(tx, session, keysIn(chosen), ticked)
  const [uses, charges] = [
    [...first.uses, ...second.uses],
    [...first.charges, ...second.charges],
  ]
  if (uses.length === 0 || charges.length === 0)
    throw new BusinessError('rule', '请从列表中选择另一方的记录', [
      { field: 'counterparts', msg: '请从列表中选择另一方的记录' },
    ])
  if (uses.some(use => charges.some(charge => !isOfPatient(use, charge))))
    throw new BusinessError('rule', '手工匹配须为同一患者的使用和计费')
  const [used, charged] = [leftOf(uses), leftOf(charges)]
  if (!isPositive(used) || compare(used, charged) !== 0) throw new BusinessError('rule', '匹配数量不一致')
  await writeLinks(tx, org, pair(uses, charges), 'hand', session.userName)
  await tx`update use_check set by_hand = true where org_id = ${org} and id = any(${idsOf(uses)}::bigint[])`
  await settleChecks(tx, org, idsOf(uses))
  return { said: `已匹配${uses.length}条使用和${charges.length}条HIS计费` }
}

/** 取消匹配: both sides are unmatched again, and only people may match them. */
const unlink: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  const { uses } = await ticked(tx, session, ids)
  const freed = await tx`
    delete from charge_link where org_id = ${org} and use_check_id = any(${idsOf(uses)}::bigint[]) returning 1`
  if (freed.length === 0) throw new BusinessError('rule', '所选记录没有匹配，不需要取消')
  await tx`update use_check set by_hand = true where org_id = ${org} and id = any(${idsOf(uses)}::bigint[])`
  await settleChecks(tx, org, idsOf(uses))
  return { said: `已取消${uses.length}条使用的匹配` }
}

/** The ticked uses for which the HIS has no charge. */
async function uncharged(tx: Tx, session: Session, keys: readonly string[]): Promise<readonly Line[]> {
  const { uses, charges } = await seen(tx, session, keys)
  const [other] = await tx`
    select 1 from use_check where org_id = ${session.org.id} and id = any(${idsOf(uses)}::bigint[])
      and (charged_quantity > 0 or item_code is null or state not in ('waiting', 'missed', 'refunded')) limit 1`
  if (charges.length > 0 || other) throw new BusinessError('rule', '只有SPD有HIS无的使用可以补推计费')
  return uses
}

/**
 * 补推计费: sends charges that the HIS does not have, while the account of the patient is open. The checks to be charged
 * are locked, and no more is requested than is due then.
 */
const pushCharge = remoteAction<{ readonly isClosed: boolean }>({
  async asks({ tx, session, ids: keys }) {
    const his = await connectedHis(tx, session.org.id)
    if (his === null) throw new BusinessError('rule', '本机构未接通HIS接口，不能补推计费')
    const visits = new Set((await uncharged(tx, session, keys)).flatMap(use => use.visit_no ?? []))
    return async () => {
      for (const visit of visits) if ((await his.visit(visit))?.is_account_open === false) return { isClosed: true }
      return { isClosed: false }
    }
  },
  async writes({ isClosed }, { tx, session, ids: keys }) {
    if (isClosed) throw new BusinessError('rule', '患者已结账，不能补计费')
    const uses = await uncharged(tx, session, keys)
    const asker = { name: session.userName, reason: '补推计费' }
    const asked = await askCharges(tx, session.org.id, idsOf(uses), asker)
    if (asked === 0) throw new BusinessError('rule', '所选使用没有患者编号和住院号，或已在推送中')
    return { said: `已推送${asked}条补计费，HIS答复后自动匹配` }
  },
})

export const hisSpdFeeDetailRules: RecordRules = {
  kind: 'hisSpdFeeDetail',
  readFlag: 'page:/hospital/hisSpdFeePageTab',
  // Ignored rows appear only under a filter of 处理状态; an export has them beside the others.
  async prepare(_tx, _session, { parameters, conditions }) {
    return { has_ignored: parameters.exported === true || conditions.some(({ name }) => name === 'difference_state') }
  },
  source(tx, session, { begin_day, end_day, one, has_ignored }) {
    const end = one ? null : String(end_day ?? today())
    const begin = one ? null : String(begin_day ?? addDays(end as Day, -DAYS_SHOWN))
    return tx`(
      select x.*, s.product_id, i.item_name, x.converted_quantity - x.net_quantity as difference,
             x.used_amount - x.charged_amount as amount_difference, coalesce(x.used_at, x.charged_at) as day
        from charge_comparison(${session.org.id}, ${begin}::date, ${end}::date) x
        left join specification s on s.id = x.specification_id
        left join his_item i on i.org_id = x.org_id and i.item_code = x.item_code
       where ${one || has_ignored ? tx`true` : tx`x.difference_state <> 'ignored'`})`
  },
  remoteCalls: { pushCharge },
  calls: { handle, link, unlink, ignore },
}
