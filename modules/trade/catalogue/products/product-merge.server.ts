import { BusinessError } from '#kernel/rules/errors.ts'
import { noteStep } from '#modules/trade/catalogue/release/product-step.server.ts'
import type { RecordAction, ListActionHandler } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Merges the sizes of one product into another: a size of the same name is mapped, a missing one is added. Documents,
 * stock and traces keep the same size and show the remaining product; posted rows are not rewritten.
 */
export async function joinInto(tx: Tx, session: Session, from: string, into: string, action: string): Promise<void> {
  const sides = await tx<{ id: string; name: string; code: string; status: string; base_unit: string }[]>`
    select id, name, code, status, base_unit from product where id = any(${[from, into]}::bigint[])
      order by id for update`
  const [gone, kept] = [sides.find(one => one.id === from), sides.find(one => one.id === into)]
  if (!gone || !kept) throw new BusinessError('notFound', '产品不存在或已被删除')
  if (gone.id === kept.id) throw new BusinessError('rule', '不能与自己合并，请选择另一个产品')
  if (kept.status !== 'released') throw new BusinessError('rule', `【${kept.name}】未发布，请选择已发布的产品`)
  const [differs] = await tx<{ name: string; mine: string; theirs: string }[]>`
    select a.name, a.unit_name as mine, b.unit_name as theirs from specification a
      join specification b on b.product_id = ${into} and b.mapped_to_id is null and ${sameSize(tx)}
     where a.product_id = ${from} and a.unit_name <> b.unit_name limit 1`
  if (differs)
    throw new BusinessError(
      'rule',
      `规格【${differs.name}】的基本单位不同（${differs.mine}与${differs.theirs}），不能合并`,
    )
  await tx`
    update specification a set mapped_to_id = b.id, product_id = ${into}, status = 'matched', version = a.version + 1
      from specification b where a.product_id = ${from} and b.product_id = ${into} and b.mapped_to_id is null
        and ${sameSize(tx)}`
  await tx`update specification set product_id = ${into}, status = 'released', version = version + 1
    where product_id = ${from} and mapped_to_id is null`
  await tx`update specification set product_id = ${into}, version = version + 1 where product_id = ${from}`
  await tx`insert into product_pick (product_id, picker_id) select ${into}, picker_id from product_pick
    where product_id = ${from} on conflict do nothing`
  const note = `${gone.code} ${gone.name} → ${kept.code} ${kept.name}`
  await noteStep(tx, session, from, { action, from: gone.status, to: 'matched', note })
  await noteStep(tx, session, into, { action, from: kept.status, to: kept.status, note })
}

/** Two sizes of the same name, ignoring spaces and case. */
const sameSize = (tx: Tx) => tx`lower(replace(a.name, ' ', '')) = lower(replace(b.name, ' ', ''))`

/** 匹配: a submitted product is one the platform already has. */
export const match: RecordAction = async (tx, session, row, _reason, answers) => {
  const into = String(answers.target_sn)
  await joinInto(tx, session, String(row.product_sn), into, '匹配')
  await tx`update product set matched_id = ${into} where id = ${String(row.product_sn)}`
  return { status: 'matched', state_since: now(), audited_by: session.userName, audited_at: now() }
}

const now = () => new Date().toISOString()

/** 合并重复产品: the selected products are merged into the one that stays. */
export const merge: ListActionHandler = async ({ tx, session, asked, ids }) => {
  if (session.org.type !== 'P') throw new BusinessError('forbidden')
  const into = String(asked.target_sn)
  const others = ids.filter(key => key !== into)
  if (others.length === 0) throw new BusinessError('rule', '请勾选要并入的重复产品')
  const known = await tx<{ id: string; status: string; name: string; maker: string }[]>`
    select id, status, name, manufacturer_id as maker from product where id::text = any(${[...others, into]})`
  const maker = known.find(one => one.id === into)?.maker
  for (const id of others) {
    const one = known.find(each => each.id === id)
    if (one && one.status !== 'released')
      throw new BusinessError('rule', `【${one.name}】未发布，不能合并，请在产品审核中匹配`)
    if (one && one.maker !== maker)
      throw new BusinessError('rule', `【${one.name}】与保留的产品不是同一生产厂家，不能合并`)
    await joinInto(tx, session, id, into, '合并')
    await tx`update product set status = 'matched', state_since = now(), matched_id = ${into}, version = version + 1
      where id = ${id}`
  }
  return { said: `已合并${others.length}个产品，原有单据、库存与追溯从现在起显示保留的产品` }
}
