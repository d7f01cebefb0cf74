import type { TransactionSql } from 'postgres'
import { idOf, insertRows } from '#demo/rows.ts'

/** Codes taken over from an older system, and the rules by which the hospital has read its own labels since. */
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
  /** Labels of old systems: the goods first, then expiry and lot where present. */
  const rule = (org: string, name: string, prefix: string, product_length: number, more: object, remark: string) => ({
    org_id: idOf(orgs, org),
    name,
    prefix,
    product_from: 1,
    product_length,
    remark,
    ...more,
  })
  await insertRows(tx, 'barcode_rule', [
    rule('H01', '旧系统入库标签', 'HC', 9, dated(10), '产品码9位、有效期6位、批号6位'),
    rule('D01', '旧系统货架标签', 'QT-', 9, dated(10), '产品码9位、有效期6位、批号6位'),
    rule('V01', '出厂箱标签', 'BX', 10, dated(11), '产品码10位、有效期6位、批号6位'),
  ])
}

/** Six digits of expiry and six of lot follow the goods. */
const dated = (from: number) => ({
  total_length: from + 11,
  expiry_from: from,
  lot_from: from + 6,
  lot_length: 6,
})
