import { chargeInvoice } from '#modules/finance/invoicing/fees/charge-invoice.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { documentOf } from '#kernel/registry.ts'
import { absolute, compare, type Decimal, subtract, sum } from '#kernel/values/decimal.ts'
import { splitTax, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  closeRequest,
  refuseRequest,
  refuseWhileIssued,
  requestInvoice,
} from '#modules/finance/invoicing/electronic/request-invoice.server.ts'
import { refuseAboveLimit, refuseSpecial } from '#modules/finance/invoicing/buyer-rules.server.ts'
import type { Tx } from '#server/public/database.ts'
import { loadDocument, patchDocument, patchLines, type StoredLine, sumLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'

type Context = ContextOf<typeof chargeInvoice>

type FeeItem = { readonly item: string | null; readonly code: string | null; readonly rate: number | null }

/** The defaults for an organisation that set no fee item of its own. */
const USUAL = { item: 'SPD服务费', rate: 6 } as const

/** Name, tax class and tax rate of a service fee, as the channel in use has them. */
async function feeItemOf(tx: Tx, org: string): Promise<FeeItem> {
  const [found] = await tx<FeeItem[]>`
    select fee_item as item, fee_tax_code as code, fee_tax_rate as rate from e_invoice_channel
     where org_id = ${org} and status = 'enabled'`
  return found ?? { item: null, code: null, rate: null }
}

type FeeLine = StoredLine & { readonly item_name?: string | null; readonly tax_code?: string | null }

/** Computes the tax of the lines of one item and rate from their sum: the largest line takes the rounding. */
function withTaxOfSum(lines: readonly { line_no: number; rate: number; amount: Decimal }[]) {
  const split = lines.map(({ line_no, rate, amount }) => ({ line_no, ...splitTax(amount, rate as TaxRate) }))
  const whole = splitTax(
    sum(
      lines.map(line => line.amount),
      2,
    ),
    (lines[0]?.rate ?? 0) as TaxRate,
  )
  const tax = sum(
    split.map(line => line.tax_amount),
    2,
  )
  const cents = subtract(whole.tax_amount, tax, 2)
  const largest = split.toSorted((a, b) => compare(absolute(b.taxed_amount), absolute(a.taxed_amount)))[0]
  return split.map(line =>
    line === largest
      ? {
          ...line,
          tax_amount: sum([line.tax_amount, cents], 2),
          untaxed_amount: subtract(line.untaxed_amount, cents, 2),
        }
      : line,
  )
}

/** Lines that name no tax class get that of the channel, with its item and rate; the taxes are those of the sums. */
async function completeFees(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, documentOf('chargeInvoice')!, sn, { lock: true })
  const usual = await feeItemOf(tx, session.org.id)
  const lines = (doc.lines as readonly FeeLine[]).map(line => ({
    line_no: line.line_no,
    item_name: line.item_name || usual.item || USUAL.item,
    tax_code: line.tax_code || usual.code,
    rate: line.item_name ? line.tax_rate : (usual.rate ?? USUAL.rate),
    amount: line.taxed_amount,
  }))
  const groups = Map.groupBy(lines, line => `${line.item_name}/${line.tax_code}/${line.rate}`)
  const patches = [...groups.values()].flatMap(group =>
    withTaxOfSum(group).map(({ line_no, ...amounts }) => {
      const { item_name, tax_code, rate } = group.find(line => line.line_no === line_no)!
      return { line_no, values: { ...amounts, item_name, tax_code, tax_rate: rate } }
    }),
  )
  await patchLines(tx, session, doc, patches, 'withAction')
  await sumLines(tx, session, [doc.id], 'withAction')
  const charge_nos = [...new Set(doc.lines.flatMap(line => (line.source_sn ? [String(line.source_sn)] : [])))].join(
    '、',
  )
  await patchDocument(tx, session, doc, { charge_nos }, 'withAction')
}

/** A fee whose invoice was written by hand is not invoiced again. */
async function refuseByHand({ tx, session, doc }: Context): Promise<void> {
  if (doc.is_red === true) return
  const [bill] = await tx<{ sn: string; invoice_no: string }[]>`
    select d.sn, d.fields->>'invoice_no' as invoice_no from document d
     where d.org_id = ${session.org.id} and d.id = any(${billsOf(doc)}::bigint[])
       and d.fields->>'invoice_request' = 'issued' and not exists (
         select 1 from document_line l join document i on i.org_id = l.org_id and i.id = l.document_id
            and i.kind = 'chargeInvoice' and i.role = 'own'
          where l.org_id = d.org_id and l.source_document_id = d.id
            and position(i.fields->>'invoice_no' in d.fields->>'invoice_no') > 0)
     order by d.id limit 1`
  if (bill) throw new BusinessError('rule', `服务费单${bill.sn}已登记发票${bill.invoice_no}，不能再开具`)
}

const billsOf = (doc: ActionContext['doc']): string[] => [
  ...new Set(doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))),
]

const submitted = [refuseAboveLimit, refuseSpecial, refuseByHand]

export const chargeInvoiceRules = documentHooks(chargeInvoice, {
  afterSave: completeFees,
  validate: { submit: submitted, review: submitted, issue: refuseRequest, unreview: refuseWhileIssued },
  afterAction: {
    issue: requestInvoice,
    unreview: closeRequest,
  },
})
