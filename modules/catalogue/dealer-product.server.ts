import { Refusal } from '#kernel/refusal.ts'
import { catalogueColumns, fillDefaults, hasStock } from '#modules/catalogue/trade.server.ts'
import { isPlatformReading } from '#server/engine/records/platform.ts'
import { refuseBeyondVip } from '#server/engine/vip.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const dealerProductRules: RecordRules = {
  kind: 'dealerProduct',
  platformReads: 'D',
  /** The platform watches what is traded, never at which price. */
  columns: (tx, session) => ({
    ...catalogueColumns(tx),
    ...(isPlatformReading(session) ? { purchase_price: tx`null::numeric`, sale_price: tx`null::numeric` } : {}),
  }),
  async check(tx, session, change) {
    if (change.before)
      return change.after.specification_sn === change.before.specification_sn
        ? []
        : [{ field: 'specification_sn', msg: '规格型号不能修改' }]
    await refuseBeyondVip(tx, session, 'product')
    await fillDefaults(tx, session, change)
    const [found] = await tx<{ status: string; manufacturer_id: string; built_by_id: string | null }[]>`
      select s.status, p.manufacturer_id, p.built_by_id from specification s join product p on p.id = s.product_id where s.id = ${String(change.after.specification_sn)}`
    const isOwn = found?.built_by_id === session.org.id || found?.manufacturer_id === session.org.id
    return found?.status === 'released' || isOwn ? [] : [{ field: 'specification_sn', msg: '产品未发布，不能经营' }]
  },
  async mayLeave(tx, session, action, row) {
    if (action === 'disable') return
    const specification = String(row.specification_sn)
    const [used] =
      await tx`select 1 from document_line where org_id = ${session.org.id} and specification_id = ${specification} limit 1`
    if (used || (await hasStock(tx, session, specification)))
      throw new Refusal('blocked', '经营产品已有业务记录，不能删除，可以停用')
  },
}
