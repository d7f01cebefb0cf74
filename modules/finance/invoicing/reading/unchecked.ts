import type { ReadInvoice } from '#modules/base/checks/read-invoice.ts'

/** An organisation with the names and number that an invoice may have for it; no tax number: none is registered. */
export type KnownParty = { readonly name: string; readonly taxNo: string | null }

function ofBuyer({ buyer_name: name, buyer_tax_no: taxNo }: ReadInvoice, own: KnownParty): string | null {
  if (taxNo !== null) return own.taxNo ? null : '本机构没有登记统一社会信用代码，未核对购买方税号'
  if (name === null) return '发票上没有读到购买方，未核对购买方，请填写购买方名称和税号'
  return name === own.name
    ? '发票上没有购买方税号，购买方只核对了名称，请填写购买方税号'
    : `发票上没有购买方税号，名称【${name}】与本机构名称不同，请核对购买方`
}

function ofSeller({ seller_name: name, seller_tax_no: taxNo }: ReadInvoice, supplier: KnownParty): string | null {
  if (taxNo === null) return `发票上没有销售方税号，未核对销售方${name === null ? '' : `【${name}】`}，供应商按所选`
  return supplier.taxNo ? null : `供应商【${supplier.name}】没有登记统一社会信用代码，未核对销售方税号`
}

/**
 * Sentences about the values of an invoice that could not be compared or were not found, and what the user has to fill
 * in.
 */
export function uncheckedOf(read: ReadInvoice, own: KnownParty, supplier: KnownParty): readonly string[] {
  const isMissing = (value: unknown, sentence: string) => (value === null ? sentence : null)
  return [
    ofBuyer(read, own),
    ofSeller(read, supplier),
    isMissing(read.taxed_amount, '没有读到价税合计，未核对金额，请填写发票价税合计'),
    isMissing(read.invoice_date, '没有读到开票日期，请填写'),
    isMissing(read.invoice_type, '没有读到发票类型，请选择'),
    read.invoice_type === 'normal' ? isMissing(read.check_code, '没有读到校验码，请填写') : null,
    read.lines.length === 0 ? '没有读到发票明细，未核对品名和数量，请核对所选的入库明细' : null,
  ].filter(sentence => sentence !== null)
}
