import { byName, patchDocument } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'

type Place = { readonly place: string | null }

/** Our own warehouse that the order names, with its address or else the organisation's. */
async function ownPlace({ tx, session, doc }: ActionContext): Promise<Place | undefined> {
  const ward = byName(doc).direct_ward_inner_sn as string | null | undefined
  const [found] = await tx<Place[]>`
    select nullif(concat_ws(' ', coalesce(nullif(w.address, ''), nullif(o.address, '')), w.name), w.name) as place
      from organisation o
      left join warehouse w on w.org_id = o.id and w.id = ${ward || doc.warehouse_model_inner_sn}
     where o.id = ${session.org.id}`
  return found
}

/** The customer's delivery address: the one that we keep in our records, else the address of its organisation. */
async function customerPlace({ tx, session, doc }: ActionContext): Promise<Place | undefined> {
  const [found] = await tx<Place[]>`
    select coalesce(
        (select nullif(r.delivery_address, '') from org_relation r
          where r.org_id = ${session.org.id} and r.partner_id = o.id and r.status = 'enabled'
            and r.delivery_address <> '' order by r.id limit 1),
        nullif(o.address, '')) as place
      from organisation o where o.id = ${doc.counterparty_sn}`
  return found
}

/**
 * Sets the delivery address of an order: the one written on it, else that of master data. An order without either is
 * neither submitted nor approved.
 */
const needsPlace =
  (placeOf: (ctx: ActionContext) => Promise<Place | undefined>, sentence: string) =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, doc } = ctx
    if (byName(doc).delivery_address) return
    const delivery_address = (await placeOf(ctx))?.place?.slice(0, 200)
    if (!delivery_address) throw new BusinessError('rule', sentence, [{ field: 'delivery_address', msg: sentence }])
    await patchDocument(tx, session, doc, { delivery_address }, 'withAction')
    Object.assign(doc, { delivery_address })
  }

export const needsOwnPlace = needsPlace(
  ownPlace,
  '请填写【收货地址】：收货仓库和本机构都没有维护地址，可在订单中填写，或先在仓库建模中维护',
)
export const needsCustomerPlace = needsPlace(
  customerPlace,
  '请填写【收货地址】：客户资料中没有收货地址，可在订单中填写，或先在往来单位中维护',
)
