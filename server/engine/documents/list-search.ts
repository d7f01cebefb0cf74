import { patternOf } from '#server/engine/query.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** So many lines of goods are fetched as a set of papers; goods in more of them are asked for paper by paper, and found soon. */
const FEW_LINES = 5000
const MOST_PARTNERS = 500
const MOST_GOODS = 2000

/** What the words of a search mean: partners, goods, and the papers with these goods, or null where they stand nearly everywhere. */
export type Found = {
  readonly q: string
  readonly partners: readonly string[]
  readonly goods: readonly string[]
  readonly papers: readonly string[] | null
}

/**
 * Looks the words up among partners and goods, whose tables are small, before any paper is read: with the ids in its hand
 * the database knows how many papers to expect, and reads them by index.
 */
export async function findWords(tx: Tx, session: Session, q: string): Promise<Found> {
  const like = patternOf(q)
  const [found] = await tx<{ partners: string[]; goods: string[]; lines: string[] }[]>`
    select partners, goods, array(
             select l.document_id from document_line l
              where l.org_id = ${session.org.id} and l.specification_id = any(goods) limit ${FEW_LINES + 1}) as lines
      from (select array(select o.id from organisation o where (o.name || ' ' || o.pinyin) ilike ${like} limit ${MOST_PARTNERS}) as partners,
                   array(select s.id from specification s join product p on p.id = s.product_id
                          where (p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${like}
                             or (s.name || ' ' || s.code || ' ' || coalesce(s.model, '')) ilike ${like} limit ${MOST_GOODS}) as goods) w`
  const { partners, goods, lines } = found!
  return { q, partners, goods, papers: lines.length > FEW_LINES ? null : [...new Set(lines)] }
}

/** Papers of this number, of these partners, or with these goods. */
export function searchSql(tx: Tx, { q, partners, goods, papers }: Found) {
  const number = q.toUpperCase()
  const withGoods = papers
    ? tx`d.id = any(${papers}::bigint[])`
    : tx`exists (
        select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id and l.specification_id = any(${goods}::bigint[]))`
  return tx`((d.sn collate "C" >= ${number} and d.sn collate "C" < ${`${number}\uffff`})
    or d.counterparty_id = any(${partners}::bigint[]) or ${withGoods})`
}
