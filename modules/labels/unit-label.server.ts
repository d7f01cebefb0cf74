import type { RecordRow, RecordRules } from '#server/engine/records/rules.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Most pieces that one scanned or typed text may mean. */
const MOST_HITS = 200

type Code = { readonly lot_id: string; readonly unit_id: string; readonly code: string; readonly kind: string }

/** Codes live by code and units by lot: they are read one after the other, never joined. */
async function codesOf(
  tx: Tx,
  units: readonly { readonly lot: unknown; readonly unit: unknown }[],
): Promise<Map<string, Code[]>> {
  const known = units.filter(one => one.lot !== null && one.unit !== null)
  const rows =
    known.length === 0
      ? []
      : await tx<Code[]>`
    select c.lot_id, c.unit_id, c.bare as code, c.kind from unit_code c
     where (c.lot_id, c.unit_id) in (select lot, unit from unnest(${known.map(one => String(one.lot))}::bigint[], ${known.map(one => String(one.unit))}::bigint[]) n(lot, unit))
     order by c.kind = 'inhouse' desc, c.kind, c.bare`
  return Map.groupBy(rows, row => row.unit_id)
}

export const unitLabelRules: RecordRules = {
  kind: 'unitLabel',
  async prepare(tx, _session, { q }) {
    if (q === null) return {}
    const hits = await tx<{ unit_id: string }[]>`
      select unit_id from unit_code where bare = ${q} or bare like ${`${q.replace(/[\\%_]/g, found => `\\${found}`)}%`} limit ${MOST_HITS}`
    return { units: hits.map(hit => hit.unit_id) }
  },
  source: tx =>
    tx`(select u.id, u.lot_id, u.specification_id, u.status, u.holder_org_id, u.warehouse_id, u.owner_id, u.parent_id, u.use_org_id, l.lot_no from unit u join lot l on l.id = u.lot_id where u.id > 0)`,
  visible: (tx, session) => tx`(t.holder_org_id = ${session.org.id} or t.use_org_id = ${session.org.id})`,
  search: (tx, pattern, parameters) =>
    tx`t.id = any(${(parameters.units ?? []) as string[]}::bigint[]) or t.lot_no ilike ${pattern}`,
  columns: (tx, session) => ({
    code: tx`null::text`,
    codes: tx`null::text[]`,
    parent_code: tx`null::text`,
    lot_no: tx`t.lot_no`,
    holder_name: tx`${tx('to_holder_org_sn.name')}`,
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    expiry_date: tx`(select k.expiry_date from stock_lot k where k.org_id = ${session.org.id} and k.lot_id = t.lot_id)`,
    lot_sn: tx`t.lot_id`,
    parent_sn: tx`t.parent_id`,
  }),
  async complete(tx, _session, rows) {
    const codes = await codesOf(
      tx,
      rows.flatMap(row => [
        { lot: row.lot_sn, unit: row.unit_sn },
        { lot: row.lot_sn, unit: row.parent_sn },
      ]),
    )
    const of = (unit: unknown) => codes.get(String(unit)) ?? []
    return rows.map(
      ({ lot_sn: _lot, parent_sn: parent, ...row }): RecordRow => ({
        ...row,
        code: of(row.unit_sn)[0]?.code ?? null,
        codes: of(row.unit_sn).map(one => one.code),
        parent_code: of(parent)[0]?.code ?? null,
      }),
    )
  },
}
