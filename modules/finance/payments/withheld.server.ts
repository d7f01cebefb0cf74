import { compare, type Decimal, isPositive, least, subtract, sum } from '#kernel/values/decimal.ts'
import { ALLOWANCE, allowanceOf } from '#modules/finance/payments/allowances.ts'
import type { Tx } from '#server/public/database.ts'
import { loadDocument, patchLines, sumLines } from '#server/public/documents.ts'
import { definitionOf } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'

type Held = { readonly id: string; readonly held: Decimal; readonly open: Decimal }

/** What applications still withhold (扣款), and what of them is not paid yet; only those that withhold something. */
const heldBy = (tx: Tx, org: string, applications: readonly string[], payment: string) => tx<Held[]>`
  select a.id, ((a.fields->>'withheld_amount')::numeric - coalesce(o.allowed, 0))::numeric(18,2) as held,
         (a.taxed_amount - coalesce(p.taken, 0))::numeric(18,2) as open
    from document a
    left join line_progress p on p.org_id = a.org_id and p.document_id = a.id and p.line_no = 0 and p.purpose = 'pay'
    left join lateral (
      select sum((l.fields->>'allowance_amount')::numeric) as allowed
        from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
       where l.org_id = a.org_id and l.source_document_id = a.id and d.kind = 'payment' and d.role = 'own'
         and d.id <> ${payment} and d.red_of_id is null and d.state in ('submitted', 'reviewed', 'completed')) o on true
   where a.org_id = ${org} and a.id = any(${[...applications]}::bigint[]) and a.kind = 'paymentApplication'
     and (a.fields->>'withheld_amount')::numeric > coalesce(o.allowed, 0)`

/**
 * A new payment of all that is left of an application proposes what the application withholds as an allowance: so much
 * less is paid, and the debt is settled all the same. Whoever pays a part, or writes an allowance, decides by himself.
 */
export async function proposeWithheld(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, definitionOf('payment'), sn)
  const isTyped = doc.lines.some(line => isPositive(allowanceOf(line)))
  if (doc.version !== 1 || isTyped) return
  const lines = Map.groupBy(doc.lines, line => line.source_document_id ?? '')
  const sources = [...lines.keys()].filter(Boolean)
  const patches = (await heldBy(tx, session.org.id, sources, doc.id)).flatMap(({ id, held, open }) => {
    const own = lines.get(id) ?? []
    const whole = sum(
      own.map(line => line.taxed_amount),
      2,
    )
    if (compare(whole, open) !== 0) return []
    let rest = held
    return own.flatMap(({ line_no, taxed_amount }) => {
      const part = least(rest, taxed_amount)
      if (!isPositive(part)) return []
      rest = subtract(rest, part, 2)
      const left = subtract(taxed_amount, part, 2)
      return [{ line_no, values: { untaxed_amount: left, taxed_amount: left, [ALLOWANCE]: part } }]
    })
  })
  if (patches.length === 0) return
  await patchLines(tx, session, doc, patches, 'derived')
  await sumLines(tx, session, [doc.id], 'derived')
}
