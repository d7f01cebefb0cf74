import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Decimal, share, subtract } from '#kernel/values/decimal.ts'
import { documents } from '#kernel/registry.ts'
import type { Receiver } from '#server/public/intercompany.ts'
import { ownerOfLine, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Basis = 'consigned' | 'supplied' | 'made'
type Behind = {
  line_no: number
  maker_id: string
  maker_lives: boolean
  supplier_id: string | null
  tax_rate: number
  base_quantity: Decimal
  untaxed_amount: Decimal
  taxed_amount: Decimal
}

/** True if we trade with a partner: by our own record, else the partner's. */
const lives = (tx: Tx, org: string, partner: Fragment): Fragment => tx`
  (select coalesce(bool_or(r.status = 'enabled') filter (where r.org_id = ${org}), bool_or(r.status = 'enabled'),
    false) from org_relation r
    where (r.org_id = ${org} and r.partner_id = ${partner}) or (r.partner_id = ${org} and r.org_id = ${partner}))`

/** Documents by which goods come from a supplier. */
const receipts = (): string[] =>
  documents().flatMap(({ posting: { stockDirection: goods }, compliance: { party: gate }, kind }) =>
    goods === 'in' && gate === 'supplier' ? [kind] : [],
  )

/** The maker of the goods of each line, and for purchased goods the last supplier and price. */
function behindLines(tx: Tx, org: string, lines: readonly StoredLine[]): Promise<Behind[]> {
  const asked = lines.map(line => ({
    line_no: line.line_no,
    specification: line.specification_sn,
    lot: line.lot_no,
    codes: line.unit_codes,
    bought: !line.owner_org_sn || line.owner_org_sn === org,
  }))
  return tx<Behind[]>`
    select k.line_no, p.manufacturer_id as maker_id, ${lives(tx, org, tx`p.manufacturer_id`)} as maker_lives, s.*
      from jsonb_to_recordset(${tx.json(asked)}) as k(line_no int, specification bigint, lot text,
        codes text[], bought boolean)
      join specification f on f.id = k.specification join product p on p.id = f.product_id
      left join lateral (
        select d.counterparty_id as supplier_id, l.tax_rate, l.base_quantity, l.untaxed_amount, l.taxed_amount
          from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
         where k.bought and l.org_id = ${org} and l.lot_no = k.lot and l.specification_id = k.specification
           and l.base_quantity > 0
           and d.kind = any(${receipts()}) and d.role = 'own' and d.red_of_id is null and d.regime = 'purchased'
             and d.state in ('reviewed', 'partial', 'completed')
           and (k.codes = '{}' or l.unit_codes && k.codes) and ${lives(tx, org, tx`d.counterparty_id`)}
         order by d.reviewed_at desc, d.id desc limit 1) s on true`
}

/** A line as the seller knows it: at the price of the seller's delivery. */
function atHisPrice(line: StoredLine, { base_quantity, taxed_amount, untaxed_amount, tax_rate }: Behind): StoredLine {
  const [taxed, untaxed] = [taxed_amount, untaxed_amount].map(amount =>
    share(amount, line.base_quantity, base_quantity, 2),
  ) as [Decimal, Decimal]
  return {
    ...line,
    tax_rate,
    price: share(taxed, '1', line.quantity, 4),
    taxed_amount: taxed,
    untaxed_amount: untaxed,
    tax_amount: subtract(taxed, untaxed, 2),
  }
}
const free = { price: '0.0000', untaxed_amount: '0.00', tax_amount: '0.00', taxed_amount: '0.00' } as const

/**
 * Everyone concerned by the use of goods: their owner, the supplier of our own goods, and their maker if we trade
 * with it.
 */
export async function usageRecipients(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
): Promise<readonly Receiver[]> {
  const org = session.org.id
  const behind = new Map((await behindLines(tx, org, doc.lines)).map(row => [row.line_no, row]))
  const parts = doc.lines.flatMap(line => {
    const owner = ownerOfLine(definition, doc, line)
    const known = behind.get(line.line_no)
    const named = { ...line, owner_org_sn: owner ?? org }
    const bringer = owner && owner !== org ? owner : (known?.supplier_id ?? null)
    const mine: { receiver: string; basis: Basis; line: StoredLine }[] = []
    if (owner && owner !== org) mine.push({ receiver: owner, basis: 'consigned', line: named })
    else if (known?.supplier_id)
      mine.push({ receiver: known.supplier_id, basis: 'supplied', line: atHisPrice(named, known) })
    if (known?.maker_lives && known.maker_id !== bringer && known.maker_id !== org)
      mine.push({ receiver: known.maker_id, basis: 'made', line: { ...named, ...free } })
    return mine
  })
  return [...Map.groupBy(parts, part => part.receiver)].map(([receiver, mine]) => {
    const basis = mine.every(part => part.basis === mine[0]!.basis) ? mine[0]!.basis : 'mixed'
    // A maker looks up reports when needed; owners and sellers of the goods are notified, also of reversals.
    return { receiver, lines: mine.map(part => part.line), header: { report_basis: basis }, silent: basis === 'made' }
  })
}
