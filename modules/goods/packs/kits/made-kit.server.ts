import { unpack } from '#modules/goods/packs/unpack.doc.ts'
import { ofKind } from '#server/public/documents.ts'
import { instant, today } from '#kernel/values/date.ts'
import { add, compare, type Decimal, isPositive, subtract, timesIn } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isPartCode, packOf } from '#kernel/codes/pack-code.ts'
import { createAndReview } from '#server/public/actions.ts'
import type { Tx } from '#server/public/database.ts'
import { createDraft, definitionOf } from '#server/public/drafts.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'
import type {
  Change,
  Fragment,
  ListActionHandler,
  RecordAction,
  RecordRow,
  RecordRules,
} from '#server/public/records.ts'
import { scopeSql, type Session, systemSession } from '#server/public/session.ts'

/** Creates the kits of a reviewed packing document, with their contents. */
export async function keepKits(tx: Tx, session: Session, document: string): Promise<void> {
  await tx`
    insert into made_kit (org_id, unit_id, lot_id, code, operation_kit_id, document_id)
    select org_id, id, lot_id, code, operation_kit_id, document_id from made_pack
     where org_id = ${session.org.id} and document_id = ${document}`
  await tx`
    insert into made_kit_line (org_id, made_kit_id, part_code, lot_id, specification_id, quantity)
    select k.org_id, m.id, k.code, k.lot_id, u.specification_id, k.size
      from pack k join made_kit m on m.org_id = k.org_id and m.code = k.pack_code
      join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
     where k.org_id = ${session.org.id} and k.document_id = ${document}
     order by m.id, length(k.code), k.code`
}

export const forgetKits = (tx: Tx, session: Session, document: string) =>
  tx`delete from made_kit where org_id = ${session.org.id} and document_id = ${document}`

/** True if a kit of coded pieces was opened: its pieces move separately, in stock or not. */
export const isOpened = (tx: Tx, session: Session, code: Fragment) => tx`exists (
  select 1 from pack k where k.org_id = ${session.org.id} and k.pack_code = ${code} and k.opened_at is not null)`

type Kit = {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly surgery_name: string
  readonly settled_at: string | null
  readonly status: string
  readonly warehouse_id: string | null
  readonly department_id: string | null
  readonly model: string | null
}

const kitsOf = (tx: Tx, session: Session, ids: readonly string[]) => tx<Kit[]>`
  select m.id, m.code, t.name, t.surgery_name, m.settled_at,
         case when ${isOpened(tx, session, tx`m.code`)} then 'opened' else u.status end as status,
         u.warehouse_id, w.department_id, w.model
    from made_kit m
    join operation_kit t on t.org_id = m.org_id and t.id = m.operation_kit_id
    join unit u on u.lot_id = m.lot_id and u.id = m.unit_id
    left join warehouse w on w.org_id = m.org_id and w.id = u.warehouse_id
   where m.org_id = ${session.org.id} and m.id = any(${ids as string[]}::bigint[]) order by m.id for update of m`

/** A kit with an expired part cannot be issued. */
async function refuseExpired(tx: Tx, session: Session, kits: readonly Kit[]): Promise<void> {
  const [expired] = await tx<{ name: string }[]>`
    select p.name from made_kit_line x
      join stock_lot d on d.org_id = x.org_id and d.lot_id = x.lot_id
      join specification s on s.id = x.specification_id join product p on p.id = s.product_id
     where x.org_id = ${session.org.id} and x.made_kit_id = any(${kits.map(kit => kit.id)}::bigint[])
       and d.expiry_date < ${today()}::date
     order by d.expiry_date, x.id limit 1`
  if (expired) throw new BusinessError('rule', `套包内【${expired.name}】已过期`)
}

/** 发放手术室: one grant of the ticked kits, out of the store where they all are. */
const issue: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const kits = await kitsOf(
    tx,
    session,
    ids.filter(key => /^\d{1,18}$/.test(key)),
  )
  if (kits.length < ids.length) throw new BusinessError('notFound', '套包实例不存在或已变化，请刷新后重新勾选')
  const away = kits.find(kit => kit.status !== 'in_stock' || kit.model === 'ward' || kit.settled_at !== null)
  if (away) throw new BusinessError('wrongState', `套包${away.code}不在库，不能发放`)
  if (new Set(kits.map(kit => kit.warehouse_id)).size > 1)
    throw new BusinessError('rule', '所选套包不在同一仓库，请分别发放')
  await refuseExpired(tx, session, kits)
  const made = await createDraft(tx, session, definitionOf('grantOdo'), {
    warehouse_model_inner_sn: kits[0]!.warehouse_id,
    to_warehouse_model_inner_sn: String(asked.to_warehouse_model_inner_sn),
    department_inner_sn: String(asked.department_inner_sn),
    remark: `手术套包发放：${kits.map(kit => kit.code).join('、')}`.slice(0, 500),
    lines: kits.map(kit => ({ unit_codes: [kit.code] })),
  })
  await tx`
    update made_kit set issue_sn = ${made.sn}, version = version + 1
     where org_id = ${session.org.id} and id = any(${kits.map(kit => kit.id)}::bigint[])`
  return { said: `已生成发放单${made.sn}，审核后手术室收货` }
}

