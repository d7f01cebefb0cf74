import { type Line, type StockCorrection, withValues } from '#modules/goods/corrections/values.server.ts'
import { loadDocument, patchDocument, type StoredDocument, transition } from '#server/public/documents.ts'
import { stockCorrection } from '#modules/goods/corrections/stock-correction.doc.ts'
import {
  compare,
  type Decimal,
  divide,
  isPositive,
  least,
  multiply,
  plain,
  share,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { type DocumentMessage, enqueueMessage } from '#server/public/intercompany.ts'
import { createSystemDraft, definitionOf } from '#server/public/drafts.ts'
import { type Session, systemSession } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Our line that booked the same goods as a line of the counterparty's correction. */
type Half = {
  readonly of_line: number
  readonly kind: string
  readonly sn: string
  readonly line_no: number
  readonly warehouse_id: string
  readonly quantity: Decimal
  readonly base_quantity: Decimal
}

/**
 * Our sale behind each line if the counterparty corrects what it received from us; otherwise our receipts of the sale
 * that it corrects.
 */
async function halvesOf(
  tx: Tx,
  org: string,
  from: string,
  copy: StoredDocument,
  message: DocumentMessage,
): Promise<Half[]> {
  const keys = copy.lines.map((line, at) => ({
    of_line: line.line_no,
    home: line.delivery_document_id,
    home_line: line.delivery_line_no,
    theirs: message.lines[at]?.from_sn ?? null,
    theirs_line: message.lines[at]?.from_line_no ?? null,
  }))
  return tx<Half[]>`
    select k.of_line, d.kind, d.sn, l.line_no, d.warehouse_id, l.quantity, l.base_quantity
      from jsonb_to_recordset(${tx.json(keys)}) as k(of_line int, home bigint, home_line int, theirs text,
        theirs_line int)
      left join document c on k.home is null and c.org_id = ${org} and c.from_org_id = ${from} and c.sn = k.theirs
        and c.role = 'counterparty' and c.state <> 'deleted'
      join document_line l on l.org_id = ${org}
       and ((k.home is not null and l.document_id = k.home and l.line_no = k.home_line)
         or (k.home is null and l.delivery_document_id = c.id and l.delivery_line_no = k.theirs_line))
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.role = 'own' and d.red_of_id is null
        and d.state in ('reviewed', 'partial', 'completed')
       and d.kind = case when k.home is null then 'purchaseGrn' else 'saleOdo' end
     order by k.of_line, d.id, l.line_no`
}

/** The amount agreed for a line, spread over our lines so that both books agree to the cent. */
function priceLines(line: Line, halves: readonly Half[]): object[] {
  const whole = line.new_amount as Decimal
  let left = whole
  return halves.map((half, at) => {
    const mine = at === halves.length - 1 ? left : share(whole, half.base_quantity, line.base_quantity, 2)
    left = subtract(left, mine, 2)
    const isSameUnit =
      compare(multiply(half.quantity, line.base_quantity, 6), multiply(line.quantity, half.base_quantity, 6)) === 0
    return {
      source_sn: half.sn,
      source_line_no: half.line_no,
      quantity: half.quantity,
      new_price: isSameUnit ? line.new_price : divide(mine, half.quantity, 4),
      new_rate: line.new_rate,
      agreed_amount: mine,
    }
  })
}

/** The quantity of our lines that, according to the counterparty, belongs to another lot. */
function lotLines(line: Line, halves: readonly Half[]): object[] {
  let left = line.base_quantity
  return halves.flatMap(half => {
    const part = least(half.base_quantity, left)
    if (!isPositive(part)) return []
    left = subtract(left, part, 3)
    return [
      {
        source_sn: half.sn,
        source_line_no: half.line_no,
        quantity: share(half.quantity, part, half.base_quantity, 3),
        new_lot_no: line.new_lot_no,
        new_production_date: line.new_production_date,
        new_expiry_date: line.new_expiry_date,
      },
    ]
  })
}

/** The reason why we have no matching half, or null. */
function lacking(copy: StockCorrection, halves: readonly Half[]): string | null {
  for (const line of copy.lines) {
    const mine = halves.filter(half => half.of_line === line.line_no)
    const have = sum(
      mine.map(half => half.base_quantity),
      3,
    )
    const isWhole = compare(have, line.base_quantity)
    if (copy.change_type === 'price' ? isWhole !== 0 : isWhole < 0)
      return `第${line.line_no}行对方入账${plain(have)}，与变更数量${plain(line.base_quantity)}不符`
  }
  const isSpread = copy.change_type === 'lot' && new Set(halves.map(half => half.warehouse_id)).size > 1
  return isSpread ? '货物在对方分属多个仓库，请由收货方按仓库分别发起变更' : null
}

/** Returns to the sender, with the reason, a correction that cannot be answered. */
async function goesBack(tx: Tx, from: string, session: Session, copy: StoredDocument, reason: string): Promise<void> {
  await enqueueMessage(tx, session, from, copy.id, {
    message: 'act',
    kind: copy.kind,
    sn: copy.sn,
    action: 'declined',
    label: '对方不能变更',
    reason,
    actor: '系统',
    sets: { answer_state: '3' },
    to: 'rejected',
  })
  await transition(tx, systemSession(session.org), copy, {
    action: 'declined',
    label: '不能变更',
    from: [copy.state],
    to: 'rejected',
    reason,
  })
}

/** The counterparty corrects what we booked as well: our half waits here for a user to agree or refuse. */
export async function createHalf(
  tx: Tx,
  session: Session,
  from: { readonly org: string },
  copy: StockCorrection,
  message: DocumentMessage,
): Promise<{ kind: string; sn: string } | null> {
  const definition = definitionOf(copy.kind)
  if (definition.intercompany.copies?.[message.send]?.informational) return null
  const halves = await halvesOf(tx, session.org.id, from.org, copy, message)
  const reason = lacking(copy, halves)
  if (reason !== null) {
    await goesBack(tx, from.org, session, copy, reason)
    return null
  }
  const lines = copy.lines.flatMap(line => {
    const mine = halves.filter(half => half.of_line === line.line_no)
    return copy.change_type === 'price' ? priceLines(line, mine) : lotLines(line, mine)
  })
  const sources = [...new Set(halves.map(half => half.sn))]
  const header = {
    ...(sources.length === 1 ? { source_sn: sources[0] } : {}),
    source_type: halves[0]!.kind === 'saleOdo' ? sourceTypes.ODO : sourceTypes.GRN,
    counterparty_sn: from.org,
    change_type: copy.change_type,
    change_reason: copy.change_reason,
    answers_sn: message.sn,
  }
  const sn = await createSystemDraft(tx, session, copy.kind, header, lines as never, 'submitted')
  const doc = await loadDocument(tx, session.org.id, stockCorrection, sn)
  await patchDocument(tx, session, doc, { source_document_id: copy.id }, 'withAction')
  await withValues({ tx, session, definition, doc: { ...doc, source_document_id: copy.id } })
  return { kind: copy.kind, sn }
}
