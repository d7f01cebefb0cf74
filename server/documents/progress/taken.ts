import type { SourceRule, ProgressRollup } from '#kernel/definition/document-links.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { documentOf, documents } from '#kernel/registry.ts'
import { reducing } from '#server/documents/progress/stopped-lines.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * The part of a source line that was taken: in base units (or yuan, where the taker counts money), and as amounts.
 * What was stopped counts as reversed, with its share of the money (negative, as that of red documents).
 */
export type TakenOfLine = {
  readonly taken: Decimal
  readonly amount: Decimal
  readonly untaxed: Decimal
  readonly reversed: Decimal
  readonly red_amount: Decimal
  readonly red_untaxed: Decimal
}

type Of = { readonly org: string; readonly from: string; readonly purposes: readonly string[] }
type MoneyColumn = 'taxed_amount' | 'untaxed_amount'

/**
 * The quantities and amounts taken from documents for these purposes; reversals with their own sign. The documents are
 * of kind `from`, as their follow-ups see them.
 */
export async function takenOf(
  tx: Tx,
  of: Of,
  docs: readonly Pick<StoredDocument, 'id' | 'lines'>[],
): Promise<Map<string, TakenOfLine>> {
  const { org, purposes } = of
  const sources = docs.flatMap(({ id, lines }) =>
    lines.map(({ line_no, base_quantity, taxed_amount, untaxed_amount }) => ({
      id,
      line_no,
      base_quantity,
      taxed_amount,
      untaxed_amount,
    })),
  )
  const rows = await tx<(TakenOfLine & { document_id: string; line_no: number })[]>`
    select g.document_id, g.line_no,
      coalesce(sum(g.taken) filter (where g.purpose <> all(${[...reducing]})), 0)::numeric(18,3) as taken,
           coalesce(sum(g.taken) filter (where g.purpose = any(${[...reducing]})), 0)::numeric(18,3) as reversed,
           ${reversedMoney(tx, org, 'taxed_amount')} as red_amount,
           ${reversedMoney(tx, org, 'untaxed_amount')} as red_untaxed,
           ${takenMoney(tx, of, 'taxed_amount')} as amount,
           ${takenMoney(tx, of, 'untaxed_amount')} as untaxed
      from line_progress g
      join jsonb_to_recordset(${tx.json(sources)}) as o(id bigint, line_no int,
        base_quantity numeric, taxed_amount numeric, untaxed_amount numeric)
        on o.id = g.document_id and o.line_no = g.line_no
     where g.org_id = ${org} and g.document_id = any(${docs.map(doc => doc.id)}::bigint[]) and g.line_no > 0
       and g.purpose = any(${[...purposes, ...reducing]})
     group by g.document_id, g.line_no, o.base_quantity, o.taxed_amount, o.untaxed_amount`
  return new Map(rows.map(row => [`${row.document_id}/${row.line_no}`, row]))
}

const reversedMoney = (tx: Tx, org: string, column: MoneyColumn) => tx`
  (coalesce((select sum(${tx.unsafe(`r.${column}`)}) from document m join document_line r on r.org_id = m.org_id
    and r.document_id = m.id
            where m.org_id = ${org} and m.red_of_id = g.document_id and r.line_no = g.line_no), 0)
    - coalesce(round(${tx.unsafe(`o.${column}`)} * sum(g.taken) filter (where g.purpose = 'stop')
        / nullif(o.base_quantity, 0), 2), 0))::numeric(18,2)`

/**
 * The money of the source that takers took. A taker's own amount counts while only rounding separates it from its share
 * of the source; a taker at another price counts with that share, so that the rest keeps the price of the source.
 */
