import { kindsAdding } from '#kernel/measure/feeding.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Goods = {
  readonly line_no: number
  readonly specification_sn: string | null
  readonly lot_no: string | null
  readonly owner_org_sn: string | null
}

/** The supplier of each line's goods: their owner, or for purchased goods the last supplier of the lot. */
export async function suppliersOf(
  tx: Tx,
  session: Session,
  lines: readonly Goods[],
): Promise<ReadonlyMap<number, string | null>> {
  const org = session.org.id
  const isOurs = (line: Goods) => !line.owner_org_sn || line.owner_org_sn === org
  const bought = lines.filter(isOurs)
  const asked = bought.map(line => ({
    line_no: line.line_no,
    specification: line.specification_sn,
    lot: line.lot_no ?? '',
  }))
  const brought =
    bought.length === 0
      ? []
      : await tx<{ line_no: number; supplier: string }[]>`
          select k.line_no, s.counterparty_id as supplier
            from jsonb_to_recordset(${tx.json(asked)}) as k(line_no int, specification bigint, lot text)
            join lateral (
              select d.counterparty_id from document_line l join document d on d.org_id = l.org_id
                and d.id = l.document_id
               where l.org_id = ${org} and l.lot_no = k.lot and l.specification_id = k.specification
                 and d.kind = any(${kindsAdding('purchased')}) and d.role = 'own'
                 and d.red_of_id is null and d.state in ('reviewed', 'partial', 'completed')
                   and d.counterparty_id is not null
               order by d.reviewed_at desc, d.id desc limit 1) s on true`
  const supplierOf = new Map(brought.map(row => [row.line_no, row.supplier]))
  return new Map(
    lines.map(line => [line.line_no, isOurs(line) ? (supplierOf.get(line.line_no) ?? null) : line.owner_org_sn]),
  )
}
