import { isDay, today } from '#kernel/values/date.ts'
import { add, type Decimal, isPositive, multiply } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { countLights } from '#modules/trade/licensing/dealer-lights.server.ts'
import {
  catalogueColumns,
  fillDefaults,
  hasStock,
  stockColumns,
  typeOf,
} from '#modules/trade/catalogue/assortment/catalogue-columns.server.ts'
import { type Fragment, isPlatformReading, type ListActionHandler, type RecordRules } from '#server/public/records.ts'
import { refuseBeyondVip } from '#modules/base/settings/plan-limits.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const productOf = async (tx: Tx, specification: unknown): Promise<string[]> =>
  (await tx<{ id: string }[]>`select product_id as id from specification where id = ${String(specification)}`).map(
    row => row.id,
  )

/** The product's status: its own group, the stock of the organisation, whether it was approved and checked. */
function standing(tx: Tx, session: Session): Record<string, Fragment> {
  const org = session.org.id
  const check = (column: string) =>
    tx`(select ${tx(`k.${column}`)} from dealer_check k
      where k.dealer_id = ${org} and k.product_id = ${tx('to_specification_sn.product_id')})`
  return {
    custom_type: typeOf(tx, session, 'own'),
    ...stockColumns(tx, session),
    first_state: tx`case
      when exists (select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      where d.org_id = ${org} and d.kind = 'firstSellProduct' and d.role = 'own' and d.state = 'reviewed'
        and l.specification_id = t.specification_id) then 'approved' else 'none' end`,
    check_state: check('state'),
    check_problem: check('problem'),
  }
}

type Priced = { specification_id: string; name: string; now: Decimal }

/** 批量调价: a price document for the selected products; their prices change from its effective date, once reviewed. */
const reprice: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const buys = asked.side === 'purchase'
  const [rate, fixed] = [asked.change_rate, asked.fixed_price] as (Decimal | null | undefined)[]
  if ((rate ? 1 : 0) + (fixed ? 1 : 0) !== 1) throw new BusinessError('invalid', '调整幅度与统一调为请填写其中一项')
  const day = isDay(asked.effective_on) ? asked.effective_on : today()
  if (day < today()) throw new BusinessError('rule', '生效日期不能早于当前日期')
  const rows = await tx<Priced[]>`
    select e.specification_id, p.name || ' ' || s.name as name, ${buys ? tx`e.purchase_price` : tx`e.sale_price`} as now
      from dealer_product e join specification s on s.id = e.specification_id join product p on p.id = s.product_id
     where e.org_id = ${session.org.id} and e.status = 'enabled' and e.id = any(${ids as string[]}::bigint[])
       order by e.specification_id`
  if (rows.length < ids.length) throw new BusinessError('rule', '所选产品中有已停用的，请先启用或取消勾选')
  const bare = fixed ? undefined : rows.find(row => !isPositive(row.now))
  if (bare) throw new BusinessError('rule', `【${bare.name}】还没有${buys ? '进价' : '销售价'}，不能按幅度调整`)
  const lines = rows.map(row => {
    const next = fixed ?? multiply(row.now, add('1', rate!, 6), 4)
    if (!isPositive(next)) throw new BusinessError('rule', `【${row.name}】调整后的价格必须大于0`)
    return { specification_sn: row.specification_id, ...(buys ? { new_price: next } : { new_sale: next }) }
  })
  const sn = await createSystemDraft(
    tx,
    session,
    'priceAdjustment',
    {
      adjust_type: buys ? 'purchase' : 'sale',
      adjust_reason: 'market',
      effective_on: day,
      policy_no: asked.why ?? null,
      remark: '由经营产品批量调价生成',
    },
    lines,
  )
  return { said: `已生成调价单${sn}，共${lines.length}个产品，请在“调价单”核对后提交审核` }
}

/**
 * 推荐税收编码: the tax code that the platform entered at the product's class, or at the nearest class above it; a code that
 * somebody entered stays.
 */
const proposeTax: ListActionHandler = async ({ tx, session, ids }) => {
  const filled = await tx`
    update dealer_product e set tax_code = x.tax_code, version = e.version + 1
      from (
        select distinct on (d.id) d.id, c.tax_code
          from dealer_product d join specification s on s.id = d.specification_id join product p on p.id = s.product_id
          join device_class c on c.tax_code is not null and c.status = 'enabled'
            and (p.class_code = c.code or p.class_code like c.code || '-%'
              or p.class_code_2002 = c.code or p.class_code_2002 like c.code || '-%')
         where d.org_id = ${session.org.id} and d.id::text = any(${[...ids]}) and d.tax_code is null
         order by d.id, c.catalogue desc, length(c.code) desc) x
     where e.org_id = ${session.org.id} and e.id = x.id returning e.id`
  if (filled.length === 0)
    throw new BusinessError('rule', '所选产品已有税收分类编码，或其分类没有推荐的编码，请手工填写')
  const left = ids.length - filled.length
  return {
    said: `已填写${filled.length}个产品的税收分类编码，请核对${left > 0 ? `；另有${left}个已有编码或没有推荐` : ''}`,
  }
}

export const dealerProductRules: RecordRules = {
  kind: 'dealerProduct',
  platformReads: 'D',
  /** The platform sees what is traded, never at which price. */
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
      select s.status, p.manufacturer_id, p.built_by_id from specification s join product p on p.id = s.product_id
        where s.id = ${String(change.after.specification_sn)}`
    const isOwn = found?.built_by_id === session.org.id || found?.manufacturer_id === session.org.id
    return found?.status === 'released' || isOwn ? [] : [{ field: 'specification_sn', msg: '产品未发布，不能经营' }]
  },
  async saved(tx, session, _id, change) {
    if (session.org.type !== 'D') return
    const products = await productOf(tx, change.after.specification_sn)
    if (!change.before)
      await tx`insert into product_pick (product_id, picker_id) select p, ${session.org.id}
        from unnest(${products}::bigint[]) p on conflict do nothing`
    await countLights(tx, session.org.id, products)
  },
  async mayLeave(tx, session, action, row) {
    if (action === 'disable') return
    const specification = String(row.specification_sn)
    const [used] =
      await tx`select 1 from document_line where org_id = ${session.org.id} and specification_id = ${specification}
        limit 1`
    if (used || (await hasStock(tx, session, specification)))
      throw new BusinessError('blocked', '经营产品已有业务记录，不能删除，可以停用')
  },
  calls: {
    proposeTax,
    price: reprice,
  },
  actions: {
    /** 复制: another size under the same terms. */
    async copy(tx, session, row, _reason, answers) {
      const made = await tx`
        insert into dealer_product (org_id, specification_id, supplier_id, purchase_price, sale_price, lowest_price,
          tax_rate, sales_tax_rate, minimum, maximum, default_warehouse_id, default_location, is_consigned,
          is_unit_coded)
        select org_id, ${String(answers.other_sn)}, supplier_id, purchase_price, sale_price, lowest_price, tax_rate,
          sales_tax_rate, minimum, maximum, default_warehouse_id, default_location, is_consigned, is_unit_coded
          from dealer_product where org_id = ${session.org.id} and id = ${String(row.dealer_product_sn)}
           and exists (select 1 from specification s where s.id = ${String(answers.other_sn)} and s.status = 'released')
        on conflict (org_id, specification_id) do nothing returning id`
      if (made.length === 0) throw new BusinessError('duplicate', '产品已在本机构目录中，或未发布')
      if (session.org.type === 'D') await countLights(tx, session.org.id, await productOf(tx, answers.other_sn))
    },
  },
}