function takenMoney(tx: Tx, { org, from, purposes }: Of, column: MoneyColumn) {
  const takers = takersOf(from, purposes)
  const money = tx.unsafe(`l.${column}`)
  const part = tx`(${tx.unsafe(`o.${column}`)} * l.base_quantity / nullif(o.base_quantity, 0))`
  // Refused goods take their share of the money, and no document of ours records it.
  const refused = purposes.filter(purpose => purpose === 'refuse' || purpose === 'reject')
  return tx`
    (coalesce((select sum(case when abs(${money} - ${part}) > 0.02 + 0.0001 * abs(l.base_quantity)
                 then round(${part}, 2) else ${money} end)
                 from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
                where l.org_id = ${org} and d.role = 'own'
                  and (l.source_document_id = g.document_id and l.source_line_no = g.line_no
                    and d.kind = any(${[...takers.source]})
                    or l.delivery_document_id = g.document_id and l.delivery_line_no = g.line_no
                      and d.kind = any(${[...takers.delivery]})
                    or l.order_document_id = g.document_id and l.order_line_no = g.line_no
                      and d.kind = any(${[...takers.order]}))
                  and d.state in ('reviewed', 'partial', 'completed', 'reversed', 'stopped')), 0)
     - coalesce((select sum(${money} - round(${money} * coalesce(f.taken, 0) / nullif(l.base_quantity, 0), 2))
                   from jsonb_to_recordset(${tx.json(backOf(from, purposes))}) as k(kind text, "when" text,
                     through text)
                   join document d on d.org_id = ${org} and d.kind = k.kind and d.role = 'own'
                     and (k."when" is null or (d.fields->>k."when")::boolean)
                                  and d.state in ('reviewed', 'partial', 'completed', 'reversed', 'stopped')
                   join document_line l on l.org_id = d.org_id and l.document_id = d.id
                     and l.order_document_id = g.document_id and l.order_line_no = g.line_no
                   left join document_line b on b.org_id = l.org_id and b.document_id = l.source_document_id
                     and b.line_no = l.source_line_no
                   left join document a on a.org_id = b.org_id and a.id = b.source_document_id
                   left join line_progress f on f.org_id = l.org_id and f.document_id = l.document_id
                     and f.line_no = l.line_no and f.purpose = 'refuse'
                  where k.through is null or k.through = a.kind or k.through = 'delivery'
                    and l.delivery_document_id is not null), 0)
     + coalesce((select sum(round(${money} * f.taken / nullif(l.base_quantity, 0), 2)) from line_progress f
                   join document_line l on l.org_id = f.org_id and l.document_id = f.document_id
                     and l.line_no = f.line_no
                  where f.org_id = ${org} and f.document_id = g.document_id and f.line_no = g.line_no
                    and f.purpose = any(${refused})), 0))::numeric(18,2)`
}

/** Kinds whose lines give an order its counted quantity back: exchanged goods come again, at their price. */
const backOf = (from: string, purposes: readonly string[]) =>
  documentOf(from)?.sourcing.isOrder
    ? documents().flatMap(({ kind, sourcing: { sources: takes } }) => {
        const steps = (takes ?? []).flatMap(take => take.rollup ?? [])
        const step = steps.find(
          each => each.via === 'order' && each.ifFlag && each.givenBack && purposes.includes(each.purpose),
        )
        return step ? [{ kind, when: step.ifFlag ?? null, through: step.ifFrom ?? null }] : []
      })
    : []

/**
 * Kinds whose lines take for one of these purposes: from the document itself, or from one in between, passed upward
 * to it.
 */
type Takers = Readonly<Record<'source' | 'delivery' | 'order', readonly string[]>>

function takersOf(from: string, purposes: readonly string[]): Takers {
  const kindsWith = (takes: (take: SourceRule) => boolean) =>
    documents()
      .filter(taker => taker.sourcing.sources?.some(takes))
      .map(taker => taker.kind)
  // A step that gives back at the same time (issued, no longer allocated) was counted when first taken.
  const notifies = (link: ProgressRollup['via']) => (take: SourceRule) => {
    const steps = (take.rollup ?? []).filter(step => step.via === link && purposes.includes(step.purpose))
    return take.from !== from && steps.length > 0 && !steps.some(step => step.givenBack)
  }
  return {
    source: kindsWith(take => take.from === from && purposes.includes(take.purpose)),
    delivery: kindsWith(notifies('delivery')),
    order: kindsWith(notifies('order')),
  }
}
