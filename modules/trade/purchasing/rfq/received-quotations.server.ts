import { byName, loadDocument, loadDocuments, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { compare, type Decimal, multiply } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { enquiry } from '#modules/trade/purchasing/rfq/enquiry.doc.ts'
import { maySeePrices, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { measureOfLine } from '#kernel/rules/line-measure.ts'

/** One supplier's answer, as stored here once it was opened. */
export type Offer = { readonly copy: StoredDocument; readonly supplier: string; readonly name: string }

/** The answers to an enquiry: copies of valid quotations. */
export async function offersOf(tx: Tx, org: string, doc: Pick<StoredDocument, 'sn'>): Promise<Offer[]> {
  const rows = await tx<{ id: string; name: string }[]>`
    select d.id, o.name from document d join organisation o on o.id = d.from_org_id
     where d.org_id = ${org} and d.kind = 'quotation' and d.role = 'counterparty'
       and d.fields->>'enquiry_sn' = ${doc.sn} and d.state in ('submitted', 'reviewed', 'partial', 'completed')
       order by o.name`
  const copies = await loadDocuments(
    tx,
    org,
    rows.map(row => row.id),
  )
  return rows.flatMap(row => {
    const copy = copies.find(each => each.id === row.id)
    return copy ? [{ copy, supplier: copy.from_org_id, name: row.name }] : []
  })
}

/** The supplier's offer for an enquiry line; null if there is none. */
export function offerFor(offer: Offer, line: Pick<StoredLine, 'line_no'>): StoredLine | null {
  const found = offer.copy.lines.find(each => byName(each).asked_line_no === line.line_no)
  return found && byName(found).no_offer !== true && compare(found.price, '0') > 0 ? found : null
}

/** Answers may be viewed once the enquiry is closed and every answer is opened. */
export function refuseSealed(doc: StoredDocument, offers: readonly Offer[]): void {
  if (!['partial', 'completed'].includes(doc.state)) throw new BusinessError('rule', '报价截止前不可查看报价')
  const shut = offers.find(({ copy }) => !byName(copy).opened_at)
  if (shut) throw new BusinessError('rule', `【${shut.name}】的报价正在开标，请稍候再试`)
}

/** The last price of each model here, in base units: from the newest reviewed order to any supplier. */
async function lastPrices(tx: Tx, org: string, models: readonly string[]): Promise<Map<string, Decimal>> {
  const rows = await tx<{ specification_id: string; price: Decimal }[]>`
    select distinct on (l.specification_id) l.specification_id,
      round(l.taxed_amount / l.base_quantity, 4)::numeric(18,4)::text as price
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'purchaseOrder' and d.role = 'own'
       and d.state in ('reviewed', 'partial', 'completed') and l.base_quantity > 0
       and l.specification_id = any(${[...new Set(models)]}::bigint[])
     order by l.specification_id, d.business_date desc, d.id desc`
  return new Map(rows.map(row => [row.specification_id, row.price]))
}

type Asked = Readonly<Record<string, unknown>>

/**
 * 比价: a row per line, a column per supplier, the lowest price of each line marked, the last purchase price and our
 * limit beside it.
 */
export async function compareOffers(tx: Tx, session: Session, asked: Asked): Promise<Record<string, unknown>> {
  const org = session.org.id
  const doc = await loadDocument(tx, org, enquiry, String(asked.sn ?? ''))
  if (!maySeePrices(session)) throw new BusinessError('forbidden', '没有价格权限，不能比价')
  const offers = await offersOf(tx, org, doc)
  refuseSealed(doc, offers)
  const models = doc.lines.map(line => line.specification_sn!)
  const substitutes = offers.flatMap(({ copy }) =>
    copy.lines.flatMap(line =>
      byName(line).offered_specification_sn ? [String(byName(line).offered_specification_sn)] : [],
    ),
  )
  const [last, names] = [
    await lastPrices(tx, org, models),
    await tx<{ id: string; name: string }[]>`
      select s.id, p.name || ' ' || s.name as name from specification s join product p on p.id = s.product_id
        where s.id = any(${substitutes}::bigint[])`,
  ]
  return {
    enquiry_sn: doc.sn,
    enquiry_version: doc.version,
    suppliers: offers.map(({ supplier, name, copy }) => ({
      supplier_sn: supplier,
      name,
      taxed_amount: copy.taxed_amount,
      valid_until: byName(copy).valid_until ?? null,
      promised_days: byName(copy).promised_days ?? null,
      award_state: byName(copy).award_state ?? null,
    })),
    lines: doc.lines.map(line => {
      const mine = offers.flatMap(offer => {
        const row = offerFor(offer, line)
        return row ? [{ offer, row }] : []
      })
      const lowest = mine.reduce<Decimal | null>(
        (least, { row }) => (least === null || compare(row.price, least) < 0 ? row.price : least),
        null,
      )
      const measure = measureOfLine(line)
      const before = last.get(line.specification_sn!)
      return {
        line_no: line.line_no,
        product_name: line.product_name,
        specification_name: line.specification_name,
        quantity: line.quantity,
        limit_price: line.limit_price ?? null,
        last_price: before === undefined ? null : multiply(before, measure, 4),
        offers: mine.map(({ offer, row }) => ({
          supplier_sn: offer.supplier,
          price: row.price,
          tax_rate: row.tax_rate,
          lead_days: byName(row).lead_days ?? null,
          substitute: names.find(each => each.id === byName(row).offered_specification_sn)?.name ?? null,
          remark: row.remark,
          awarded_quantity: byName(row).awarded_quantity ?? null,
          is_lowest: lowest !== null && compare(row.price, lowest) === 0,
        })),
      }
    }),
  }
}
