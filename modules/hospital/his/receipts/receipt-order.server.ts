import { BusinessError } from '#kernel/rules/errors.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { HisReceiptKind, HisReceiptLine, HisReceiptOrder } from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

/** Documents of the stores that the HIS also books, and their kind there. */
export const receiptKinds: Readonly<Record<string, HisReceiptKind>> = {
  purchaseGrn: 'purchase',
  settlementGrn: 'settlement',
  purchaseReturn: 'return',
  grantOdo: 'grant',
}

type Header = {
  readonly id: string
  readonly sn: string
  readonly receipt_kind: HisReceiptKind
  readonly supplier_code: string | null
  readonly supplier_name: string | null
  readonly warehouse_code: string | null
  readonly department_code: string | null
  readonly reviewed_at: string
  readonly amount: Decimal
}
type Line = Omit<HisReceiptLine, 'material_code'> & { readonly material_code: string | null }

/**
 * A document as the HIS books it: in base units, at its prices. A line without a code of the HIS prevents it; the
 * document of a reversal has quantities below zero.
 */
export async function composeReceipt(tx: Tx, org: string, row: string): Promise<HisReceiptOrder> {
  const [header] = await tx<Header[]>`
    select d.id, d.sn, g.receipt_kind, o.code as supplier_code, o.name as supplier_name, w.code as warehouse_code,
           coalesce((select h.his_department_code from his_department h where h.org_id = d.org_id
             and h.department_id = d.department_id order by h.is_active desc, h.id limit 1), t.his_code)
             as department_code,
           d.reviewed_at, d.taxed_amount::text as amount
      from his_grn g join document d on d.org_id = g.org_id and d.id = g.document_id
      left join organisation o on o.id = d.counterparty_id
      left join warehouse w on w.org_id = d.org_id and w.id = d.warehouse_id
      left join department t on t.org_id = d.org_id and t.id = d.department_id
     where g.org_id = ${org} and g.id = ${row}`
  if (!header) throw new BusinessError('notFound', '单据不存在')
  const { id, sn, receipt_kind, supplier_code, supplier_name, warehouse_code, department_code, amount } = header
  return {
    receipt_kind,
    sn,
    supplier_code,
    supplier_name,
    warehouse_code: warehouse_code ?? '',
    department_code,
    reviewed_at: new Date(header.reviewed_at).toISOString(),
    amount,
    lines: await linesOf(tx, org, id),
  }
}

async function linesOf(tx: Tx, org: string, document: string): Promise<HisReceiptLine[]> {
  const lines = await tx<Line[]>`
    select l.line_no, his_code_of(${org}, l.specification_id) as material_code, p.name as item_name,
           s.name as specification, l.lot_no, l.expiry_date::text as expiry_date, l.base_quantity::text as quantity,
           his_price_of(l.price, l.quantity, l.base_quantity, l.taxed_amount)::text as price,
           l.taxed_amount::text as amount
      from document_line l join specification s on s.id = l.specification_id join product p on p.id = s.product_id
     where l.org_id = ${org} and l.document_id = ${document} and l.base_quantity <> 0 order by l.line_no`
  return lines.map(line => {
    const { material_code } = line
    if (!material_code) throw new BusinessError('rule', `产品【${line.item_name} ${line.specification}】未对照HIS编码`)
    return { ...line, material_code }
  })
}
