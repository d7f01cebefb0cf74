import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { classSaid } from '#modules/trade/catalogue/products/risk-classes.ts'
import type { Fragment, RecordRow } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** The names of the items that a product lacks for its release; over a product's row `t`. */
export const missingOf = (tx: Tx): Fragment => tx`array_remove(array[
  case when coalesce(t.name, '') = '' then '产品名称' end,
  case when not exists (select 1 from organisation o where o.id = t.manufacturer_id and o.status = 'enabled')
    then '生产厂家' end,
  case when not exists (select 1 from specification s
    where s.product_id = t.id and s.registration_certificate_id is not null)
         or exists (select 1 from specification s where s.product_id = t.id and s.registration_certificate_id is null)
           then '注册证号' end,
  case when not exists (select 1 from specification s
    join registration_certificate c on c.id = s.registration_certificate_id
    where s.product_id = t.id and c.attachments <> '{}')
    then '注册证扫描件' end,
  case when coalesce(t.device_class, '') = '' then '管理类别' end,
  case when t.class_code is null and t.class_code_2002 is null then '68分类/2017子目录' end,
  case when not exists (select 1 from specification s where s.product_id = t.id)
         or (t.no_di_reason is null
           and exists (select 1 from specification s where s.product_id = t.id and s.udi_di is null
           and s.no_di_reason is null)) then 'UDI-DI' end,
  case when exists (select 1 from specification s where s.product_id = t.id and coalesce(s.unit_name, '') = '')
         or not exists (select 1 from specification s where s.product_id = t.id) then '包装单位' end,
  case when coalesce(t.storage_condition, '') = '' then '储存条件' end,
  case when t.pictures = '{}' then '产品图片' end], null)`
/** The number of items required of a product before its release. */
export const ASKED = 10

/**
 * Other products that may be the same one: the same certificate and size, the same identifier, or a very similar
 * name from the same manufacturer.
 */
export const similarOf = (tx: Tx): Fragment => tx`
  select o.id from product o
   where o.id <> t.id and o.status in ('released', 'unreleased', 'pending')
     and ((o.manufacturer_id = t.manufacturer_id and similarity(o.name, t.name) > 0.5)
       or exists (select 1 from specification a join specification b on b.product_id = t.id
                   where a.product_id = o.id
                     and (a.udi_di = b.udi_di or (a.registration_certificate_id = b.registration_certificate_id
                     and a.name = b.name))))`

/** Refuses a product's next step while sizes or certificates are missing or a certificate is expired. */
export async function mustBeWhole(tx: Tx, row: Readonly<RecordRow>): Promise<void> {
  const [face] = await tx<{ sizes: number; without: string | null }[]>`
    select count(s.id)::int as sizes, min(s.name) filter (where c.id is null or c.valid_to < ${today()}) as without
      from specification s left join registration_certificate c on c.id = s.registration_certificate_id
     where s.product_id = ${String(row.product_sn)}`
  if (!face || face.sizes === 0) throw new BusinessError('rule', `产品【${String(row.name)}】至少要有一个规格`)
  if (row.device_class !== 'I' && face.without !== null)
    throw new BusinessError('expiredLicence', `规格【${face.without}】没有有效的注册证`)
}

/** The scan of the certificate, without which a reviewer cannot decide. */
export async function mustHaveScan(tx: Tx, row: Readonly<RecordRow>): Promise<void> {
  const [bare] = await tx<{ no: string }[]>`
    select c.certificate_no as no from specification s
      join registration_certificate c on c.id = s.registration_certificate_id
     where s.product_id = ${String(row.product_sn)} and c.attachments = '{}' limit 1`
  if (bare) throw new BusinessError('rule', `注册证${bare.no}没有扫描件，请先在产品注册证上传`)
}

/** Requires all ten items, or names what is missing. */
export async function mustBeComplete(tx: Tx, product: string): Promise<void> {
  const [row] = await tx<{ name: string; missing: string[] }[]>`
    select t.name, ${missingOf(tx)} as missing from product t where t.id = ${product}`
  if (row && row.missing.length > 0) throw new BusinessError('rule', `产品资料不完整：${row.missing.join('、')}`)
}

