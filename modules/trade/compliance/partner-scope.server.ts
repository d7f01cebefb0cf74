import type { firstTierOrg } from '#modules/trade/compliance/first-tier-org.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { outsideScope } from '#modules/trade/licensing/business-scope.server.ts'
import { patchDocument } from '#server/public/documents.ts'

type Context = ContextOf<typeof firstTierOrg>

/** Class II and III devices in the own catalogue that the partner delivers or makes. */
const goodsFrom = ({ tx, session, doc }: Context) => tx<{ name: string; code: string }[]>`
  select distinct p.name, coalesce(p.class_code, p.class_code_2002) as code
    from (select specification_id, supplier_id from hospital_product
      where org_id = ${session.org.id} and status = 'enabled'
          union select specification_id, supplier_id from dealer_product
            where org_id = ${session.org.id} and status = 'enabled') k
    join specification s on s.id = k.specification_id join product p on p.id = s.product_id
   where ${String(doc.partner_sn)}::bigint in (k.supplier_id, p.manufacturer_id) and p.device_class <> 'I'
     and coalesce(p.class_code, p.class_code_2002) is not null order by 2, 1`

/**
 * 核对经营范围: compares the goods that the partner delivers or makes for us with the scope on the approval; the result is
 * stored on it.
 */
export async function compareScope(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const goods = await goodsFrom(ctx)
  const outside = await outsideScope(
    tx,
    String(doc.scope ?? ''),
    goods.map(good => good.code),
  )
  const unknown = goods.filter(good => outside?.includes(good.code))
  const said =
    outside === null
      ? '经营范围未写明分类编码，请人工核对'
      : goods.length === 0
        ? '本机构目录中没有该企业的产品'
        : unknown.length === 0
          ? `目录中该企业的${goods.length}个产品均在范围内`
          : `超出范围：${unknown.map(good => `${good.code}【${good.name}】`).join('、')}`
  await patchDocument(tx, session, doc, { scope_check: said.slice(0, 500) }, 'withAction')
}
