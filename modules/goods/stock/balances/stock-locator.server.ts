import { asPackCode } from '#kernel/codes/pack-code.ts'
import { today } from '#kernel/values/date.ts'
import { remind } from '#modules/goods/stock/balances/use-reminder.server.ts'
import { searchedByScan } from '#modules/goods/stock/balances/search-by-scan.server.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/public/session.ts'
import { codesNamedSql } from '#server/public/stock.ts'
import { trace } from '#server/public/traceability.ts'
import type { Tx } from '#server/public/database.ts'
import { likePattern, type RecordRules } from '#server/public/records.ts'

type Step = {
  readonly step: string
  readonly step_name: string
  readonly at: unknown
  readonly org_name: string | null
  /** Shown only to the organisation whose document it is. */
  readonly document_sn?: string | null
  readonly document_kind: string
}
const dayOf = (at: unknown): string =>
  new Date(at as string | Date).toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })

/**
 * A known code without any stock: its last event, as far as its trace is visible to this organisation; for a used
 * piece by whom and when, and no more.
 */
async function sayWhatBecame(tx: Tx, session: Session, code: string, isPiece: boolean): Promise<void> {
  const found = await trace(tx, session, code, 'chain').catch(error => {
    if (error instanceof BusinessError) return null
    throw error
  })
  const last = found?.list.at(-1) as Step | undefined
  const used = (found?.info.unit as { status?: string } | null | undefined)?.status === 'used'
  if (isPiece && last && used) {
    const doc = session.org.type === 'H' && last.document_sn ? { kind: last.document_kind, sn: last.document_sn } : null
    const where = doc ? `，使用单${doc.sn}` : ''
    throw new BusinessError(
      'rule',
      `院内码${code}已使用：${last.org_name ?? '医院'} ${dayOf(last.at)}${where}`,
      [],
      doc,
    )
  }
  const became = last ? `，最近动态：${last.step_name} ${last.org_name ?? ''} ${dayOf(last.at)}` : ''
  throw new BusinessError('notFound', `该产品当前无库存${became}`)
}

/**
 * Finds stock of the scanned goods only where this organisation has any. A used piece has none, whatever else there is
 * of its lot.
 */
const found: RecordRules['prepare'] = async (tx, session, asked) => {
  const prepared = await searchedByScan.prepare(tx, session, asked)
  const { meant } = prepared
  if (meant === null || asked.q === null) return prepared
  const [named] = await tx<{ known: number; is_used: boolean }[]>`
    select count(*)::int as known, coalesce(bool_and(u.status = 'used'), false) as is_used from unit_code c
      join unit u on u.lot_id = c.lot_id and u.id = c.unit_id where c.bare = any(${codesNamedSql(tx, asked.q)})`
  // The text may be the number of a lot as well.
  const wanted = named!.is_used ? { meant: { ...meant, pieces: undefined, serials: undefined } } : prepared
  const [row] = await tx`
    select 1 from stock_everywhere t
      where t.org_id = ${session.org.id} and ${searchedByScan.search(tx, likePattern(asked.q), wanted)} limit 1`
  if (!row) await sayWhatBecame(tx, session, asPackCode(asked.q.trim()), named!.known > 0)
  return prepared
}

export const stockLocatorRules: RecordRules = {
  kind: 'stockLocator',
  calls: { remind },
  visible(tx, session) {
    return session.warehouses === 'all'
      ? tx`true`
      : tx`(t.warehouse_id is null or t.warehouse_id = any(${[...session.warehouses]}::bigint[]))`
  },
  ...searchedByScan,
  prepare: found,
  columns: (tx, session) => {
    const moved = tx`from stock_move m join document d on d.org_id = m.org_id and d.id = m.document_id
                     where m.org_id = ${session.org.id} and m.lot_id = t.lot_id and m.warehouse_id = t.warehouse_id`
    return {
      manufacturer_name: tx`(select o.name from organisation o where o.id = ${tx('to_product_sn.manufacturer_id')})`,
      days_left: tx`t.expiry_date - ${today()}::date`,
      pieces: tx`(select count(*)::int from unit u where u.lot_id = t.lot_id and u.id > 0
        and u.holder_org_id = ${session.org.id} and u.warehouse_id = t.warehouse_id and u.status = 'in_stock')`,
      days_here: tx`(select ${today()}::date - min(m.business_date) ${moved} and m.quantity > 0)`,
      last_sn: tx`(select d.sn ${moved} order by m.at desc limit 1)`,
      last_at: tx`(select m.at ${moved} order by m.at desc limit 1)`,
    }
  },
}
