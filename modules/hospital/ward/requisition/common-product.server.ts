import { addDays, today } from '#kernel/values/date.ts'
import { type Decimal, isPositive, plain, timesIn } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { commonProduct } from '#modules/hospital/ward/requisition/common-product.entity.ts'
import {
  type Fragment,
  type ListActionHandler,
  listRecords,
  type RecordAction,
  type RecordRow,
  type RecordRules,
} from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Goods requested this often in a number of days are usual. */
const OFTEN = 3
const LOOK_BACK = 90

/**
 * True if a ward may request these goods: admitted, in use, and on the ward's list of goods, if it keeps one. A
 * specification that is mapped to a listed one counts as listed.
 */
export const claimable = (tx: Tx, org: string, specification: Fragment, department: Fragment): Fragment => tx`(
  exists (select 1 from hospital_product h where h.org_id = ${org} and h.specification_id = ${specification}
    and h.status = 'enabled' and h.admission_state = 'admitted')
  and (not exists (select 1 from warehouse_product k join warehouse w on w.org_id = k.org_id and w.id = k.warehouse_id
    where k.org_id = ${org} and w.department_id = ${department})
    or exists (select 1 from warehouse_product k join warehouse w on w.org_id = k.org_id and w.id = k.warehouse_id
                where k.org_id = ${org} and w.department_id = ${department}
                  and k.specification_id = any(same_sizes(${specification})) and k.status = 'enabled')))`

type Line = {
  specification_id: string
  quantity: string
  name: string
  fit: boolean
  expired: boolean
  pack: string | null
}

