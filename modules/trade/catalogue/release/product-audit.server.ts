import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import {
  missingOf,
  mustBeComplete,
  similarOf,
  whyNotPass,
} from '#modules/trade/catalogue/products/release-readiness.server.ts'
import { comeTo, refuseTaken } from '#modules/trade/catalogue/release/product-step.server.ts'
import type { RecordAction, ListActionHandler, RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Users may not decide on what they submitted themselves. */
async function refuseOwn(tx: Tx, session: Session, product: string): Promise<void> {
  const [row] = await tx`select 1 from product where id = ${product} and submitter_id = ${session.userId}`
  if (row) throw new BusinessError('forbidden', '不能审核本人提交的产品，请由平台的其他审核人审核')
}

/** 领取审核: for a quarter of an hour no one else may decide on it. */
export const take: RecordAction = async (tx, session, row) => {
  await refuseTaken(tx, session, String(row.product_sn))
  await tx`update product set taken_by = ${session.userName}, taken_until = now() + interval '15 minutes'
    where id = ${String(row.product_sn)}`
}

async function passed(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<RecordRow> {
  const product = String(row.product_sn)
  await refuseOwn(tx, session, product)
  await refuseTaken(tx, session, product)
  await mustBeComplete(tx, product)
  const wrong = await whyNotPass(tx, product)
  if (wrong !== null) throw new BusinessError('rule', wrong)
  const moved = await comeTo(tx, session, row, { action: '审核通过', to: 'unreleased' })
  return { ...moved, audited_by: session.userName, audited_at: moved.state_since, opinion: '审核通过' }
}

/** 审核: accepted, and waits for its release. */
export const review: RecordAction = (tx, session, row) => passed(tx, session, row)

/** 驳回: goes back to the organisation that created it, with the reason. */
export const reject: RecordAction = async (tx, session, row, reason) => {
  await refuseOwn(tx, session, String(row.product_sn))
  await refuseTaken(tx, session, String(row.product_sn))
  const moved = await comeTo(tx, session, row, { action: '驳回', to: 'self_built', note: reason })
  return {
    ...moved,
    audited_by: session.userName,
    audited_at: moved.state_since,
    opinion: reason,
    refusals: parseInteger(row.refusals ?? 0) + 1,
  }
}

/** 批量审核: passes products that are complete and similar to no other; the rest is listed one by one. */
export const batchReview: ListActionHandler = async ({ tx, session, ids }) => {
  if (session.org.type !== 'P') throw new BusinessError('forbidden')
  const rows = await tx<(RecordRow & { code: string; name: string; missing: string[]; similar: number })[]>`
    select t.id as product_sn, t.code, t.name, t.status, t.device_class, ${missingOf(tx)} as missing,
      (select count(*)::int from (${similarOf(tx)}) x) as similar
      from product t where t.id::text = any(${ids as string[]}) order by t.id for update`
  const left: string[] = []
  for (const row of rows) {
    const why =
      row.status !== 'pending' ? '不是待审核' : row.similar > 0 ? `疑似重复${row.similar}个` : whyIncomplete(row)
    const refused = why ?? (await whyRefused(tx, session, row))
    if (refused !== null) left.push(`${row.code}${refused}`)
  }
  return {
    said: `审核通过${rows.length - left.length}个${left.length > 0 ? `，未通过${left.length}个：${left.join('；')}` : ''}`,
  }
}

const whyIncomplete = (row: { missing: string[] }): string | null =>
  row.missing.length > 0 ? `缺少${row.missing.join('、')}` : null

async function whyRefused(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<string | null> {
  try {
    const values = await passed(tx, session, row)
    await tx`
      update product set status = 'unreleased', state_since = now(), audited_by = ${session.userName},
        audited_at = now(), opinion = ${String(values.opinion)}, version = version + 1
       where id = ${String(row.product_sn)}`
    return null
  } catch (error) {
    if (error instanceof BusinessError) return error.message
    throw error
  }
}
