import { lotForm } from '#kernel/values/lot-no.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

type Meant = { readonly lot?: string; readonly di?: string; readonly lot_no?: string }

/**
 * What was scanned: a piece's own code, or a carrier that names product and lot. Null: it was typed, and is searched
 * for.
 */
async function meantBy(tx: Tx, text: string): Promise<Meant | null> {
  const [unit] = await tx<{ lot_id: string }[]>`select lot_id from unit_code where bare = ${text} limit 1`
  if (unit) return { lot: unit.lot_id }
  const parsed = parseCode(text)
  if (!parsed.ok || parsed.di === null || parsed.di === undefined) return null
  const [known] = await tx`select 1 from specification where udi_di = ${parsed.di}`
  if (!known) throw new BusinessError('notFound', `未识别的条码：${text.slice(0, 80)}，请核对后重新扫描`)
  return { di: parsed.di, ...(parsed.lot ? { lot_no: lotForm(parsed.lot) } : {}) }
}

/** The rows of the lot that a scan names; all rows where it names none. */
export const ofLot = (tx: Tx, { lot_no }: Meant) =>
  lot_no === undefined ? tx`true` : tx`t.lot_id in (select z.id from lots_named(${lot_no}) z)`

/** One search box for words and scans, over rows by lot: any scannable code finds the goods. */
export const searchedByScan = {
  prepare: async (tx, _session, { q }) => ({ meant: q === null ? null : await meantBy(tx, q) }),
  search(tx, pattern, { meant }) {
    const found = meant as Meant | null
    if (found?.lot) return tx`t.lot_id = ${found.lot}`
    if (found?.di)
      return tx`(t.specification_id in (select s.id from specification s where s.udi_di = ${found.di})
        and ${ofLot(tx, found)})`
    return tx`(t.lot_no ilike ${pattern}
      or t.product_id in (select p.id from product p
      where (p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${pattern})
              or t.specification_id in (select s.id from specification s
                where (s.name || ' ' || s.code || ' ' || coalesce(s.model, '')) ilike ${pattern}))`
  },
} satisfies Partial<RecordRules>
