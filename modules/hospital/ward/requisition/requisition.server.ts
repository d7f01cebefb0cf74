import { requisition } from '#modules/hospital/ward/requisition/requisition.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { instant, minuteOf, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withinHours } from '#modules/base/settings/hospital-policies.ts'
import { claimable, fromCommon } from '#modules/hospital/ward/requisition/common-product.server.ts'
import { fromPar, wholePacks } from '#modules/hospital/ward/requisition/par-levels.server.ts'
import { checkMonthQuota, leftOf, limitsOf } from '#modules/hospital/ward/quota/month-quota.server.ts'
import { checkDepartmentQuota, quotaLeft } from '#modules/hospital/ward/quota/quota-check.server.ts'
import { startClock, stopClock } from '#modules/hospital/ward/requisition/requisition-deadline.server.ts'
import type { Tx } from '#server/public/database.ts'
import { loadDocument, patchDocument, patchLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'

type Context = ContextOf<typeof requisition>

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
function checkHours({ doc, settings, warnings: questions }: Context): void {
  if (settings.claim_hours_check === 'off' || doc.is_urgent === true) return
  const [weekday, minutes] = shanghaiClock(instant())
  if (withinHours(settings.claim_hours, weekday, minutes)) return
  if (settings.claim_hours_check === 'refuse') throw new BusinessError('rule', '当前不在申领时间内，请提交加急申领')
  questions.push({ rule: 'claimTime', msg: `当前不在申领时间内（${settings.claim_hours}），是否继续？` })
}

/** Day of the week, Monday 1, and minutes since midnight, in local time. */
function shanghaiClock(moment: string): readonly [number, number] {
  const local = new Date(Date.parse(moment) + 8 * 3_600_000)
  return [local.getUTCDay() || 7, local.getUTCHours() * 60 + local.getUTCMinutes()]
}

/** Keeps the rest of the department's quota and of each line's monthly quota, as it is when the draft is saved. */
async function keepQuotas(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, requisition, sn)
  const { department_inner_sn: department, to_warehouse_model_inner_sn: store, business_date: day } = doc
  const quota_left = department ? await quotaLeft(tx, session, { department, day, except: doc.id }, doc.lines) : null
  if (quota_left !== (doc.quota_left ?? null)) await patchDocument(tx, session, doc, { quota_left }, 'derived')
  const sizes = doc.lines.map(line => line.specification_sn)
  const limits = store ? await limitsOf(tx, session.org.id, { store, day, except: doc.id }, sizes) : []
  const lines = doc.lines.flatMap(line => {
    const limit = limits.find(row => row.specification_id === line.specification_sn)
    const month_quota_left = limit ? leftOf(limit) : null
    return month_quota_left === (line.month_quota_left ?? null)
      ? []
      : [{ line_no: line.line_no, values: { month_quota_left } }]
  })
  if (lines.length > 0) await patchLines(tx, session, doc, lines, 'derived')
}

type Said = { readonly title: string; readonly body: (department: string) => string; readonly isNew: boolean }

/** Notifies the warehouse that a ward is waiting; the requester is not notified. */
async function notifyStore({ tx, session, doc }: ActionContext, { title, body, isNew }: Said): Promise<void> {
  const [department] = await tx<{ name: string }[]>`
    select name from department where org_id = ${session.org.id} and id = ${doc.department_inner_sn}`
  await sendMessage(tx, session.org.id, {
    title,
    body: body(department?.name ?? session.userName),
    uri: 'voucher',
    objectId: doc.sn,
    kind: 'requisition',
    by: session.userId,
    // The users of the warehouse, and of the requesting ward.
    stores: [doc.warehouse_model_inner_sn, doc.to_warehouse_model_inner_sn],
    extra: { org_name: session.org.name, kind: 'requisition', is_new: isNew },
  })
}

const notifyNew = (ctx: ActionContext): Promise<void> =>
  notifyStore(ctx, {
    title: '收到新的物资申领单',
    body: department => `${department}提交了物资申领单${ctx.doc.sn}，请审核`,
    isNew: true,
  })

/** 催单: the warehouse is asked again, at most once a day. */
async function remind(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  await patchDocument(tx, session, doc, { reminded_on: today() }, 'withAction')
  const step = doc.state === 'submitted' ? '审核' : '配送发放'
  const due = doc.due_at ? `（最迟${minuteOf(new Date(String(doc.due_at)))}送达）` : ''
  await notifyStore(ctx, {
    title: '科室催单',
    body: department => `${department}催办物资申领单${doc.sn}${due}，请尽快${step}`,
    isNew: false,
  })
}

export const requisitionRules = documentHooks(requisition, {
  calls: { fromPar, fromCommon },
  validate: {
    submit: [refuseForeignGoods, refuseUnlistedGoods, wholePacks, checkHours, checkMonthQuota, checkDepartmentQuota],
  },
  afterSave: keepQuotas,
  afterAction: { submit: notifyNew, review: startClock, unreview: stopClock, remind },
})
