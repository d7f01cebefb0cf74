import { compare, type Decimal, isPositive, plain, subtract, sum } from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { tried } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import { inNameOf } from '#server/public/session.ts'
import type { OpenSession, Working } from '#modules/hospital/cabinet/device/event-context.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'

/** Something taken out to be returned to the warehouse: a piece by its code, or a quantity of a model. */
export type Withdrawn = {
  readonly specification_id: string
  readonly lot_no: string | null
  readonly unit_code: string | null
  readonly quantity: Decimal
}
type Granted = {
  readonly sn: string
  readonly line_no: number
  readonly specification_id: string
  readonly lot_no: string | null
  readonly unit_codes: readonly string[]
  left: Decimal
}
type Allocation = {
  readonly sn: string
  readonly line_no: number
  readonly quantity: Decimal
  readonly codes: readonly string[]
}
/** The draft by which it goes back, or the reason why there is none. */
export type GivenBack = { readonly kind: 'grantReturn' | 'transfer'; readonly sn: string } | { readonly why: string }

/** The goods that were issued to this cabinet, received, and may still be returned; the newest issue first. */
const grantsOf = ({ tx, device, cabinet }: Working, specifications: readonly string[]) => tx<Granted[]>`
  select d.sn, l.line_no, l.specification_id, l.lot_no, l.unit_codes,
    (coalesce(g.received, 0) - coalesce(g.gone, 0))::numeric(18,3) as left
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
    left join lateral (select sum(p.taken) filter (where p.purpose = 'ward_receive') as received,
      sum(p.taken) filter (where p.purpose in ('return', 'use')) as gone
                         from line_progress p where p.org_id = l.org_id and p.document_id = l.document_id
                           and p.line_no = l.line_no) g on true
   where d.org_id = ${device.org.id} and d.kind = 'grantOdo' and d.role = 'own' and d.red_of_id is null
     and d.state in ('reviewed', 'partial', 'completed')
     and d.to_warehouse_id = ${cabinet.warehouse_id}
       and l.specification_id = any(${specifications as string[]}::bigint[])
   order by d.id desc, l.line_no`

function portionsOf(one: Withdrawn, grants: readonly Granted[]): Allocation[] {
  let rest = one.quantity
  const portions: Allocation[] = []
  for (const grant of grants) {
    const same = grant.specification_id === one.specification_id && (one.lot_no === null || grant.lot_no === one.lot_no)
    const named = one.unit_code === null ? grant.unit_codes.length === 0 : grant.unit_codes.includes(one.unit_code)
    if (!same || !named || !isPositive(rest) || !isPositive(grant.left)) continue
    const quantity = compare(rest, grant.left) > 0 ? grant.left : rest
    grant.left = subtract(grant.left, quantity, 3)
    rest = subtract(rest, quantity, 3)
    portions.push({
      sn: grant.sn,
      line_no: grant.line_no,
      quantity,
      codes: one.unit_code === null ? [] : [one.unit_code],
    })
  }
  return isPositive(rest) ? [] : portions
}

/**
 * 退库: goods taken out for the warehouse become a draft ward return for each issue that brought them, and a transfer if
 * none did. Nothing is booked until the ward submits the draft. The answers are in the order of the goods.
 */
export async function giveBack(working: Working, open: OpenSession, goods: readonly Withdrawn[]): Promise<GivenBack[]> {
  if (goods.length === 0) return []
  const { tx, session, cabinet } = working
  const grants = await grantsOf(working, [...new Set(goods.map(one => one.specification_id))])
  const portions = goods.map(one => portionsOf(one, grants))
  const drafts = new Map<string, GivenBack>()
  for (const [sn, parts] of Map.groupBy(portions.flat(), part => part.sn)) {
    const lines = [...Map.groupBy(parts, part => part.line_no)].map(([line_no, of]) => ({
      source_line_no: line_no,
      quantity: plain(
        sum(
          of.map(part => part.quantity),
          3,
        ),
      ),
      unit_codes: of.flatMap(part => part.codes),
    }))
    const header = {
      source_sn: sn,
      source_type: sourceTypes.GRANT,
      return_type: 'unused',
      return_reason: `${cabinet.name}柜门${open.door_no}退库`,
      handler_inner_sn: open.employee_id,
    }
    const name = { ...inNameOf(session), userName: open.operator_name }
    const created = await tried(tx, inner => createSystemDraft(inner, name, 'grantReturn', header, lines as never))
    drafts.set(sn, 'done' in created ? { kind: 'grantReturn', sn: created.done } : created)
  }
  const others = await moveBack(
    working,
    open,
    goods.filter((_, at) => portions[at]!.length === 0),
  )
  return portions.map(parts => {
    const [first] = parts
    return first ? drafts.get(first.sn)! : others
  })
}

/**
 * Goods that came without an issue, such as opening stock and finds, go by a transfer to the warehouse that fills the
 * cabinet, which has to receive it.
 */
async function moveBack(working: Working, open: OpenSession, goods: readonly Withdrawn[]): Promise<GivenBack> {
  const { tx, session, cabinet } = working
  if (cabinet.parent_id === null) return { why: '没有可退的发放记录，柜体仓库也没有上级仓库，请办理调拨' }
  if (goods.length === 0) return { why: '没有可退的货物' }
  const alike = Map.groupBy(goods, one => `${one.specification_id}/${one.lot_no}/${one.unit_code === null}`)
  const lines = [...alike.values()].map(of => ({
    specification_sn: of[0]!.specification_id,
    ...(of[0]!.lot_no === null ? {} : { lot_no: of[0]!.lot_no }),
    quantity: plain(
      sum(
        of.map(one => one.quantity),
        3,
      ),
    ),
    unit_codes: of.flatMap(one => one.unit_code ?? []),
  }))
  const header = {
    transfer_type: 'allot',
    warehouse_model_inner_sn: cabinet.warehouse_id,
    to_warehouse_model_inner_sn: cabinet.parent_id,
    transfer_reason: `${cabinet.name}柜门${open.door_no}退库`,
    handler_inner_sn: open.employee_id,
  }
  const name = { ...inNameOf(session), userName: open.operator_name }
  const created = await tried(tx, inner => createSystemDraft(inner, name, 'transfer', header, lines))
  return 'done' in created ? { kind: 'transfer', sn: created.done } : created
}