type Line = {
  readonly part_code: string
  readonly piece_code: string | null
  readonly specification_id: string
  readonly lot_id: string
  readonly lot_no: string
  readonly owner_id: string | null
  readonly place: string | null
  readonly quantity: Decimal
  readonly used_quantity: Decimal | null
  readonly returned_quantity: Decimal | null
}

const linesOf = (tx: Tx, session: Session, kit: string) => tx<Line[]>`
  select x.part_code, k.piece_code,
         x.specification_id, x.lot_id, l.lot_no, u.owner_id, u.place, x.quantity, x.used_quantity,
         x.returned_quantity
    from made_kit_line x join lot l on l.id = x.lot_id
    join pack k on k.org_id = x.org_id and k.code = x.part_code
    join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
   where x.org_id = ${session.org.id} and x.made_kit_id = ${kit} order by x.id`

/** 标准数量 = 使用 + 退回, on each line. */
function refuseUnbalanced(lines: readonly Line[]): void {
  const isBalanced = ({ quantity, used_quantity: used, returned_quantity: returned }: Line) =>
    used !== null && returned !== null && compare(add(used, returned, 3), quantity) === 0
  if (!lines.every(isBalanced)) throw new BusinessError('rule', '核销数量不平')
}

async function bookUse(
  tx: Tx,
  session: Session,
  kit: Kit,
  lines: readonly Line[],
  answers: Readonly<RecordRow>,
): Promise<string | null> {
  const used = lines.filter(line => isPositive(line.used_quantity ?? '0'))
  if (used.length === 0) return null
  const header = {
    ...answers,
    surgery_name: answers.surgery_name ?? kit.surgery_name,
    warehouse_model_inner_sn: kit.warehouse_id,
    department_inner_sn: kit.department_id,
    used_at: instant(),
    remark: `手术套包核销：${kit.name} ${kit.code}`,
  }
  return createAndReview(
    tx,
    session,
    'surgeryUse',
    header,
    used.map(line =>
      line.piece_code === null
        ? {
            specification_sn: line.specification_id,
            lot_id: line.lot_id,
            lot_no: line.lot_no,
            owner_org_sn: line.owner_id,
            location: line.place ?? '',
            quantity: line.used_quantity,
          }
        : { unit_codes: [line.piece_code] },
    ),
  )
}

/**
 * 术后核销: opens the kit in its place; used goods are booked on the patient, the rest becomes loose goods of the store.
 */
const settleKit: RecordAction = async (tx, session, row, _reason, answers) => {
  const [kit] = await kitsOf(tx, session, [String(row.made_kit_sn)])
  if (!kit || kit.status !== 'in_stock' || kit.settled_at !== null)
    throw new BusinessError('wrongState', `套包${String(row.code)}不在手术室库存，不能核销`)
  const lines = await linesOf(tx, session, kit.id)
  refuseUnbalanced(lines)
  if (lines.some(line => isPositive(line.used_quantity ?? '0')) && !answers.patient_name && !answers.admission_no)
    throw new BusinessError('rule', '请填写患者姓名或住院号', [
      { field: 'patient_name', msg: '请填写患者姓名或住院号' },
    ])
  const theatre = { ...systemSession(session.org), userName: session.userName }
  await tx`
    update made_kit set settled_at = ${instant()}, settled_by = ${session.userName}
     where org_id = ${session.org.id} and id = ${kit.id}`
  const opening = { warehouse_model_inner_sn: kit.warehouse_id, unpack_type: 'combined', unpack_reason: '术后核销' }
  const unpack_sn = await createAndReview(tx, theatre, 'unpack', opening, [{ unit_codes: [kit.code] }])
  const use_sn = await bookUse(tx, theatre, kit, lines, answers)
  return { unpack_sn, use_sn }
}

/** The kits of the stores that a session sees, as with every made-up pack; `t` is the kit. */
const visibleKits = (tx: Tx, session: Session) =>
  scopeSql(tx, session, {
    stores: [tx`(select u.warehouse_id from unit u where u.lot_id = t.lot_id and u.id = t.unit_id)`],
    department: null,
    people: [],
  })

