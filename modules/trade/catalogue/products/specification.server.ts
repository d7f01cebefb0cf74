import { isGtin } from '#kernel/codes/check-digit.ts'
import { deviceIdentifier } from '#kernel/codes/device-identifier.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { classSaid } from '#modules/trade/catalogue/products/risk-classes.ts'
import { catalogueOf, offeredTo, productsSeen } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import { isTakenIn } from '#modules/trade/catalogue/assortment/catalogue-columns.server.ts'
import { whyLocked } from '#modules/trade/catalogue/products/release-readiness.server.ts'
import type { Change, Fragment, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * The price of a size for the caller: the hospital's or dealer's purchase price, the manufacturer's sale price,
 * otherwise the reference price.
 */
function priceOf(tx: Tx, session: Session): Fragment {
  const org = session.org.id
  if (session.org.type === 'H')
    return tx`coalesce((select nullif(c.purchase_price, 0) from hospital_product c
      where c.org_id = ${org} and c.specification_id = t.id), t.price)`
  if (session.org.type === 'D')
    return tx`coalesce((select nullif(c.purchase_price, 0) from dealer_product c
      where c.org_id = ${org} and c.specification_id = t.id), t.price)`
  if (session.org.type === 'V')
    return tx`coalesce((select nullif(c.sale_price, 0) from dealer_product c
      where c.org_id = ${org} and c.specification_id = t.id), t.price)`
  return tx`t.price`
}

const supplierOf = (tx: Tx, session: Session): Fragment =>
  session.org.type === 'H'
    ? tx`(select c.supplier_id from hospital_product c
      where c.org_id = ${session.org.id} and c.specification_id = t.id)`
    : tx`(select c.supplier_id from dealer_product c where c.org_id = ${session.org.id} and c.specification_id = t.id)`

/** The caller must own the product, and it must not be submitted yet. */
export async function mustKeepProduct(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const [product] = await tx<{ status: string; built_by_id: string | null; manufacturer_id: string }[]>`
    select status, built_by_id, manufacturer_id from product where id = ${String(row.product_sn)}`
  if (session.org.type === 'P') return
  const isMine =
    product?.built_by_id === session.org.id || (session.org.type === 'V' && product?.manufacturer_id === session.org.id)
  if (!isMine) throw new BusinessError('forbidden', '只能维护本机构建立的产品')
  if (product?.status !== 'self_built') throw new BusinessError('wrongState', whyLocked(product?.status))
}

/** Another product for which the manufacturer already uses this code. */
async function keptForOther(tx: Tx, di: string, id: string | null): Promise<string | null> {
  const [row] = await tx<{ goods: string }[]>`
    select p.name || ' ' || s.name as goods from product_barcode b join specification s on s.id = b.specification_id
      join product p on p.id = s.product_id
     where b.code = ${di} and b.for_everybody and b.status = 'enabled' and b.specification_id is distinct
       from ${id}::bigint limit 1`
  return row?.goods ?? null
}

/** A numeric device identifier is a GTIN and its check digit is verified; the message names whose it is. */
async function checkIdentifier(tx: Tx, change: Change): Promise<readonly { field: string; msg: string }[]> {
  const written = change.after.udi_di as string | null
  if (!written) return []
  // Digits are refused unless they are all fourteen; an HIBC code loses the check character that labels print.
  const named = deviceIdentifier(written)
  const di = named?.issuer === 'hibc' ? named.di : written
  change.after.udi_di = di
  if (/^\d+$/.test(di) && (di.length !== 14 || !isGtin(di))) return [{ field: 'udi_di', msg: 'UDI-DI校验位错误' }]
  const [other] = await tx<{ product: string; name: string }[]>`
    select p.name as product, s.name from specification s join product p on p.id = s.product_id
      where s.udi_di = ${di} and s.id is distinct from ${change.id}::bigint limit 1`
  const kept = other ? undefined : await keptForOther(tx, di, change.id)
  if (kept) return [{ field: 'udi_di', msg: `UDI-DI已被产品【${kept}】使用` }]
  if (other)
    throw new BusinessError('duplicate', `UDI-DI已被产品【${other.product} ${other.name}】使用`, [
      { field: 'udi_di', msg: `UDI-DI已被产品【${other.product} ${other.name}】使用` },
    ])
  return []
}

/** A size name is unique within its product; sizes of other products mapped to it do not count. */
async function refuseSameName(tx: Tx, { id, after }: Change): Promise<void> {
  const [duplicate] = await tx`
    select 1 from specification where product_id = ${String(after.product_sn)} and name = ${String(after.name)}
      and mapped_to_id is null and id is distinct from ${id}::bigint limit 1`
  if (duplicate)
    throw new BusinessError('duplicate', `规格型号【${String(after.name)}】已存在`, [
      { field: 'name', msg: '该产品已有此规格型号' },
    ])
}

/** The class in a certificate's number must be the product's: 国械注准2019 3 13 0123. */
async function checkCertificate(tx: Tx, change: Change): Promise<readonly { field: string; msg: string }[]> {
  if (!change.after.registration_certificate_sn) return []
  const [found] = await tx<{ device_class: string; certificate_no: string }[]>`
    select p.device_class, c.certificate_no from product p cross join registration_certificate c
     where p.id = ${String(change.after.product_sn)} and c.id = ${String(change.after.registration_certificate_sn)}`
  const said = classSaid(found?.certificate_no ?? '')
  return said !== null && said !== found?.device_class
    ? [{ field: 'registration_certificate_sn', msg: '管理类别与注册证号不一致' }]
    : []
}

/**
 * A mapped size appears in lists only until the caller has the size it was mapped to: asking for that one then means
 * both.
 */
const unmapped = (tx: Tx, session: Session): Fragment =>
  tx`(t.mapped_to_id is null or t.mapped_to_id not in (${catalogueOf(tx, session)}))`

/** Sizes the caller sees: those of its catalogue and its own; on request, everything on offer. */
const seen = (tx: Tx, session: Session, parameters: Readonly<Record<string, unknown>>): Fragment =>
  session.org.type === 'H' || session.org.type === 'D'
    ? tx`(${parameters.one ? tx`true` : unmapped(tx, session)}
      and (t.id in (${catalogueOf(tx, session)})
      or exists (select 1 from product p where p.id = t.product_id and p.built_by_id = ${session.org.id})
          ${
            parameters.scope === 'released' || parameters.one
              ? tx`or t.status = 'released'
            and exists (select 1 from product p where p.id = t.product_id and ${offeredTo(tx, session)})`
              : tx``
          }))`
    : tx`(${productsSeen(tx, session, tx`t.product_id`, parameters.scope === 'released' || parameters.one === true)}
      and ${parameters.one ? tx`true` : tx`t.mapped_to_id is null`})`

/** Sizes that may still be ordered: not withdrawn, and not stopped by the caller. */
const stillAsked = (tx: Tx, session: Session): Fragment => {
  return tx`t.status not in ('withdrawn', 'matched') and ${notStopped(tx, session)}`
}

/** Sizes the caller did not stop in its own catalogue. */
const notStopped = (tx: Tx, session: Session): Fragment => {
  const own = session.org.type === 'H' ? tx`hospital_product` : tx`dealer_product`
  return tx`not exists (select 1 from ${own} x where x.org_id = ${session.org.id} and x.specification_id = t.id
    and x.status <> 'enabled')`
}

/**
 * If no class was entered, the product gets the class in a certificate's number: the two digits after the class digit
 * are a sub-catalogue of 2017 for certificates issued under it, the last two of 68xx for older ones. In numbers of the
 * transition year it can be either.
 */
async function proposeClass(tx: Tx, { after }: Change): Promise<void> {
  if (!after.registration_certificate_sn) return
  const [doc] = await tx<{ no: string }[]>`
    select certificate_no as no from registration_certificate where id = ${String(after.registration_certificate_sn)}`
  const [, year, digits] = /(?:械注[准进许]|字)(\d{4})第?[23](\d{2})\d{4}/.exec(doc?.no ?? '') ?? []
  if (!year || !digits || year === CHANGED_IN) return
  const [list, code] = year > CHANGED_IN ? ['2017', digits] : ['2002', `68${digits}`]
  await tx`
    update product set class_code = case when ${list} = '2017' then ${code} else class_code end,
      class_code_2002 = case when ${list} = '2002' then ${code} else class_code_2002 end
     where id = ${String(after.product_sn)} and class_code is null and class_code_2002 is null
       and exists (select 1 from device_class where catalogue = ${list} and code = ${code} and status = 'enabled')`
}
/** The year in whose August the catalogue of 2017 came into force. */
const CHANGED_IN = '2018'

export const specificationRules: RecordRules = {
  kind: 'specification',
  visible: (tx, session, parameters) =>
    tx`${seen(tx, session, parameters)}
      and ${parameters.asked ? stillAsked(tx, session) : parameters.kept ? notStopped(tx, session) : tx`true`}`,
  columns: (tx, session) => ({
    price: priceOf(tx, session),
    supplier_sn: supplierOf(tx, session),
    unit_inner_sn: tx`t.id`,
    manufacturer_name: tx`(select o.name from organisation o where o.id = ${tx('to_product_sn.manufacturer_id')})`,
  }),
  search: (
    tx,
    pattern,
  ) => tx`(t.name || ' ' || t.code || ' ' || coalesce(t.model, '')) ilike ${pattern} or t.udi_di ilike ${pattern}
    or exists (select 1 from product p
      where p.id = t.product_id and ((p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${pattern}
        or p.brand ilike ${pattern}))`,
  async check(tx, session, change) {
    await mustKeepProduct(tx, session, change.after)
    if (!change.before) {
      const [made] = await tx<{ code: string; number: number; status: string }[]>`
        select p.code, p.status, (select count(*)::int from specification s where s.product_id = p.id) + 1 as number
          from product p where p.id = ${String(change.after.product_sn)}`
      change.after.code = `${made?.code}-${String(made?.number).padStart(2, '0')}`
      change.after.status = made?.status ?? 'self_built'
    } else if (change.after.product_sn !== change.before.product_sn)
      return [{ field: 'product_sn', msg: '规格不能换到另一个产品' }]
    await refuseSameName(tx, change)
    const more = [...(await checkIdentifier(tx, change)), ...(await checkCertificate(tx, change))]
    if (change.before && change.before.unit_name !== change.after.unit_name) {
      const [used] =
        await tx`select 1 from document_line where org_id = ${session.org.id} and specification_id = ${change.id}
          limit 1`
      if (used) return [...more, { field: 'unit_name', msg: '单位已被业务单据使用，不能修改' }]
      if (await isTakenIn(tx, session, String(change.id)))
        return [...more, { field: 'unit_name', msg: '产品已被其他机构引入，不能修改基本单位' }]
    }
    return more
  },
  saved: (tx, _session, _id, change) => proposeClass(tx, change),
  async mayLeave(tx, session, _action, row) {
    await mustKeepProduct(tx, session, row)
    const [used] = await tx`select 1 from document_line
        where org_id = ${session.org.id} and specification_id = ${String(row.specification_sn)} limit 1`
    if (used) throw new BusinessError('blocked', '规格已被业务单据引用，不能删除')
    await tx`delete from pack_unit where specification_id = ${String(row.specification_sn)}`
  },
}
