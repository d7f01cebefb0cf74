import { Refusal } from '#kernel/refusal.ts'
import { countLights } from '#modules/catalogue/dealer-check.server.ts'
import { catalogueColumns, fillDefaults, hasStock, typeOf } from '#modules/catalogue/trade.server.ts'
import { isPlatformReading } from '#server/engine/records/platform.ts'
import { refuseBeyondVip } from '#server/engine/vip.ts'
import type { Fragment, RecordRules } from '#server/engine/records/rules.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

const productOf = async (tx: Tx, specification: unknown): Promise<string[]> =>
  (await tx<{ id: string }[]>`select product_id as id from specification where id = ${String(specification)}`).map(
    row => row.id,
  )

/** How the product stands: its own group, what lies in the house, whether it was approved and checked. */
function standing(tx: Tx, session: Session): Record<string, Fragment> {
  const org = session.org.id
  const check = (column: string) =>
    tx`(select ${tx(`k.${column}`)} from dealer_check k where k.dealer_id = ${org} and k.product_id = ${tx('to_specification_sn.product_id')})`
  return {
    custom_type: typeOf(tx, session, 'own'),
    stock: tx`(select coalesce(sum(b.quantity), 0) from stock_balance b where b.org_id = ${org} and b.specification_id = t.specification_id)::numeric(18,3)`,
    first_state: tx`case when exists (select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      where d.org_id = ${org} and d.kind = 'firstSellProduct' and d.role = 'own' and d.state = 'reviewed' and l.specification_id = t.specification_id) then 'approved' else 'none' end`,
    check_state: check('state'),
    check_problem: check('problem'),
  }
}

export const dealerProductRules: RecordRules = {
  kind: 'dealerProduct',
  platformReads: 'D',
  /** The platform watches what is traded, never at which price. */
  columns: (tx, session) => ({
    ...catalogueColumns(tx),
    ...standing(tx, session),
    ...(isPlatformReading(session)
      ? { purchase_price: tx`null::numeric`, sale_price: tx`null::numeric`, lowest_price: tx`null::numeric` }
      : {}),
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
  async saved(tx, session, _id, change) {
    if (session.org.type !== 'D') return
    const products = await productOf(tx, change.after.specification_sn)
    if (!change.before)
      await tx`insert into product_pick (product_id, picker_id) select p, ${session.org.id} from unnest(${products}::bigint[]) p on conflict do nothing`
    await countLights(tx, session.org.id, products)
  },
  async mayLeave(tx, session, action, row) {
    if (action === 'disable') return
    const specification = String(row.specification_sn)
    const [used] =
      await tx`select 1 from document_line where org_id = ${session.org.id} and specification_id = ${specification} limit 1`
    if (used || (await hasStock(tx, session, specification)))
      throw new Refusal('blocked', '经营产品已有业务记录，不能删除，可以停用')
  },
  actions: {
    /** 复制: another size under the same terms. */
    async copy(tx, session, row, _reason, answers) {
      const made = await tx`
        insert into dealer_product (org_id, specification_id, supplier_id, purchase_price, sale_price, lowest_price, tax_rate, sales_tax_rate, minimum, maximum, default_warehouse_id, default_location, is_consigned, is_unit_coded)
        select org_id, ${String(answers.other_sn)}, supplier_id, purchase_price, sale_price, lowest_price, tax_rate, sales_tax_rate, minimum, maximum, default_warehouse_id, default_location, is_consigned, is_unit_coded
          from dealer_product where org_id = ${session.org.id} and id = ${String(row.dealer_product_sn)}
           and exists (select 1 from specification s where s.id = ${String(answers.other_sn)} and s.status = 'released')
        on conflict (org_id, specification_id) do nothing returning id`
      if (made.length === 0) throw new Refusal('duplicate', '产品已在本机构目录中，或未发布')
      if (session.org.type === 'D') await countLights(tx, session.org.id, await productOf(tx, answers.other_sn))
    },
  },
}
