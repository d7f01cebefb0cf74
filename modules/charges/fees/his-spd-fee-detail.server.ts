import { addDays, today, type Day } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { compare, type Decimal, isPositive, subtract, sum } from '#kernel/values/decimal.ts'
import { askCharges } from '#modules/charges/checking/charge-requests.server.ts'
import { scopeOfChecks } from '#modules/charges/checking/check-scope.server.ts'
import { dueSql } from '#modules/charges/checking/checks.server.ts'
import { settleChecks, writeLinks } from '#modules/charges/checking/match-charges.server.ts'
import { connectedHis } from '#server/public/outbound.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Days that are shown where nobody chose any. */
const DAYS_SHOWN = 30

type Line = {
  readonly id: string
  readonly number: string
  readonly left: Decimal
  readonly patient_no: string | null
  readonly visit_no: string | null
}

const noteOf = (value: unknown) => (value ?? null) as string | null

/** The uses among the ticked rows that the caller sees, locked. */
const usesAmong = (tx: Tx, session: Session, keys: readonly string[]) => tx<Line[]>`
  select c.id, d.sn as number, ${dueSql(tx)} - c.charged_quantity as left,
         nullif(d.fields->>'patient_no', '') as patient_no, nullif(d.fields->>'admission_no', '') as visit_no
    from use_check c join document d on d.org_id = c.org_id and d.id = c.use_document_id
   where c.org_id = ${session.org.id} and c.id::text = any(${keys as string[]}) and ${scopeOfChecks(tx, session)}
   order by c.used_at, c.id for update of c`

/** The charges among them. */
async function chargesAmong(tx: Tx, session: Session, keys: readonly string[]): Promise<readonly Line[]> {
  await tx`select 1 from his_charge c where c.org_id = ${session.org.id} and c.id::text = any(${keys as string[]})
    order by c.id for update`
  return tx<Line[]>`
    select h.id, h.charge_no as number, h.net_quantity - h.linked_quantity as left, h.patient_no, h.visit_no
      from his_charge_left h where h.org_id = ${session.org.id} and h.id::text = any(${keys as string[]})
       and ${scopeSql(tx, session, { stores: [], department: tx`h.department_id`, people: [] })}
     order by h.charged_at, h.id`
}

async function ticked(tx: Tx, session: Session, keys: readonly string[]) {
  const uses = await usesAmong(tx, session, keys)
  const charges = await chargesAmong(tx, session, keys)
  if (uses.length + charges.length < keys.length)
    throw new BusinessError('notFound', '有的记录不存在或不可见，请刷新后重新勾选')
  return { uses, charges }
}

const idsOf = (lines: readonly Line[]) => lines.map(line => line.id)

async function note(tx: Tx, session: Session, lines: { uses: readonly Line[]; charges: readonly Line[] }, as: object) {
  const { state, cause, cause_note: words } = as as { state: string; cause: string | null; cause_note: string | null }
  for (const [table, of] of [
    ['use_check', lines.uses],
    ['his_charge', lines.charges],
  ] as const)
    await tx`
      update ${tx(table)} set difference_state = ${state}, cause = coalesce(${cause}, cause), cause_note = ${words},
        difference_by = ${session.userName}, difference_at = now(), version = version + 1
       where org_id = ${session.org.id} and id = any(${idsOf(of)}::bigint[])`
}

/** 登记处理: why both sides differ. */
const handle: ListActionHandler = async (tx, session, { cause, cause_note: words }, keys) => {
  if (cause === 'other' && !words)
    throw new BusinessError('invalid', '原因为其他时请填写说明', [
      { field: 'cause_note', msg: '原因为其他时请填写说明' },
    ])
  await note(tx, session, await ticked(tx, session, keys), {
    state: 'handled',
    cause: String(cause),
    cause_note: noteOf(words),
  })
  return { said: `已登记${keys.length}条差异的处理` }
}

/** 忽略: leaves the tabs, and keeps its reason. */
const ignore: ListActionHandler = async (tx, session, { cause_note: words }, keys) => {
  await note(tx, session, await ticked(tx, session, keys), {
    state: 'ignored',
    cause: null,
    cause_note: noteOf(words),
  })
  return { said: `已忽略${keys.length}条差异，可在已忽略中查看` }
}

const numbersIn = (text: unknown): string[] => [
  ...new Set(
    String(text)
      .split(/[,，、;；\s]+/)
      .filter(Boolean),
  ),
]

/** What people wrote beside the ticked rows: the lines of the other side. */
async function otherSide(tx: Tx, session: Session, numbers: readonly string[], isUse: boolean) {
  const org = session.org.id
  const keys = isUse
    ? await tx<{ id: string; number: string }[]>`
        select c.id, d.sn as number from use_check c join document d on d.org_id = c.org_id
          and d.id = c.use_document_id
         where c.org_id = ${org} and d.sn = any(${numbers as string[]}) and ${dueSql(tx)} > c.charged_quantity`
    : await tx<{ id: string; number: string }[]>`
        select id, charge_no as number from his_charge where org_id = ${org} and charge_kind = 'charge'
          and charge_no = any(${numbers as string[]})`
  const missing = numbers.find(number => !keys.some(row => row.number === number))
  if (missing !== undefined)
    throw new BusinessError('notFound', isUse ? `没有待匹配的使用单${missing}` : `没有HIS计费流水号${missing}`)
  return keys.map(row => row.id)
}

const isOfPatient = (use: Line, charge: Line): boolean =>
  (use.visit_no !== null && use.visit_no === charge.visit_no) ||
  (use.patient_no !== null && use.patient_no === charge.patient_no)