type Certified = { readonly no: string; readonly device_class: string; readonly audit_state: string }

/**
 * Goods pass and are released on certificates that the platform passed, of the product's own device class. Returns the
 * fault of a certificate and the next step.
 */
async function whyUncertified(tx: Tx, product: string, { audited }: { audited: boolean }): Promise<string | null> {
  const rows = await tx<Certified[]>`
    select distinct c.certificate_no as no, p.device_class, c.audit_state
      from product p join specification s on s.product_id = p.id
      join registration_certificate c on c.id = s.registration_certificate_id
     where p.id = ${product} order by c.certificate_no`
  for (const { no, device_class, audit_state } of rows) {
    const said = classSaid(no)
    if (said !== null && said !== device_class)
      return `注册证${no}为${said}类，产品管理类别为${device_class}类，不一致，请核对后更正`
    if (audited && audit_state === 'refused') return `注册证${no}审核未通过，请退回产品，更正注册证后重新提交`
    if (audited && audit_state !== 'passed') return `注册证${no}尚未审核通过，请先在产品注册证中审核`
  }
  return null
}

export async function mustBeCertified(tx: Tx, product: string, how: { audited: boolean }): Promise<void> {
  const wrong = await whyUncertified(tx, product, how)
  if (wrong !== null) throw new BusinessError('rule', wrong)
}

/**
 * The reason why it can neither be passed nor published: certificates expired today or not passed, an identifier that
 * belongs to another product, an unknown manufacturer.
 */
export async function whyNotPass(tx: Tx, product: string): Promise<string | null> {
  const [row] = await tx<{ expired: string | null; collides: string | null; maker: boolean; sizes: number }[]>`
    select (select min(c.certificate_no) from specification s
      join registration_certificate c on c.id = s.registration_certificate_id
      where s.product_id = p.id and c.valid_to < ${today()}) as expired,
           (select min(s.udi_di) from specification s
             where s.product_id = p.id
             and exists (select 1 from pack_unit u
             where u.udi_di = s.udi_di and u.specification_id <> s.id)) as collides,
           exists (select 1 from organisation o where o.id = p.manufacturer_id and o.status = 'enabled') as maker,
           (select count(*)::int from specification s where s.product_id = p.id) as sizes
      from product p where p.id = ${product}`
  if (!row) return '产品不存在或已被删除'
  if (row.sizes === 0) return '产品没有规格，不能通过审核'
  if (row.expired !== null) return `注册证已过期，不能通过审核：${row.expired}`
  if (row.collides !== null) return `UDI-DI ${row.collides} 已被其他产品使用，不能通过审核`
  return row.maker ? whyUncertified(tx, product, { audited: true }) : '生产厂家未通过平台审核，不能通过审核'
}

/**
 * The reason why a product cannot have a name: another one of its manufacturer has it, or will have it as soon as a
 * change of it that has passed is published.
 */
export async function whyNotCalled(tx: Tx, product: string, name: string | null): Promise<string | null> {
  if (name === null || name === '') return null
  const [other] = await tx`
    select 1 from product o join product p on p.id = ${product} and p.manufacturer_id = o.manufacturer_id
     where o.id <> p.id and o.status <> 'matched'
       and (o.name = ${name} or exists (
         select 1 from product_revision v
          where v.product_id = o.id and v.state = 'passed' and v.effective_at is null and v.name = ${name}))
     limit 1`
  return other ? `产品名称【${name}】已存在` : null
}

/** The reason why a product can no longer be edited, and the way to change it nevertheless. */
export const whyLocked = (status: unknown): string => {
  if (status === 'pending') return '产品已提交，不能修改，请先撤回'
  if (status === 'unreleased') return '产品已审核待发布，不能修改，请联系平台退回后再修改'
  if (status === 'released') return '产品已发布，请使用“申请变更”，审核通过后生效'
  return '产品已停用或已匹配到其他产品，不能修改'
}