export const madeKitRules: RecordRules = {
  kind: 'madeKit',
  visible: visibleKits,
  columns: (tx, session) => {
    const unit = (column: ReturnType<typeof tx>) => tx`(select ${column} from unit u left join warehouse w
      on w.org_id = ${session.org.id} and w.id = u.warehouse_id where u.lot_id = t.lot_id and u.id = t.unit_id)`
    const expiry = tx`(select min(d.expiry_date) from made_kit_line x join stock_lot d on d.org_id = x.org_id
      and d.lot_id = x.lot_id where x.org_id = ${session.org.id} and x.made_kit_id = t.id)`
    return {
      state: tx`case when t.settled_at is not null then 'settled'
        when ${isOpened(tx, session, tx`t.code`)} then 'opened' else ${unit(tx`case u.status
        when 'in_stock' then case when w.model = 'ward' then 'issued' else 'ready' end
        when 'in_transit' then 'moving' when 'opened' then 'opened' when 'used' then 'used' else 'gone' end`)} end`,
      warehouse_name: unit(tx`w.name`),
      expiry_date: expiry,
      is_expired: tx`coalesce(${expiry} < ${today()}::date, false)`,
      product_name: tx`(select string_agg(p.name || '×' || trim_scale(x.quantity), '、' order by x.id)
        from made_kit_line x join specification s on s.id = x.specification_id join product p on p.id = s.product_id
       where x.org_id = ${session.org.id} and x.made_kit_id = t.id)`,
      document_sn: tx`(select d.sn from document d where d.org_id = ${session.org.id} and d.id = t.document_id)`,
    }
  },
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action) && row !== null)
      throw new BusinessError('rule', '套包实例由配包生成，不能手工修改')
    if (action === 'settleKit' && row !== null && row.state !== 'issued')
      throw new BusinessError('wrongState', `套包${String(row.code)}不在手术室库存，不能核销`)
  },
  actions: { settleKit },
  calls: { issue },
  // The card of a kit is printed as that of the pack under its first part.
  unitsOf: async (tx, session, keys) => {
    const rows = await tx<{ unit_id: string }[]>`
      select unit_id from made_kit
       where org_id = ${session.org.id} and id = any(${keys as string[]}::bigint[]) order by id`
    return rows.map(row => row.unit_id)
  },
}

/** The rest that was not used is returned: if only one of both quantities is entered, the other is filled in. */
async function checkLine(tx: Tx, session: Session, { after, sent, before }: Change): Promise<void> {
  const [kit] = await kitsOf(tx, session, [String(after.made_kit_sn)])
  if (before === null || !kit || kit.settled_at !== null || kit.status !== 'in_stock')
    throw new BusinessError('wrongState', '套包已核销或不在库，不能登记使用数量')
  if (sent.used_quantity && (sent.returned_quantity ?? null) === null && (before.returned_quantity ?? null) === null)
    after.returned_quantity = subtract(String(after.quantity), String(sent.used_quantity), 3)
}

export const madeKitLineRules: RecordRules = {
  kind: 'madeKitLine',
  visible: (tx, session) => tx`t.made_kit_id in (
    select t.id from made_kit t where t.org_id = ${session.org.id} and ${visibleKits(tx, session)})`,
  columns: (tx, session) => ({
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
      where s.id = t.specification_id)`,
    piece_code: tx`(select k.piece_code from pack k where k.org_id = ${session.org.id} and k.code = t.part_code)`,
    lot_no: tx`(select l.lot_no from lot l where l.id = t.lot_id)`,
    expiry_date: tx`(select d.expiry_date from stock_lot d where d.org_id = ${session.org.id}
      and d.lot_id = t.lot_id)`,
  }),
  mayWrite(_session, action) {
    if (action === 'add' || action === 'del') throw new BusinessError('rule', '套包内产品由配包生成，不能增减')
  },
  async check(tx, session, change) {
    await checkLine(tx, session, change)
    const { after } = change
    const parts = (['used_quantity', 'returned_quantity'] as const).filter(
      name => change.before?.piece_code && after[name] !== null && timesIn(String(after[name]), '1') === null,
    )
    if (parts.length > 0) return parts.map(field => ({ field, msg: '一物一码产品填0或1' }))
    const wrong = (['used_quantity', 'returned_quantity'] as const).filter(
      name => after[name] !== null && compare(String(after[name]), String(after.quantity)) > 0,
    )
    return wrong.map(field => ({ field, msg: '不能大于标准数量' }))
  },
}

/** A kit that may not be opened for single pieces can only be opened by its settlement. */
async function refuseSplitting(ctx: ActionContext): Promise<void> {
  if (ctx.definition.kind !== unpack.kind) return
  const { tx, session } = ctx
  const doc = ofKind(unpack, ctx.doc)
  if (doc.unpack_type !== 'combined') return
  const packs = [...new Set(doc.lines.flatMap(line => line.unit_codes.filter(isPartCode).map(packOf)))]
  const [kit] = await tx<{ code: string }[]>`
    select m.code from made_kit m join operation_kit t on t.org_id = m.org_id and t.id = m.operation_kit_id
     where m.org_id = ${session.org.id} and m.code = any(${packs}) and not t.is_splittable and m.settled_at is null
     limit 1`
  if (kit) throw new BusinessError('rule', `套包${kit.code}不允许拆用，请发放后办理术后核销`)
}

export const kitCheck: ActionCheck = { check: refuseSplitting }