/** Both sides from the first line on, no more of either than there is. */
function paired(uses: readonly Line[], charges: readonly Line[]) {
  const wants = uses.map(line => ({ ...line }))
  return charges.flatMap(charge => {
    let free = charge.left
    return wants.flatMap(want => {
      if (!isPositive(free) || !isPositive(want.left)) return []
      const quantity = compare(free, want.left) < 0 ? free : want.left
      free = subtract(free, quantity, 4)
      ;(want as { left: Decimal }).left = subtract(want.left, quantity, 4)
      return [{ check: want.id, charge: charge.id, quantity }]
    })
  })
}

/** 手工匹配: uses and charges of one patient whose quantities agree after 换算系数. */
const link: ListActionHandler = async (tx, session, { numbers }, keys) => {
  const org = session.org.id
  await tx`select pg_advisory_xact_lock(hashtextextended('match_charges', ${org}::bigint))`
  const first = await ticked(tx, session, keys)
  if (first.uses.length > 0 && first.charges.length > 0)
    throw new BusinessError('rule', '请只勾选使用行或只勾选HIS计费行，另一方填写单号')
  const others = await otherSide(tx, session, numbersIn(numbers), first.uses.length === 0)
  const second = await ticked(tx, session, others)
  const [uses, charges] = [
    [...first.uses, ...second.uses],
    [...first.charges, ...second.charges],
  ]
  if (uses.some(use => charges.some(charge => !isOfPatient(use, charge))))
    throw new BusinessError('rule', '手工匹配须为同一患者的使用和计费')
  const [used, charged] = [uses, charges].map(lines =>
    sum(
      lines.map(line => line.left),
      4,
    ),
  )
  if (!isPositive(used!) || compare(used!, charged!) !== 0) throw new BusinessError('rule', '匹配数量不一致')
  await writeLinks(tx, org, paired(uses, charges), 'hand', session.userName)
  await tx`update use_check set by_hand = true where org_id = ${org} and id = any(${idsOf(uses)}::bigint[])`
  await settleChecks(tx, org, idsOf(uses))
  return { said: `已匹配${uses.length}条使用和${charges.length}条HIS计费` }
}

/** 取消匹配: both sides stand alone again, and are matched by people alone. */
const unlink: ListActionHandler = async (tx, session, _asked, keys) => {
  const org = session.org.id
  const { uses } = await ticked(tx, session, keys)
  const freed = await tx`
    delete from charge_link where org_id = ${org} and use_check_id = any(${idsOf(uses)}::bigint[]) returning 1`
  if (freed.length === 0) throw new BusinessError('rule', '所选记录没有匹配，不需要取消')
  await tx`update use_check set by_hand = true where org_id = ${org} and id = any(${idsOf(uses)}::bigint[])`
  await settleChecks(tx, org, idsOf(uses))
  return { said: `已取消${uses.length}条使用的匹配` }
}

/** 补推计费 of what the HIS has nothing of, while the account of the patient is open. */
const pushCharge: ListActionHandler = async (tx, session, _asked, keys) => {
  const org = session.org.id
  const his = await connectedHis(tx, org)
  if (his === null) throw new BusinessError('rule', '本机构未接通HIS接口，不能补推计费')
  const { uses, charges } = await ticked(tx, session, keys)
  const [other] = await tx`
    select 1 from use_check where org_id = ${org} and id = any(${idsOf(uses)}::bigint[])
      and (charged_quantity > 0 or item_code is null or state not in ('waiting', 'missed', 'refunded')) limit 1`
  if (charges.length > 0 || other) throw new BusinessError('rule', '只有SPD有HIS无的使用可以补推计费')
  for (const visit of new Set(uses.flatMap(use => use.visit_no ?? [])))
    if ((await his.visit(visit))?.is_account_open === false) throw new BusinessError('rule', '患者已结账，不能补计费')
  const asked = await askCharges(tx, org, idsOf(uses), { name: session.userName, reason: '补推计费' })
  if (asked === 0) throw new BusinessError('rule', '所选使用没有患者编号和住院号，或已在推送中')
  return { said: `已推送${asked}条补计费，HIS答复后自动匹配` }
}

export const hisSpdFeeDetailRules: RecordRules = {
  kind: 'hisSpdFeeDetail',
  readFlag: 'page:/hospital/hisSpdFeePageTab',
  source(tx, session, { begin_day, end_day, one }) {
    const end = one ? null : String(end_day ?? today())
    const begin = one ? null : String(begin_day ?? addDays(end as Day, -DAYS_SHOWN))
    return tx`(
      select x.org_id, x.id, x.source, x.side, x.department_id, x.warehouse_id, x.patient_no, x.patient_name,
             x.admission_no, s.product_id, x.specification_id, x.unit_code, x.use_no, x.item_code, i.item_name,
             x.used_quantity, x.converted_quantity, x.used_at, x.charge_nos, x.net_quantity, x.charged_at,
             x.converted_quantity - x.net_quantity as difference, x.used_amount - x.charged_amount as amount_difference,
             coalesce(x.used_at, x.charged_at) as day, x.cause, x.cause_note, x.difference_state, x.difference_by,
             x.difference_at
        from charge_comparison(${session.org.id}, ${begin}::date, ${end}::date) x
        left join specification s on s.id = x.specification_id
        left join his_item i on i.org_id = x.org_id and i.item_code = x.item_code)`
  },
  calls: { handle, link, unlink, pushCharge, ignore },
}
