import { BusinessError } from '#kernel/rules/errors.ts'
import { holdPostings } from '#server/public/actions.ts'
import type { CallContext, ListActionHandler, RecordRules } from '#server/public/records.ts'
import { goodsOfScan, type Subject } from '#server/public/traceability.ts'

/** A scan names no more pieces than this; what holds more is frozen lot by lot. */
const MOST_PIECES = 50

/** The goods that were asked for: one lot, or the coded pieces of one scan. */
async function goodsAsked({ tx, session, asked }: CallContext): Promise<readonly Subject[]> {
  const code = String(asked.code).trim()
  const named = (await goodsOfScan(tx, session, code)).filter(
    subject => !asked.specification_sn || subject.specification_id === asked.specification_sn,
  )
  if (named.length === 0) throw new BusinessError('notFound', `没有找到“${code}”的流向记录，请核对条码或批号`)
  if (named.length >= MOST_PIECES) throw new BusinessError('rule', `“${code}”内的货物过多，请按批号冻结`)
  const lots = named.filter(subject => subject.unit_id === '0')
  if (lots.length > 0 && named.length > 1)
    throw new BusinessError('rule', `“${code}”对应多个产品或批号，请选择规格型号，或按批号、单件码逐个冻结`)
  return named
}

/** Codes of pieces that are in no store of the organisation: freezing them would hold nothing. */
const elsewhere = ({ tx, session }: CallContext, goods: readonly Subject[]) =>
  tx<{ lot_id: string; id: string }[]>`
    select u.lot_id, u.id from unit u
      join unnest(${goods.map(({ lot_id }) => lot_id)}::bigint[], ${goods.map(({ unit_id }) => unit_id)}::bigint[])
        k(lot_id, unit_id) on k.lot_id = u.lot_id and k.unit_id = u.id
     where u.id > 0
       and not (u.holder_org_id is not distinct from ${session.org.id} and u.status in ('in_stock', 'in_transit'))`

const nameOf = ({ unit_id, code, lot_no }: Subject): string =>
  unit_id === '0' ? `批号${lot_no || '（无批号）'}` : `院内码${code ?? ''}`

/** 冻结批次: in force from this call on, for every document that would take the goods out, submitted ones as well. */
const freeze: ListActionHandler = async ctx => {
  const { tx, session, asked } = ctx
  await holdPostings(tx, session.org.id)
  const goods = await goodsAsked(ctx)
  const away = await elsewhere(ctx, goods)
  const gone = goods.find(({ lot_id, unit_id }) => away.some(row => row.lot_id === lot_id && row.id === unit_id))
  if (gone) throw new BusinessError('rule', `${nameOf(gone)}不在本机构库存中，不能冻结`)
  const rows = goods.map(({ specification_id, lot_id, unit_id, code }) => ({
    org_id: session.org.id,
    specification_id,
    lot_id,
    unit_id,
    code,
    reason: String(asked.reason),
    frozen_user_id: session.userId,
    frozen_by: session.userName,
  }))
  const frozen = await tx`
    insert into goods_freeze ${tx(rows)}
    on conflict (org_id, lot_id, unit_id) where state = 'frozen' do nothing returning id`
  if (frozen.length === 0) throw new BusinessError('wrongState', `${nameOf(goods[0]!)}已冻结`)
  return { said: goods.length === 1 ? `${nameOf(goods[0]!)}已冻结` : `已冻结${frozen.length}件` }
}

/** 解除冻结 by somebody else than who froze the goods. */
const unfreeze: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const org = session.org.id
  const standing = await tx<{ id: string; state: string; frozen_user_id: string; name: string }[]>`
    select f.id, f.state, f.frozen_user_id, coalesce('院内码' || f.code, '批号' || t.lot_no) as name
      from goods_freeze f join lot t on t.id = f.lot_id
     where f.org_id = ${org} and f.id = any(${[...ids]}::bigint[]) order by f.id for update of f`
  const released = standing.find(({ state }) => state !== 'frozen')
  if (released) throw new BusinessError('wrongState', `${released.name}已解除冻结`)
  const own = standing.find(({ frozen_user_id }) => frozen_user_id === session.userId)
  if (own) throw new BusinessError('forbidden', `${own.name}是本人冻结的，请由他人解除冻结`)
  await tx`
    update goods_freeze
       set state = 'released', release_reason = ${String(asked.release_reason)}, released_by = ${session.userName},
           released_at = now(), version = version + 1
     where org_id = ${org} and id = any(${standing.map(({ id }) => id)}::bigint[])`
  return { said: `已解除冻结：${standing.map(({ name }) => name).join('、')}` }
}

export const goodsFreezeRules: RecordRules = {
  kind: 'goodsFreeze',
  table: 'goods_freeze',
  readFlag: 'page:/commonView/stopSellList',
  calls: { freeze, unfreeze },
}
