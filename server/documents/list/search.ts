import type { AnyDocument } from '#kernel/definition/document.ts'
import { likePattern } from '#server/lists/query.ts'
import { ofReader } from '#server/documents/list/overseen.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Up to this many documents are fetched as a set; with more, the condition is checked per document, which finds
 * matches quickly.
 */
const FEW = 5000
const MOST_PARTNERS = 500
const MOST_GOODS = 2000

/** The meaning of search words: the few documents they match, and what is common to many. */
export type SearchHits = {
  readonly documents: readonly string[]
  readonly number: string | null
  readonly partners: readonly string[]
  readonly goods: readonly string[]
}

/**
 * Looks the words up among partners and goods, whose tables are small, before reading documents: with known ids the
 * database can estimate how many documents to expect, and reads them by index. One after another and in index order:
 * no wrong estimate of a partner's frequency can make it read all documents.
 */
export async function searchDocuments(tx: Tx, session: Session, { kind }: AnyDocument, q: string): Promise<SearchHits> {
  const [like, number, ofUs] = [likePattern(q), q.toUpperCase(), ofReader(tx, session)]
  const [found] = await tx<
    { partners: string[]; goods: string[]; numbered: string[]; traded: string[]; lines: string[] }[]
  >`
    select partners, goods,
           array(select d.id from document d
                  where ${ofUs} and d.kind = ${kind} and d.sn collate "C" >= ${number}
                    and d.sn collate "C" < ${`${number}\uffff`} limit ${FEW + 1}) as numbered,
           array(select of_one.id from unnest(partners) p(id) cross join lateral (
                   select d.id from document d where ${ofUs} and d.kind = ${kind}
                     and d.counterparty_id = p.id order by d.id desc limit ${FEW + 1}) of_one
                     limit ${FEW + 1}) as traded,
           array(select of_one.document_id from unnest(goods) g(id) cross join lateral (
                   select l.document_id from document_line l
                    where ${ofReader(tx, session, 'l.org_id')} and l.specification_id = g.id
                     order by l.document_id limit ${FEW + 1}) of_one limit ${FEW + 1}) as lines
      from (select array(select o.id from organisation o where (o.name || ' ' || o.pinyin) ilike ${like}
        limit ${MOST_PARTNERS}) as partners,
                   array(select s.id from specification s join product p on p.id = s.product_id
                          where (p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${like}
                             or (s.name || ' ' || s.code || ' ' || coalesce(s.model, '')) ilike ${like}
                               limit ${MOST_GOODS}) as goods) w`
  const { partners, goods, numbered, traded, lines } = found!
  const isMany = (docs: readonly string[]) => docs.length > FEW
  return {
    documents: [...new Set([numbered, traded, lines].filter(docs => !isMany(docs)).flat())],
    number: isMany(numbered) ? number : null,
    partners: isMany(traded) ? partners : [],
    goods: isMany(lines) ? goods : [],
  }
}

/** Documents with this number, these partners, or these goods. */
export function searchSql(tx: Tx, { documents: docs, number, partners, goods }: SearchHits) {
  const ways = [tx`d.id = any(${docs}::bigint[])`]
  if (number !== null) ways.push(tx`(d.sn collate "C" >= ${number} and d.sn collate "C" < ${`${number}\uffff`})`)
  if (partners.length > 0) ways.push(tx`d.counterparty_id = any(${partners}::bigint[])`)
  if (goods.length > 0)
    ways.push(tx`exists (
      select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id
        and l.specification_id = any(${goods}::bigint[]))`)
  return tx`(${ways.reduce((all, way) => tx`${all} or ${way}`)})`
}