/** A draft with everything usual of a list; what may not be requested is left out and named. */
async function claimUsual(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<{ sn: string; said: string }> {
  const org = session.org.id
  const lines = await tx<Line[]>`
    select l.specification_id, l.usual_quantity as quantity, p.name || ' ' || s.name as name,
      ${claimable(tx, org, tx`l.specification_id`, tx`c.department_id`)} as fit,
           coalesce((select r.valid_to < ${today()} from registration_certificate r
             where r.id = s.registration_certificate_id), false) as expired, null as pack
      from common_product_line l join common_product c on c.org_id = l.org_id and c.id = l.common_product_id
        join specification s on s.id = l.specification_id join product p on p.id = s.product_id
     where l.org_id = ${org} and l.common_product_id = ${String(row.common_product_sn)} and l.usual_quantity > 0
       order by l.sort_no, l.id`
  const good = lines.filter(line => line.fit && !line.expired)
  if (good.length === 0) throw new BusinessError('rule', '模板中没有可申领的产品，请先核对产品是否停用或注册证过期')
  const [ward] = await tx<{ id: string }[]>`
    select id from warehouse where org_id = ${org} and department_id = ${String(row.department_inner_sn)}
      and model = 'ward' and status = 'enabled' order by id limit 1`
  const sn = await createSystemDraft(
    tx,
    session,
    'requisition',
    {
      department_inner_sn: row.department_inner_sn,
      warehouse_model_inner_sn: row.warehouse_model_inner_sn,
      to_warehouse_model_inner_sn: ward?.id ?? null,
      remark: `常用产品：${String(row.name)}`,
    },
    good.map(line => ({ specification_sn: line.specification_id, quantity: line.quantity })) as never,
  )
  const left = lines.filter(line => !good.includes(line)).map(line => line.name)
  const out = left.length > 0 ? `；未列入（停用或注册证过期）：${left.join('、')}` : ''
  return { sn, said: `${good.length}个产品${out}` }
}

/** 生成申领单. */
const toClaim: RecordAction = async (tx, session, row) => {
  const { sn, said } = await claimUsual(tx, session, row)
  await sendMessage(tx, session.org.id, {
    title: '已生成物资申领单',
    body: `${sn}：${said}`,
    uri: 'voucher',
    objectId: sn,
    kind: 'requisition',
    userId: session.userId,
  })
  return { last_claimed_on: today() }
}

/** 从常用产品: the same from the page of requisitions, with a list that the caller sees. */
export async function fromCommon(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const { list } = await listRecords(tx, session, commonProduct, { common_product_sn: String(body.common_product_sn) })
  const [row] = list
  if (!row) throw new BusinessError('notFound', '常用产品模板不存在或未共享给您，请重新选择')
  const { sn, said } = await claimUsual(tx, session, row)
  await tx`update common_product set last_claimed_on = ${today()}
    where org_id = ${session.org.id} and id = ${String(row.common_product_sn)}`
  return { sn, result: `已生成物资申领单${sn}：${said}` }
}

/** 复制: another list of the same goods. */
const copy: RecordAction = async (tx, session, row) => {
  const [made] = await tx<{ id: string }[]>`
    insert into common_product (org_id, name, department_id, warehouse_id, sharing, created_by_id, created_by)
    values (${session.org.id}, ${`${String(row.name)}（副本）`.slice(0, 60)}, ${String(row.department_inner_sn)},
      ${String(row.warehouse_model_inner_sn)}, ${String(row.sharing)}, ${session.userId}, ${session.userName})
    on conflict do nothing returning id`
  if (!made) throw new BusinessError('duplicate', '已有同名的副本，请先修改副本的名称')
  await tx`
    insert into common_product_line (org_id, common_product_id, specification_id, usual_quantity, sort_no)
    select org_id, ${made.id}, specification_id, usual_quantity, sort_no from common_product_line
      where org_id = ${session.org.id} and common_product_id = ${String(row.common_product_sn)}`
}

/** 从历史申领生成: what was requested at least three times in ninety days, with the median quantity. */
const fromHistory: ListActionHandler = async ({ tx, session, asked }) => {
  const org = session.org.id
  const rows = await tx<{ specification_id: string; quantity: string }[]>`
    select l.specification_id, percentile_disc(0.5) within group (order by l.base_quantity) as quantity
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'requisition' and d.role = 'own'
       and d.state in ('submitted', 'reviewed', 'partial', 'completed', 'stopped')
       and d.department_id = ${String(asked.department_inner_sn)}
         and d.business_date >= ${addDays(today(), -LOOK_BACK)} and l.base_quantity > 0
     group by 1 having count(distinct d.id) >= ${OFTEN}`
  if (rows.length === 0) throw new BusinessError('rule', `近${LOOK_BACK}天没有申领${OFTEN}次以上的产品`)
  const [made] = await tx<{ id: string }[]>`
    insert into common_product (org_id, name, department_id, warehouse_id, created_by_id, created_by)
    values (${org}, ${`历史申领 ${today()}`}, ${String(asked.department_inner_sn)},
      ${String(asked.warehouse_model_inner_sn)}, ${session.userId}, ${session.userName})
    on conflict do nothing returning id`
  if (!made) throw new BusinessError('duplicate', '今天已生成过，请先修改或删除已生成的模板')
  await tx`
    insert into common_product_line (org_id, common_product_id, specification_id, usual_quantity, sort_no)
    select ${org}, ${made.id}, r.specification_id, r.quantity, r.place
      from jsonb_to_recordset(${tx.json(rows.map((row, at) => ({ ...row, place: at + 1 })))})
      r(specification_id bigint, quantity numeric, place int)
    on conflict do nothing`
  return { said: `已生成${rows.length}个产品的常用清单` }
}

const commonProductRules: RecordRules = {
  kind: 'commonProduct',
  /** One's own lists, and the shared ones of one's departments. */
  visible: (tx, session) =>
    tx`(t.created_by_id = ${session.userId}
      or (t.sharing = 'department'
      and ${
        session.departments === 'all'
          ? tx`true`
          : tx`t.department_id =
      any(${[...session.departments]}::bigint[])`
      }))`,
  columns: (tx, session) => ({
    line_count: tx`(select count(*)::int from common_product_line l
      where l.org_id = ${session.org.id} and l.common_product_id = t.id)`,
    products: tx`(select left(string_agg(p.name, '、' order by l.sort_no), 200) from common_product_line l
      join specification s on s.id = l.specification_id join product p on p.id = s.product_id
      where l.org_id = ${session.org.id} and l.common_product_id = t.id)`,
    is_mine: tx`(t.created_by_id = ${session.userId})`,
  }),
  check: async (_tx, session, change) => {
    if (!change.before) change.after.created_by = session.userName
    return []
  },
  alsoWrites: async (_tx, session, change): Promise<Record<string, string>> =>
    change.before ? {} : { created_by_id: session.userId },
  async mayLeave(tx, session, _action, row) {
    await tx`delete from common_product_line
      where org_id = ${session.org.id} and common_product_id = ${String(row.common_product_sn)}`
  },
  actions: { toClaim, copy },
  calls: { fromHistory },
}

const ofList = (tx: Tx, session: Session, what: Fragment) =>
  tx`(select ${what} from common_product c join department d on d.org_id = c.org_id and d.id = c.department_id
    join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
      where c.org_id = ${session.org.id} and c.id = t.common_product_id)`

const commonProductLineRules: RecordRules = {
  kind: 'commonProductLine',
  visible: (tx, session) =>
    tx`exists (select 1 from common_product c where c.org_id = ${session.org.id} and c.id = t.common_product_id
      and (c.created_by_id = ${session.userId} or (c.sharing = 'department'
      and ${
        session.departments === 'all'
          ? tx`true`
          : tx`c.department_id =
        any(${[...session.departments]}::bigint[])`
      })))`,
  columns: (tx, session) => ({
    department_name: ofList(tx, session, tx`d.name`),
    supplied_by: ofList(tx, session, tx`w.name`),
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = ${tx('to_specification_sn.product_id')})`,
    ward_stock: tx`(select coalesce(sum(b.quantity), 0) from common_product c join warehouse w on w.org_id = c.org_id
      and w.department_id = c.department_id join stock_balance b on b.org_id = w.org_id and b.warehouse_id = w.id
      where c.org_id = ${session.org.id} and c.id = t.common_product_id
        and b.specification_id = any((select same_sizes(t.specification_id))::bigint[]))::numeric(18,3)`,
    used_30_days: tx`(select coalesce(-sum(m.quantity), 0) from common_product c
      join warehouse w on w.org_id = c.org_id and w.department_id = c.department_id
      join stock_move m on m.org_id = w.org_id and m.warehouse_id = w.id
      where c.org_id = ${session.org.id} and c.id = t.common_product_id
        and m.specification_id = any((select same_sizes(t.specification_id))::bigint[])
        and m.quantity < 0 and m.undo_of is null
        and m.at >= now() - interval '30 days')::numeric(18,3)`,
  }),
  async check(tx, session, { after, sent }) {
    const [found] = await tx<{ fit: boolean; pack: Decimal | null }[]>`
      select ${claimable(tx, session.org.id, tx`${String(after.specification_sn)}::bigint`, tx`c.department_id`)} as
        fit,
             (select min(k.pack_size) from warehouse_product k join warehouse w on w.org_id = k.org_id
               and w.id = k.warehouse_id
               where k.org_id = c.org_id and w.department_id = c.department_id
                 and k.specification_id = ${String(after.specification_sn)} and k.replenishment = 'packs') as pack
        from common_product c where c.org_id = ${session.org.id} and c.id = ${String(after.common_product_sn)}`
    if (sent.specification_sn && found?.fit === false)
      return [{ field: 'specification_sn', msg: '该产品不在本科室可领目录中' }]
    const quantity = String(after.usual_quantity) as Decimal
    if (!found?.pack || !isPositive(found.pack) || !isPositive(quantity)) return []
    return timesIn(quantity, found.pack) !== null
      ? []
      : [{ field: 'usual_quantity', msg: `数量必须为定数${plain(found.pack)}的整数倍` }]
  },
}

/** Lists of usual products, and their lines. */
export const commonProductRecords: readonly RecordRules[] = [commonProductRules, commonProductLineRules]
