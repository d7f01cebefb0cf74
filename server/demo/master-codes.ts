import type { TransactionSql } from 'postgres'
import { idOf, insertRows } from '#server/demo/rows.ts'

/** Codes that came with an older system, and how the hospital reads its own labels from then. */
export async function loadCodes(
  tx: TransactionSql,
  orgs: ReadonlyMap<string, string>,
  specifications: ReadonlyMap<string, string>,
): Promise<void> {
  const code = (org: string, specification: string, text: string, by: string, more: object = {}) => ({
    org_id: idOf(orgs, org),
    specification_id: idOf(specifications, specification),
    code_type: 'custom',
    issuer: 'own',
    code: text,
    level: 'sale',
    has_lot: false,
    has_expiry: false,
    changed_by: by,
    remark: '旧系统条码',
    ...more,
  })
  await insertRows(tx, 'product_barcode', [
    code('H01', 'P009-01', 'HC0090001', '张晓琳'),
    code('H01', 'P001-01', 'HC0010001', '张晓琳'),
    code('H01', 'P002-01', 'HC0020001', '张晓琳'),
    code('D01', 'P009-01', 'QT-200917', '陈志远'),
    code('D01', 'P001-01', '06923450010013', '陈志远', {
      code_type: 'gtin',
      issuer: 'gs1',
      remark: '外文包装上的商品条码',
    }),
  ])
  await insertRows(tx, 'barcode_rule', [
    {
      org_id: idOf(orgs, 'H01'),
      name: '旧系统入库标签',
      prefix: 'HC',
      total_length: 21,
      product_from: 1,
      product_length: 9,
      expiry_from: 10,
      lot_from: 16,
      lot_length: 6,
      remark: '产品码9位、有效期6位、批号6位',
    },
  ])
}
