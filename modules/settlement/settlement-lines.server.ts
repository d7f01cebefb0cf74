import { isNegative, multiply, negate } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { specificationFacts } from '#server/engine/documents/facts.ts'
import type { JSONValue } from 'postgres'

const own = (acting: Acting, name: string) => acting.doc[name] as string | null | undefined

/**
 * Every consigned line used opens a settlement line towards its owner, one for each piece. Price: the agreed one on the day of
 * use, else what the receipt said; none: the line waits as 无结算价.
 */
export async function openSettlementLines(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const org = session.org.id
  const consigned = doc.lines.filter(line => line.owner_org_sn && line.owner_org_sn !== org)
  if (consigned.length === 0) return
  const usedAt = own(acting, 'used_at') ?? new Date().toISOString()
  const day = usedAt.slice(0, 10)
  const owners = [...new Set(consigned.map(line => line.owner_org_sn!))]
  const priced = new Map<string, { agreed: string | null; rate: number }>()
  for (const owner of owners) {
    const lines = consigned.filter(line => line.owner_org_sn === owner)
    const facts = await specificationFacts(
      tx,
      lines.map(line => line.specification_sn!),
      { org, counterparty: owner, direction: 'buy', day },
    )
    for (const line of lines) {
      const fact = facts.get(line.specification_sn!)
      priced.set(`${owner}/${line.specification_sn}`, {
        agreed: fact?.agreed_price ?? null,
        rate: fact?.tax_rate ?? line.tax_rate,
      })
    }
  }
  const receipts = await tx<{ lot_id: string; price: string }[]>`
    select distinct on (l.lot_id) l.lot_id, l.price from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${org} and d.kind = 'purchaseGrn' and d.regime = 'consigned' and d.state in ('reviewed', 'partial', 'completed') and l.unit_id is null
       and l.lot_id = any(${consigned.map(line => line.lot_id!)}::bigint[]) order by l.lot_id, l.document_id desc`
  const receiptPrice = new Map(receipts.map(row => [row.lot_id, row.price]))
  const rows = consigned.flatMap(line => {
    const found = priced.get(`${line.owner_org_sn}/${line.specification_sn}`)
    const price = found?.agreed ?? receiptPrice.get(line.lot_id!) ?? null
    const base = {
      use_line_no: line.line_no,
      owner_id: line.owner_org_sn,
      specification_id: line.specification_sn,
      lot_id: line.lot_id,
      price,
      tax_rate: found?.rate ?? line.tax_rate,
      state: price === null ? 'unpriced' : 'waiting',
    }
    const pieces =
      line.unit_codes.length > 0
        ? line.unit_codes.map(code => ({ unit_code: code, quantity: '1.000' }))
        : [{ unit_code: null, quantity: line.base_quantity }]
    return pieces.map(piece => ({
      ...base,
      ...piece,
      amount: price === null ? '0.00' : multiply(price, piece.quantity, 2),
    }))
  })
  await tx`
    insert into settlement_line (org_id, use_document_id, use_line_no, owner_id, specification_id, lot_id, unit_code, quantity, price, tax_rate, amount, used_at, department_id, warehouse_id, state)
    select d.org_id, d.id, k.use_line_no, k.owner_id, k.specification_id, k.lot_id, k.unit_code, k.quantity, k.price, k.tax_rate, k.amount, ${usedAt}, d.department_id, d.warehouse_id, k.state
      from document d cross join jsonb_to_recordset(${tx.json(rows as unknown as JSONValue)}) as k(use_line_no int, owner_id bigint, specification_id bigint, lot_id bigint, unit_code text, quantity numeric, price numeric, tax_rate smallint, amount numeric, state text)
     where d.org_id = ${org} and d.id = ${doc.id}`
}

/** Undoing a use: lines still waiting are netted at once; lines already settled get a negative line in the next period. */
export async function netSettlementLines(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const lines = await tx<{ id: string; state: string; quantity: string; amount: string }[]>`
    select id, state, quantity, amount from settlement_line where org_id = ${session.org.id} and use_document_id = ${doc.id} and nets_id is null
       and not exists (select 1 from settlement_line n where n.org_id = ${session.org.id} and n.nets_id = settlement_line.id) for update`
  const settled = lines.find(line => !['waiting', 'unpriced', 'held'].includes(line.state))
  if (settled) throw new Refusal('blocked', `使用记录已进入结算，不能${acting.spec.label}，请先撤回结算单`)
  for (const line of lines)
    if (!isNegative(line.quantity))
      await tx`
    insert into settlement_line (org_id, use_document_id, use_line_no, owner_id, specification_id, lot_id, unit_code, quantity, price, tax_rate, amount, used_at, department_id, warehouse_id, state, nets_id)
    select org_id, use_document_id, use_line_no, owner_id, specification_id, lot_id, unit_code, ${negate(line.quantity)}, price, tax_rate, ${negate(line.amount)}, used_at, department_id, warehouse_id, 'netted', id
      from settlement_line where org_id = ${session.org.id} and id = ${line.id}`
  await tx`update settlement_line set state = 'netted' where org_id = ${session.org.id} and id = any(${lines.map(line => line.id)}::bigint[])`
}
