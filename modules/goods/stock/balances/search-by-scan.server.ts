import { lotForm } from '#kernel/values/lot-no.ts'
import { asPackCode } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { RecordRules } from '#server/public/records.ts'
import { parseWithKnown } from '#server/public/traceability.ts'
import type { Tx } from '#server/public/database.ts'

/** `number`: the text, where it is an item number and may as well be that of a lot. */
type Meant = {
  readonly lot?: string
  readonly di?: string
  readonly lots?: readonly string[]
  readonly number?: string
}

/** The goods with a device identifier, their own or that of a pack of them. */
const goodsOf = (tx: Tx, di: string | null) => tx`
  select id from specification where udi_di = ${di} union select specification_id from pack_unit where udi_di = ${di}`

/**
 * The lot or piece that a scanned text means: a piece's own code, or a carrier that names product and lot. Null: the
 * text was typed, and is searched for.
 */
async function meantBy(tx: Tx, text: string): Promise<Meant | null> {
  const [unit] = await tx<{ lot_id: string }[]>`
    select lot_id from unit_code where bare = ${asPackCode(text)} limit 1`
  if (unit) return { lot: unit.lot_id }
  const parsed = await parseWithKnown(tx, text)
  if (!parsed.ok || parsed.di === null) return null
  const [known] = await tx`${goodsOf(tx, parsed.di)} limit 1`
  if (!known && parsed.kind === 'gtin') return null
  // A lot may look like any standard code.
  const [named] = known ? [] : await tx`select 1 from lots_named(${lotForm(text)}) limit 1`
  if (named) return null
  if (!known) throw new BusinessError('notFound', `未识别的条码：${text.slice(0, 80)}，请核对后重新扫描`)
  const lots = (parsed.candidates ?? [parsed]).flatMap(({ lot }) => (lot ? lotForm(lot) : []))
  return { di: parsed.di, ...(lots.length > 0 ? { lots } : {}), ...(parsed.kind === 'gtin' ? { number: text } : {}) }
}

/** The rows of the lots that a scan names; all rows of its goods where it names none. */
export function rowsMeant(tx: Tx, { lot, di, lots, number }: Meant) {
  if (lot !== undefined) return tx`t.lot_id = ${lot}`
  const named =
    lots === undefined
      ? tx`true`
      : tx`t.lot_id in (select z.id from unnest(${lots as string[]}::text[]) k(lot_no)
          cross join lateral lots_named(k.lot_no) z)`
  return tx`(t.specification_id in (${goodsOf(tx, di ?? null)}) and ${named}
    or t.lot_no = ${number ?? null})`
}

/** One search box for words and scans, over rows by lot: any scannable code finds the goods. */
export const searchedByScan = {
  prepare: async (tx, _session, { q }) => ({ meant: q === null ? null : await meantBy(tx, q) }),
  search(tx, pattern, { meant }) {
    if (meant) return rowsMeant(tx, meant as Meant)
    return tx`(t.lot_no ilike ${pattern}
      or t.product_id in (select p.id from product p
      where (p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${pattern})
              or t.specification_id in (select s.id from specification s
                where (s.name || ' ' || s.code || ' ' || coalesce(s.model, '')) ilike ${pattern}))`
  },
} satisfies Partial<RecordRules>
