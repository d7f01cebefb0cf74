import { byName, patchDocument, patchLines, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { type Decimal, isZero, share } from '#kernel/values/decimal.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withoutPermit } from '#modules/trade/lease/contracts/permits.server.ts'
import { contractState } from '#modules/trade/lease/leases.server.ts'
import { mayStore } from '#modules/base/vocabulary/storage-conditions.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'

/** A quantity among the own fields of a line. */
export const figure = (line: StoredLine, name: string): Decimal =>
  (byName(line)[name] as Decimal | null | undefined) ?? '0'

/** The price of a line for one piece, whatever unit it was written in. */
export const perBaseUnit = (line: StoredLine): Decimal =>
  isZero(line.base_quantity) ? line.price : share(line.taxed_amount, '1', line.base_quantity, 4)

/** For a quantity in pieces of a line that was written in packs. */
export const inBaseUnits = (line: StoredLine) =>
  line.unit_inner_sn === null ? {} : { unit_inner_sn: line.specification_sn, price: perBaseUnit(line) }

/** Stores the results of the action on the lines; returns the document's lines after that. */
export async function patchedLines(
  { tx, session, doc }: ActionContext,
  patches: Parameters<typeof patchLines>[3],
): Promise<readonly StoredLine[]> {
  await patchLines(tx, session, doc, patches, 'withAction')
  return doc.lines.map(line => ({
    ...line,
    ...patches.find(each => each.line_no === line.line_no)?.values,
  })) as readonly StoredLine[]
}

type Rented = {
  readonly lessor_id: string
  readonly lessor_name: string
  readonly contract_state: string
  readonly contract_no: string
  readonly area_id: string
  readonly area_code: string
  readonly warehouse_id: string
  readonly warehouse_name: string
  readonly storage_condition: string
}

/** The tenant's own row of an area that it rents. */
export async function rentedArea(tx: Tx, org: string, id: unknown): Promise<Rented> {
  const [row] = await tx<Rented[]>`
    select r.*, o.name as lessor_name from rented_area r join organisation o on o.id = r.lessor_id
     where r.org_id = ${org} and r.id = ${String(id ?? '0')}`
  if (!row) throw new BusinessError('rule', '承租库区不存在或已停租，请重新选择')
  return row
}

/** Writes place and partner as text that the lessor can read; the lessor follows from the place. */
export async function withPlace(ctx: ActionContext, partner: string): Promise<StoredDocument> {
  const { tx, session, doc } = ctx
  const place = await rentedArea(tx, session.org.id, byName(doc).rented_area_sn)
  const [named] = doc.counterparty_sn
    ? await tx<{ name: string }[]>`select name from organisation where id = ${doc.counterparty_sn}`
    : []
  const values = {
    lessor_sn: place.lessor_id,
    area_code: place.area_code,
    lessor_store: place.warehouse_name,
    [partner]: named?.name ?? null,
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values } as StoredDocument
}

/** No goods are received under a contract that is over; stored goods may still leave. */
export async function needsRunningLease({ tx, session, doc }: ActionContext): Promise<void> {
  const place = await rentedArea(tx, session.org.id, byName(doc).rented_area_sn)
  if (!['running', 'ending'].includes(place.contract_state))
    throw new BusinessError('rule', '承租合同已到期，不能提交通知')
}

/** The area of the notice at the tenant's lessor, with the contract that leases it. */
export type LetArea = {
  readonly area_code: string
  readonly warehouse_id: string
  readonly storage_condition: string
  readonly contract_state: string
  readonly device_scope: string | null
}

/** The lessor's side of the same area; refuses if no area there was ever leased to the tenant. */
export async function letArea({ tx, session, doc }: ActionContext): Promise<LetArea> {
  const { area_code, lessor_store } = byName(doc)
  const [row] = await tx<LetArea[]>`
    select a.code as area_code, a.warehouse_id, a.storage_condition, c.device_scope,
           case when coalesce(l.end_on, c.valid_to) < ${today()}::date then 'ended' else ${contractState(tx)} end
             as contract_state
      from lease_line l
      join lease_contract c on c.org_id = l.org_id and c.id = l.lease_contract_id
      join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
      join warehouse w on w.org_id = a.org_id and w.id = a.warehouse_id
     where l.org_id = ${session.org.id} and c.lessee_id = ${doc.counterparty_sn} and a.code = ${String(area_code)}
       and w.name = ${String(lessor_store)}
     order by l.start_on desc limit 1`
  if (!row) throw new BusinessError('rule', `库区${String(area_code)}没有租给该承租方`)
  return row
}

/** Goods may only be sent to an area with fitting storage conditions. */
export async function checkStorage(
  tx: Tx,
  lines: StoredDocument['lines'],
  area: { readonly area_code: string; readonly storage_condition: string },
): Promise<void> {
  const goods = await tx<{ name: string; is_cold_chain: boolean; storage: string | null }[]>`
    select distinct p.name, p.is_cold_chain, p.storage_condition as storage
      from specification s join product p on p.id = s.product_id
     where s.id = any(${lines.flatMap(line => line.specification_sn ?? [])}::bigint[])`
  const wrong = goods.find(row => !mayStore(area.storage_condition, row.is_cold_chain, row.storage))
  if (wrong) throw new BusinessError('rule', `库区${area.area_code}储存条件不符合${wrong.name}的要求`)
}

/** Registration certificates must be valid on the day, and the contract must permit the class of the goods. */
export async function checkGoods(
  tx: Tx,
  lines: StoredDocument['lines'],
  scope: string | null,
  action: string,
): Promise<void> {
  const goods = await tx<{ name: string; class_code: string | null; holds: boolean }[]>`
    select p.name, p.class_code_2002 as class_code,
           c.id is null or c.valid_to is null or c.valid_to >= ${today()}::date as holds
      from specification s join product p on p.id = s.product_id
      left join registration_certificate c on c.id = s.registration_certificate_id
     where s.id = any(${lines.flatMap(line => line.specification_sn ?? [])}::bigint[])`
  const expired = goods.find(row => !row.holds)
  if (expired) throw new BusinessError('rule', `产品【${expired.name}】的注册证已过期，不能${action}`)
  const classes: readonly string[] = (scope ?? '').match(/\d{4}/g) ?? []
  const outside = classes.length === 0 ? undefined : goods.find(row => !classes.includes(row.class_code ?? ''))
  if (outside) throw new BusinessError('rule', `产品【${outside.name}】不在租赁合同允许的经营范围内，不能${action}`)
}

/** Refuses the action if the tenant has no valid permit in the archive of `org`. */
export async function checkPermit(tx: Tx, org: string, lessee: string, action: string): Promise<void> {
  const name = await withoutPermit(tx, org, lessee)
  if (name !== null) throw new BusinessError('rule', `承租方${name}的经营许可证无效，不能${action}`)
}

type LineFigure = { readonly line_no: number; readonly figures: readonly string[] }

/** Reads `1:90:10, 2:5` as figures by line; each line once, and only existing lines. */
export function figuresOf(doc: StoredDocument, said: unknown): readonly LineFigure[] | null {
  if (typeof said !== 'string' || said === '') return null
  const parsed = said.split(/[,，、 ]+/).map(part => {
    const [no, ...figures] = part.split(/[:：]/)
    const line = doc.lines.find(each => String(each.line_no) === no)
    if (!line) throw new BusinessError('rule', `通知没有第${no}行`)
    return { line_no: line.line_no, figures }
  })
  const twice = parsed.find((each, at) => parsed.findIndex(other => other.line_no === each.line_no) !== at)
  if (twice) throw new BusinessError('rule', `第${twice.line_no}行写了两次，请合并`)
  return parsed
}
