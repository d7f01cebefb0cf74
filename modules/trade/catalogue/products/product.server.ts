import type { Sql } from 'postgres'
import { type Day, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { productsSeen } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import { batchReview, reject, review, take } from '#modules/trade/catalogue/release/product-audit.server.ts'
import {
  mustBeCertified,
  mustBeComplete,
  mustBeWhole,
  mustHaveScan,
  whyLocked,
} from '#modules/trade/catalogue/products/release-readiness.server.ts'
import { match, merge } from '#modules/trade/catalogue/products/product-merge.server.ts'
import { productColumns } from '#modules/trade/catalogue/products/product-columns.server.ts'
import { copyProduct, pick } from '#modules/trade/catalogue/products/product-import.server.ts'
import { announce } from '#modules/trade/catalogue/release/release-notification.server.ts'
import { addToBatch, recordWithdrawals } from '#modules/trade/catalogue/release/release-batch.server.ts'
import { revise } from '#modules/trade/catalogue/release/product-revision.server.ts'
import { comeTo, notifyBuilder } from '#modules/trade/catalogue/release/product-step.server.ts'
import { fillDefaults } from '#modules/trade/catalogue/assortment/catalogue-columns.server.ts'
import { pinyinInitials } from '#server/public/organisations.ts'
import { refuseBeyondVip } from '#modules/base/settings/plan-limits.server.ts'
import {
  type Change,
  type Fragment,
  likePattern,
  type RecordAction,
  type RecordRow,
  type RecordRules,
} from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Step = { readonly from: readonly string[]; readonly by: 'builder' | 'platform' | 'trader' }
/** State from which each action starts, and who may do it. */
const steps: Readonly<Record<string, Step>> = {
  submit: { from: ['self_built'], by: 'builder' },
  unsubmit: { from: ['pending'], by: 'builder' },
  take: { from: ['pending'], by: 'platform' },
  review: { from: ['pending'], by: 'platform' },
  reject: { from: ['pending'], by: 'platform' },
  match: { from: ['pending'], by: 'platform' },
  sendBack: { from: ['unreleased'], by: 'platform' },
  issue: { from: ['unreleased'], by: 'platform' },
  revise: { from: ['released'], by: 'builder' },
  stop: { from: ['released'], by: 'platform' },
  resume: { from: ['withdrawn'], by: 'platform' },
  pick: { from: ['released'], by: 'trader' },
  copy: { from: ['self_built', 'pending', 'unreleased', 'released', 'withdrawn'], by: 'builder' },
}

const isBuilder = (session: Session, row: Readonly<RecordRow>) =>
  row.built_by_sn === session.org.id || (session.org.type === 'V' && row.manufacturer_sn === session.org.id)

/** Checks at submit everything that the release will require, so that the maker learns at once what is missing. */
const submit: RecordAction = async (tx, session, row) => {
  const product = String(row.product_sn)
  await mustBeWhole(tx, row)
  if (session.org.type === 'V') {
    await mustHaveScan(tx, row)
    await mustBeComplete(tx, product)
  }
  await mustBeCertified(tx, product, { audited: false })
  await tx`update product set submitter_id = ${session.userId} where id = ${String(row.product_sn)}`
  const moved = await comeTo(tx, session, row, { action: '提交', to: 'pending' })
  return { ...moved, submitted_by: session.userName, submitted_at: moved.state_since }
}

const sendBack: RecordAction = async (tx, session, row, reason) => {
  await tx`
    delete from product_release_line l using product_release r
     where l.product_id = ${String(row.product_sn)} and r.id = l.product_release_id
       and r.state in ('draft', 'submitted')`
  return { ...(await comeTo(tx, session, row, { action: '退回审核', to: 'pending', note: reason })), opinion: reason }
}

/**
 * 停用: from a given day; until then it stays on offer with a note. On that day a batch records it, which notifies
 * every organisation.
 */
const stop: RecordAction = async (tx, session, row, reason, answers) => {
  const from = String(answers.stop_on) as Day
  const noted = { withdrawn_on: from, withdrawn_reason: reason }
  if (from > today()) return noted
  const product = String(row.product_sn)
  await tx`update product set withdrawn_reason = ${reason} where id = ${product}`
  await recordWithdrawals(tx, session.userName, session.userId, [product])
  return { ...noted, ...(await comeTo(tx, session, row, { action: '停用', to: 'withdrawn', note: reason })) }
}

/** Announces the batch that has just recorded a withdrawal. */
async function announceStop(sql: Sql, product: string): Promise<void> {
  const [batch] = await sql<{ id: string }[]>`
    select product_release_id as id from product_release_line where product_id = ${product} and change_kind = 'stop'
      order by id desc limit 1`
  if (batch) await announce(sql, batch.id)
}

const resume: RecordAction = async (tx, session, row) => {
  const [expired] = await tx`
    select 1 from specification s join registration_certificate c on c.id = s.registration_certificate_id
     where s.product_id = ${String(row.product_sn)} and c.valid_to < ${today()} limit 1`
  if (expired) throw new BusinessError('expiredLicence', '注册证已过期，不能恢复启用')
  await mustBeWhole(tx, row)
  await mustBeCertified(tx, String(row.product_sn), { audited: true })
  const moved = await comeTo(tx, session, row, { action: '恢复启用', to: 'released' })
  return { ...moved, withdrawn_on: null, withdrawn_reason: null }
}

async function fillNew(tx: Tx, session: Session, change: Change): Promise<void> {
  if (session.org.type === 'V') await refuseBeyondVip(tx, session, 'product')
  await fillDefaults(tx, session, change)
  const [next] = await tx<{ number: string }[]>`select nextval('reference_id_seq') as number`
  change.after.code = `${session.org.type === 'P' || session.org.type === 'V' ? 'P' : 'T'}${next?.number}`
  change.after.built_by_sn = session.org.id
  // A product that the platform creates itself needs no audit.
  change.after.status = session.org.type === 'P' ? 'unreleased' : 'self_built'
  change.after.created_at = change.after.state_since = new Date().toISOString()
}

/** Only classes of the official lists that may still be chosen. */
async function checkClasses(tx: Tx, change: Change): Promise<readonly { field: string; msg: string }[]> {
  const asked = (['class_code', 'class_code_2002'] as const).filter(
    name => change.after[name] && change.after[name] !== change.before?.[name],
  )
  const problems: { field: string; msg: string }[] = []
  for (const field of asked) {
    const [found] = await tx<{ status: string }[]>`
      select status from device_class where catalogue = ${field === 'class_code' ? '2017' : '2002'}
        and code = ${String(change.after[field])}`
    if (!found) problems.push({ field, msg: `分类【${String(change.after[field])}】不在官方分类目录中` })
    else if (found.status !== 'enabled')
      problems.push({ field, msg: `分类【${String(change.after[field])}】已停用，请重新选择` })
  }
  return problems
}

/** Which products a list shows. */
function shownOf(tx: Tx, session: Session, parameters: Readonly<Record<string, unknown>>): Fragment {
  if (parameters.scope === 'submitted')
    return session.org.type === 'P'
      ? tx`true`
      : tx`(t.built_by_id = ${session.org.id} or t.manufacturer_id = ${session.org.id})`
  if (parameters.scope === 'temporary')
    return session.org.type === 'P'
      ? tx`exists (select 1 from organisation o where o.id = t.built_by_id and o.system_type in (1, 2))`
      : tx`t.built_by_id = ${session.org.id}`
  return productsSeen(tx, session, tx`t.id`, parameters.scope === 'released' || parameters.one === true)
}

/** Minimum similarity of two names. */
const ALIKE = 0.35
/** By device identifier, certificate, or a very similar name. */
const similarTo = (tx: Tx, text: string): Fragment => tx`
  (similarity(t.name, ${text}) > ${ALIKE} or t.name ilike ${likePattern(text)} or exists (
    select 1 from specification s left join registration_certificate c on c.id = s.registration_certificate_id
     where s.product_id = t.id and (s.udi_di = ${text} or c.certificate_no = ${text})))`

export const productRules: RecordRules = {
  kind: 'product',
  visible: (tx, session, parameters) =>
    parameters.similar
      ? tx`(${shownOf(tx, session, parameters)}) and ${similarTo(tx, String(parameters.similar))}`
      : shownOf(tx, session, parameters),
  columns: productColumns,
  search: (tx, pattern) => tx`(t.name || ' ' || t.pinyin || ' ' || t.code) ilike ${pattern} or t.brand ilike ${pattern}
    or exists (select 1 from specification s left join pack_unit u on u.specification_id = s.id
                where s.product_id = t.id
                  and (s.udi_di ilike ${pattern} or s.name ilike ${pattern} or u.udi_di ilike ${pattern}))
    or exists (select 1 from product m where m.matched_id = t.id and m.code ilike ${pattern})`,
  mayWrite(session, action, row) {
    if (action === 'add' || !row) return
    const step = steps[action]
    const isMine = session.org.type === 'P' || isBuilder(session, row)
    if (step?.by === 'platform' && session.org.type !== 'P') throw new BusinessError('forbidden')
    if (step?.by === 'trader' && session.org.type !== 'H' && session.org.type !== 'D')
      throw new BusinessError('forbidden')
    if (step?.by !== 'trader' && !isMine) throw new BusinessError('forbidden', '只能维护本机构建立的产品')
    if (step && !step.from.includes(String(row.status)))
      throw new BusinessError('wrongState', '当前产品状态不允许该操作')
    if (step) return
    if (row.status === 'released' && action === 'edit')
      throw new BusinessError('wrongState', '产品已发布，请使用“申请变更”，审核通过后生效')
    if (session.org.type !== 'P' && row.status !== 'self_built')
      throw new BusinessError('wrongState', whyLocked(row.status))
    if (action === 'del' && !['self_built', 'unreleased'].includes(String(row.status)))
      throw new BusinessError('wrongState', '只能删除自建状态的产品')
  },
  async check(tx, session, change) {
    if (!change.before) await fillNew(tx, session, change)
    if (session.org.type === 'V' && change.after.manufacturer_sn !== session.org.id)
      return [{ field: 'manufacturer_sn', msg: '厂商只能建立本企业的产品' }]
    const [duplicate] = await tx`
      select 1 from product where manufacturer_id = ${String(change.after.manufacturer_sn)}
        and name = ${String(change.after.name)} and id is distinct from ${change.id}::bigint
         and (built_by_id = ${session.org.id} or status = 'released') and status <> 'matched' limit 1`
    if (duplicate)
      throw new BusinessError('duplicate', `产品名称【${String(change.after.name)}】已存在`, [
        { field: 'name', msg: '该生产厂家已有同名产品' },
      ])
    return checkClasses(tx, change)
  },
  alsoWrites: async (_tx, session, change) => ({
    pinyin: pinyinInitials(String(change.after.name ?? '')),
    // The user who submitted it may not decide on it, whichever way it is reviewed.
    ...(change.before ? {} : { submitter_id: session.userId }),
  }),
  async mayLeave(tx, session, _action, row) {
    const sizes = await tx<{ id: string }[]>`select id from specification where product_id = ${String(row.product_sn)}`
    const ids = sizes.map(size => size.id)
    const [used] = await tx`select 1 from document_line
        where org_id = ${session.org.id} and specification_id = any(${ids}::bigint[]) limit 1`
    if (used) throw new BusinessError('blocked', '产品已被业务单据引用，不能删除')
    await tx`delete from pack_unit where specification_id = any(${ids}::bigint[])`
    await tx`delete from hospital_product where org_id = ${session.org.id} and specification_id = any(${ids}::bigint[])`
    await tx`delete from dealer_product where org_id = ${session.org.id} and specification_id = any(${ids}::bigint[])`
    await tx`delete from specification where product_id = ${String(row.product_sn)}`
    await tx`delete from product_release_line where product_id = ${String(row.product_sn)}`
  },
  actions: {
    submit,
    unsubmit: (tx, session, row) => comeTo(tx, session, row, { action: '撤回提交', to: 'self_built' }),
    take,
    review,
    reject,
    match: async (tx, session, row, reason, answers) => match(tx, session, row, reason, answers),
    sendBack,
    issue: async (tx, session, row) => {
      await mustBeComplete(tx, String(row.product_sn))
      await mustBeWhole(tx, row)
      await mustBeCertified(tx, String(row.product_sn), { audited: true })
      await addToBatch(tx, session, String(row.product_sn))
    },
    revise,
    stop,
    resume,
    pick,
    copy: copyProduct,
  },
  calls: { batchReview, merge },
  async afterwards(sql, session, action, row) {
    const name = `${String(row.name)}（${String(row.code)}）`
    const notified: Readonly<Record<string, readonly [string, string]>> = {
      review: ['产品审核通过', `${name}已通过平台审核，等待发布`],
      reject: ['产品被驳回', `${name}被驳回：${String(row.opinion ?? '')}`],
      match: [
        '产品已匹配',
        `${name}已匹配到平台产品【${String(row.matched_name ?? '')}】，原有单据与库存从现在起显示平台产品`,
      ],
      stop: ['产品停用', `${name}自${String(row.withdrawn_on ?? '')}起停用：${String(row.withdrawn_reason ?? '')}`],
    }
    const say = notified[action]
    if (say) await notifyBuilder(sql, session, row, say[0], say[1])
    if (action === 'stop' && row.status === 'withdrawn') await announceStop(sql, String(row.product_sn))
  },
}
