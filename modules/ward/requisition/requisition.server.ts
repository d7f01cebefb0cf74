import { instant } from '#kernel/values/date.ts'
import { add, compare, type Decimal, isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withinHours } from '#modules/settings/hospital-policies.ts'
import { claimable } from '#modules/ward/requisition/common-product.server.ts'
import { startClock, stopClock } from '#modules/ward/requisition/requisition-deadline.server.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { specificationFacts } from '#modules/items/item-data.server.ts'

/** Wards may request what the hospital keeps: admitted, in its catalogue, not withdrawn. */
async function refuseForeignGoods({ tx, session, doc }: ActionContext): Promise<void> {
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn!)
    if (!fact) continue
    const gone = [fact.status, fact.product_status].some(status => status === 'withdrawn' || status === 'disabled')
    const admitted = fact.admission_state === 'admitted'
    if (fact.in_catalogue && admitted && !gone) continue
    const why = gone ? '已停用' : fact.in_catalogue ? '未准入' : '不在本院产品目录中'
    const msg = `第${line.line_no}行：【${fact.product_name}】${fact.name}${why}，不能申领`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'specification_sn', msg }])
  }
}

/** Goods that the requesting ward may have: on the list of what its store holds, if it keeps one. */
async function refuseUnlistedGoods({ tx, session, doc }: ActionContext): Promise<void> {
  if (doc.department_inner_sn === null) return
  const models = [...new Set(doc.lines.map(line => line.specification_sn!))]
  const rows = await tx<{ id: string; fit: boolean }[]>`
    select a.id, ${claimable(tx, session.org.id, tx`a.id`, tx`${doc.department_inner_sn}::bigint`)} as fit
      from unnest(${models}::bigint[]) a(id)`
  const unfit = new Set(rows.filter(row => !row.fit).map(row => row.id))
  const problems = doc.lines
    .filter(line => unfit.has(line.specification_sn ?? ''))
    .map(({ line_no, product_name, specification_name }) => ({
      line: line_no,
      field: 'specification_sn',
      msg:
        `第${line_no}行：【${product_name ?? ''}】${String(specification_name ?? '')}不在本科室可领目录中，` +
        '请先在仓库产品中为科室仓库登记',
    }))
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}

/** 申领时间窗: normal requisitions are submitted during the organisation's hours; urgent ones at any time. */
function checkHours({ doc, settings, warnings: questions }: ActionContext): void {
  if (settings.claim_hours_check === 'off' || doc.is_urgent === true) return
  const [weekday, minutes] = shanghaiClock(instant())
  if (withinHours(settings.claim_hours, weekday, minutes)) return
  const msg = `不在申领时间内（${settings.claim_hours}）`
  if (settings.claim_hours_check === 'refuse') throw new BusinessError('rule', `${msg}，急用请选择加急并填写原因`)
  questions.push({ rule: 'claimTime', msg: `${msg}，是否继续？` })
}

/** Day of the week, Monday 1, and minutes since midnight, in local time. */
function shanghaiClock(moment: string): readonly [number, number] {
  const local = new Date(Date.parse(moment) + 8 * 3_600_000)
  return [local.getUTCDay() || 7, local.getUTCHours() * 60 + local.getUTCMinutes()]
}

type Quota = { specification_id: string; month_quota: Decimal; single_limit: Decimal | null; asked: Decimal }

/**
 * 月度定额: what a ward's warehouse requested this month, including this document, against its limit in 仓库产品; and the
 * limit per request.
 */
async function checkQuota({ tx, session, doc, settings, warnings: questions }: ActionContext): Promise<void> {
  if (settings.claim_quota === 'off' || !doc.to_warehouse_model_inner_sn) return
  const month = `${doc.business_date.slice(0, 7)}-01`
  const rows = await tx<Quota[]>`
    select a.id as specification_id, w.month_quota, w.single_limit,
           (select coalesce(sum(l.base_quantity), 0)::numeric(18,3) from document d
             join document_line l on l.org_id = d.org_id and l.document_id = d.id
             where d.org_id = w.org_id and d.kind = 'requisition' and d.role = 'own'
               and d.state in ('submitted', 'reviewed', 'partial', 'completed') and d.id <> ${doc.id}
               and d.to_warehouse_id = w.warehouse_id and d.business_date >= ${month}::date
                 and d.business_date < ${month}::date + interval '1 month'
                 and l.specification_id = any((select same_sizes(a.id))::bigint[])) as asked
      from unnest(${[...new Set(doc.lines.map(line => line.specification_sn!))]}::bigint[]) a(id) left
        join mapped_size z on z.specification_id = a.id
      join stock_limit w on w.stands_for_id = coalesce(z.stands_for_id, a.id)
     where w.org_id = ${session.org.id} and w.warehouse_id = ${doc.to_warehouse_model_inner_sn}
       and (w.month_quota > 0 or w.single_limit > 0)`
  for (const line of doc.lines) {
    const row = rows.find(each => each.specification_id === line.specification_sn)
    const msg = row && exceeds(row, line.base_quantity)
    if (!msg) continue
    const said = `第${line.line_no}行：【${line.product_name ?? ''}】${msg}`
    if (settings.claim_quota === 'refuse')
      throw new BusinessError('rule', said, [{ line: line.line_no, field: 'quantity', msg: said }])
    questions.push({ rule: 'claimQuota', line: line.line_no, msg: `${said}，是否继续？` })
  }
}

function exceeds({ month_quota, single_limit, asked }: Quota, quantity: Decimal): string | null {
  if (single_limit !== null && isPositive(single_limit) && compare(quantity, single_limit) > 0)
    return `单次申领不能超过${plain(single_limit)}`
  if (month_quota === null || !isPositive(month_quota)) return null
  return compare(add(asked, quantity, 3), month_quota) > 0
    ? `超过月度定额${plain(month_quota)}（本月已申领${plain(asked)}）`
    : null
}

/** Notifies the warehouse that a ward is waiting; the requester is not notified. */
async function notifyStore({ tx, session, doc }: ActionContext): Promise<void> {
  const [department] = await tx<{ name: string }[]>`
    select name from department where org_id = ${session.org.id} and id = ${doc.department_inner_sn}`
  await sendMessage(tx, session.org.id, {
    title: '收到新的物资申领单',
    body: `${department?.name ?? session.userName}提交了物资申领单${doc.sn}，请审核`,
    uri: 'voucher',
    objectId: doc.sn,
    kind: 'requisition',
    by: session.userId,
    // The users of the warehouse, and of the requesting ward.
    stores: [doc.warehouse_model_inner_sn, doc.to_warehouse_model_inner_sn],
    extra: { org_name: session.org.name, kind: 'requisition' },
  })
}

export const requisitionRules: DocumentHooks = {
  kind: 'requisition',
  validate: {
    submit: [refuseForeignGoods, refuseUnlistedGoods, checkHours, checkQuota],
  },
  afterAction: { submit: notifyStore, review: startClock, unreview: stopClock },
}
