import { lotForm } from '#kernel/values/lot-no.ts'
import { possibleCodes } from '#kernel/codes/canonical-code.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { RecordRules } from '#server/public/records.ts'
import { codesNamedSql } from '#server/public/stock.ts'
import { parseWithKnown } from '#server/public/traceability.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * `pieces`: the lots of the pieces with this code; `serials`: those of the pieces with the text as their serial, which
 * may be a lot or a word as well; `number`: the text, where it is an item number and may as well be that of a lot.
 */
type Meant = {
  readonly pieces?: readonly string[]
  readonly serials?: readonly string[]
  readonly di?: string
  readonly lots?: readonly string[]
  readonly number?: string
}

/** The lots of one serial, of however many products. */
const MOST_LOTS = 50

/** The goods with a device identifier, their own or that of a pack of them. */
const goodsOf = (tx: Tx, di: string | null) => tx`
  select id from specification where udi_di = ${di} union select specification_id from pack_unit where udi_di = ${di}`

/** The lot that a carrier names which is no known piece: by its product and lot. Null: the text was typed. */
async function lotMeantBy(tx: Tx, text: string): Promise<Meant | null> {
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

/**
 * Finds the meaning of a scanned text: a piece by its code or serial, or a carrier that names product and lot. Null:
 * the text was typed, and is searched for.
 */
async function meantBy(tx: Tx, text: string): Promise<Meant | null> {
  const named = await tx<{ lot_id: string; is_whole: boolean }[]>`
    select distinct lot_id, bare = any(${possibleCodes(text, today())}::text[]) as is_whole from unit_code
     where bare = any(${codesNamedSql(tx, text)}) limit ${MOST_LOTS}`
  const whole = named.filter(row => row.is_whole)
  if (whole.length > 0) return { pieces: whole.map(row => row.lot_id) }
  const lot = await lotMeantBy(tx, text)
  return named.length === 0 ? lot : { ...lot, serials: named.map(row => row.lot_id) }
}

/** The rows of the lots that a scan names; all rows of its goods where it names none. */
function rowsMeant(tx: Tx, { pieces, serials, di, lots, number }: Meant) {
  if (pieces) return tx`t.lot_id = any(${pieces as string[]}::bigint[])`
  const named =
    lots === undefined
      ? tx`true`
      : tx`t.lot_id in (select z.id from unnest(${lots as string[]}::text[]) k(lot_no)
          cross join lateral lots_named(k.lot_no) z)`
  return tx`(t.specification_id in (${goodsOf(tx, di ?? null)}) and ${named}
    or t.lot_no = ${number ?? null} or t.lot_id = any(${(serials ?? []) as string[]}::bigint[]))`
}

/** One search box for words and scans, over rows by lot: any scannable code finds the goods. */
export const searchedByScan = {
  prepare: async (tx, _session, { q }) => ({ meant: q === null ? null : await meantBy(tx, q) }),
  search(tx, pattern, { meant }) {
    const scan = meant as Meant | null
    if (scan?.pieces || scan?.di) return rowsMeant(tx, scan)
    return tx`(${scan ? rowsMeant(tx, scan) : tx`false`} or t.lot_no ilike ${pattern}
      or t.product_id in (select p.id from product p
      where (p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${pattern})
              or t.specification_id in (select s.id from specification s
                where (s.name || ' ' || s.code || ' ' || coalesce(s.model, '')) ilike ${pattern}))`
  },
} satisfies Partial<RecordRules>
