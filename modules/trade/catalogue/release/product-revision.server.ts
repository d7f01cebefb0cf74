import { compactDay, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { revisable } from '#modules/trade/catalogue/release/revisable-fields.ts'
import { whyNotCalled, whyNotPass } from '#modules/trade/catalogue/products/release-readiness.server.ts'
import { addChange } from '#modules/trade/catalogue/release/release-batch.server.ts'
import { noteStep } from '#modules/trade/catalogue/release/product-step.server.ts'
import { pinyinInitials, platformId } from '#server/public/organisations.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'

const names = Object.keys(revisable) as (keyof typeof revisable)[]

const listed = (of: Readonly<RecordRow>, which: readonly (keyof typeof revisable)[]) =>
  which.map(name => `${revisable[name].label}：${String(of[name] ?? '空')}`).join('；')

async function refuseDuplicate(tx: Tx, product: string, name: unknown): Promise<void> {
  const why = await whyNotCalled(tx, product, (name as string | null | undefined) ?? null)
  if (why !== null) throw new BusinessError('duplicate', why, [{ field: 'name', msg: '该生产厂家已有同名产品' }])
}

/** 申请变更: the fields of a released product that shall change; a field left empty does not change. */
export const revise: RecordAction = async (tx, session, row, _reason, answers) => {
  const product = String(row.product_sn)
  const changed = names.filter(name => (answers[name] ?? null) !== null && answers[name] !== row[name])
  if (changed.length === 0)
    throw new BusinessError('invalid', '请填写需要变更的内容', [{ field: 'name', msg: '请填写需要变更的内容' }])
  const [open] = await tx<{ code: string }[]>`select code from product_revision
    where product_id = ${product} and (state = 'pending' or (state = 'passed' and effective_at is null))`
  if (open) throw new BusinessError('duplicate', `该产品已有待审核或待发布的变更申请（${open.code}）`)
  await refuseDuplicate(tx, product, answers.name)
  const values = Object.fromEntries(changed.map(name => [name, answers[name] as string]))
  await tx`
    insert into product_revision ${tx({
      ...values,
      code: `CB${compactDay(today())}${product}-${parseInteger(row.revision) + 1}-${Date.now() % 1000}`,
      product_id: product,
      note: String(answers.note),
      changed: changed.map(name => revisable[name].label).join('、'),
      before_text: listed(row, changed),
      after_text: listed(answers, changed),
      org_id: session.org.id,
      maker_id: String(row.manufacturer_sn),
      applied_by: session.userName,
      applied_by_id: session.userId,
    })}`
  await noteStep(tx, session, product, {
    action: '申请变更',
    from: String(row.status),
    to: String(row.status),
    note: String(answers.note),
  })
}

/** Once passed, it waits in the batch of the day: all organisations get it together with that batch. */
const review: RecordAction = async (tx, session, row) => {
  const product = String(row.product_sn)
  const revision = String(row.product_revision_sn)
  const [mine] = await tx`select 1 from product_revision where id = ${revision} and applied_by_id = ${session.userId}`
  if (mine) throw new BusinessError('forbidden', '不能审核本人提交的产品，请由平台的其他审核人审核')
  await refuseDuplicate(tx, product, row.name)
  const [standing] = await tx<{ status: string }[]>`select status from product where id = ${product} for update`
  if (standing?.status !== 'released') throw new BusinessError('wrongState', '产品不是已发布状态，不能变更')
  // A change that passes is published with the next batch, so what that refuses is refused here.
  const wrong = await whyNotPass(tx, product)
  if (wrong !== null) throw new BusinessError('rule', wrong)
  await noteStep(tx, session, product, {
    action: '变更通过',
    from: 'released',
    to: 'released',
    note: String(row.after_text),
  })
  await addChange(tx, session, product, revision)
  return { state: 'passed', decided_by: session.userName, decided_at: new Date().toISOString() }
}

/** The new version applies; the previous one is kept for the documents written until today. */
export async function takeEffect(tx: Tx, session: Session, revision: string, batch: string): Promise<void> {
  const [row] = await tx<(RecordRow & { product_id: string; after_text: string })[]>`
    select product_id, after_text, ${tx(names)} from product_revision where id = ${revision} for update`
  const product = row!.product_id
  await refuseDuplicate(tx, product, row!.name)
  const [before] = await tx<(RecordRow & { name: string; revision: number })[]>`
    select ${tx(['name', 'revision', ...names.slice(1)])} from product where id = ${product} for update`
  const changed = names.filter(name => (row![name] ?? null) !== null)
  await tx`
    insert into product_past (product_id, until_day, revision, name, former)
    values (${product}, ${today()}, ${before!.revision}, ${before!.name},
      ${tx.json(Object.fromEntries(changed.map(name => [name, before![name] as string])))})`
  const name = String(row!.name ?? before!.name)
  await tx`
    update product set
      ${tx({ ...Object.fromEntries(changed.map(each => [each, row![each] as string])), pinyin: pinyinInitials(name) })}
      where id = ${product}`
  await tx`update product set revision = revision + 1, version = version + 1 where id = ${product}`
  await tx`update product_revision set effective_at = now(), revision = ${before!.revision + 1}, version = version + 1
    where id = ${revision}`
  await noteStep(tx, session, product, {
    action: '变更生效',
    from: 'released',
    to: 'released',
    note: `${batch} ${row!.after_text}`,
  })
}

/** Refused before it was passed, or afterwards as long as no submitted batch contains it. */
const reject: RecordAction = async (tx, session, row, reason) => {
  const revision = String(row.product_revision_sn)
  const [carried] = await tx<{ code: string }[]>`
    select r.code from product_release_line l join product_release r on r.id = l.product_release_id
      where l.product_revision_id = ${revision} and r.state in ('submitted', 'planned')`
  if (carried) throw new BusinessError('rule', `变更已在发布批次${carried.code}中，请先将批次作废`)
  await tx`
    delete from product_release_line l using product_release r where r.id = l.product_release_id and r.state = 'draft'
      and l.product_revision_id = ${revision}`
  await noteStep(tx, session, String(row.product_sn), {
    action: '变更驳回',
    from: 'released',
    to: 'released',
    note: reason,
  })
  return { state: 'refused', decided_by: session.userName, decided_at: new Date().toISOString(), reason }
}

export const productRevisionRules: RecordRules = {
  kind: 'productRevision',
  visible: (tx, session) =>
    session.org.type === 'P'
      ? tx`true`
      : tx`exists (select 1 from product p where p.id = t.product_id and p.manufacturer_id = ${session.org.id})`,
  mayWrite(session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('forbidden', '请在已发布产品上使用“申请变更”')
    if (session.org.type !== 'P') throw new BusinessError('forbidden')
    const waits = row?.state === 'passed' && action === 'reject' && (row.effective_at ?? null) === null
    if (row && row.state !== 'pending' && !waits) throw new BusinessError('wrongState', '该申请已审核，请刷新列表')
  },
  columns: tx => ({
    release_code: tx`(select r.code from product_release_line l join product_release r on r.id = l.product_release_id
      where l.product_revision_id = t.id and r.state <> 'cancelled' order by r.id desc limit 1)`,
  }),
  actions: { review, reject },
  /** The requester is notified of the answer. */
  async afterwards(sql, session, action, row) {
    const [asker] = await inOrganisation(
      sql,
      session.org.id,
      '0',
      tx => tx<{ org_id: string }[]>`
        select org_id from product_revision where id = ${String(row.product_revision_sn)}`,
    )
    const to = asker?.org_id ?? (await platformId(sql))
    if (to === null || to === undefined || to === session.org.id) return
    await inOrganisation(sql, to, '0', tx =>
      sendMessage(tx, to, {
        title: '产品变更审核结果',
        body:
          action === 'review'
            ? `产品【${String(row.product_name)}】的变更已审核通过，随发布批次生效：${String(row.after_text)}`
            : `产品【${String(row.product_name)}】的变更被驳回：${String(row.reason ?? '')}`,
        uri: '/ptm/productBuild',
        objectId: String(row.product_sn),
        kind: 'product',
        type: 'audit',
        extra: { org_name: session.org.name },
      }),
    )
  },
}
