import type { Problem } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { SpecificationFacts } from '#modules/base/items/item-data.server.ts'
import type { StoredLine } from '#server/public/documents.ts'
import type { Tx } from '#server/public/database.ts'

type Made = { readonly specification: string; readonly day: string }

const TEMPORARY = new Set(['self_built', 'pending'])

/**
 * Problems of a document's goods in the catalogue: products known only to their creator, and those a dealer may not
 * sell.
 */
export async function catalogueProblems(
  { tx, session, doc, definition }: ActionContext,
  facts: ReadonlyMap<string, SpecificationFacts>,
): Promise<Problem[]> {
  const lineOf = (id: string) => doc.lines.find(line => line.specification_sn === id)?.line_no
  const problems: Problem[] = []
  const temporary = [...facts.values()].filter(fact => TEMPORARY.has(fact.product_status))
  if (temporary.length > 0 && definition.intercompany.copies?.length && doc.counterparty_sn) {
    const [partner] = await tx`select 1 from organisation where id = ${doc.counterparty_sn} and kept_by_id is null`
    if (partner)
      problems.push(
        ...temporary.map(fact => ({
          field: 'specification_sn',
          line: lineOf(fact.id)!,
          msg: `第${lineOf(fact.id)}行：自建产品未发布，不能用于跨机构单据`,
        })),
      )
  }
  problems.push(...(await madeOutside(tx, doc.lines, facts)))
  if (definition.compliance.party !== 'customer' || session.org.type !== 'D') return problems
  const refused = await tx<{ id: string; name: string }[]>`
    select s.id, p.name from specification s join product p on p.id = s.product_id
      join dealer_check c on c.product_id = p.id and c.dealer_id = ${session.org.id} and c.state = 'refused'
     where s.id = any(${[...facts.keys()]}::bigint[])`
  return [
    ...problems,
    ...refused.map(({ id, name }) => ({
      field: 'specification_sn',
      line: lineOf(id)!,
      msg: `第${lineOf(id)}行：【${name}】产品核对未通过，不能销售`,
    })),
  ]
}

const isCovered = (fact: SpecificationFacts | undefined, day: string): boolean => {
  if (!fact) return true
  const { certificate_no: no, certificate_valid_from: from, certificate_valid_to: until } = fact
  return no === null || (from !== null && from <= day && (until === null || until >= day))
}

/** Goods made after the end of their certificate and before the next one began. */
async function madeOutside(
  tx: Tx,
  lines: readonly StoredLine[],
  facts: ReadonlyMap<string, SpecificationFacts>,
): Promise<Problem[]> {
  const keyOf = (line: StoredLine) => `${line.specification_sn}/${line.production_date}`
  // Goods made while today's certificate was valid need no certificate history.
  const dated = lines.filter(
    line => line.production_date && !isCovered(facts.get(line.specification_sn ?? ''), line.production_date),
  )
  if (dated.length === 0) return []
  // Lots of one production day are queried only once.
  const made = new Map(
    dated.map(line => [keyOf(line), { specification: line.specification_sn!, day: line.production_date! }]),
  )
  const outside = await readOutside(tx, [...made.values()])
  return dated.flatMap(line => {
    const name = outside.get(keyOf(line))
    const msg = `第${line.line_no}行：【${name}】生产日期超出注册证有效期`
    return name === undefined ? [] : [{ field: 'production_date', line: line.line_no, msg }]
  })
}

/** The name of goods made on a day outside their certificates, by specification and day. */
async function readOutside(tx: Tx, made: readonly Made[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ key: string; name: string }[]>`
    with recursive asked as (
      select s.id as specification, m.day, s.registration_certificate_id as id, p.name
        from jsonb_to_recordset(${tx.json(made)}::jsonb) m(specification bigint, day date)
          join specification s on s.id = m.specification join product p on p.id = s.product_id
       where s.registration_certificate_id is not null),
    chain as (
      select a.specification, a.day, a.name, r.id, r.certificate_no, r.previous_certificate_no, r.valid_from,
        r.valid_to from asked a join registration_certificate r on r.id = a.id
      union
      select c.specification, c.day, c.name, r.id, r.certificate_no, r.previous_certificate_no, r.valid_from, r.valid_to
        from chain c join registration_certificate r on r.certificate_no = c.previous_certificate_no
          or r.previous_certificate_no = c.certificate_no)
    select specification || '/' || day as key, min(name) as name from chain group by specification, day
    having not bool_or(valid_from <= day and (valid_to is null or valid_to >= day)) and min(valid_to) < day`
  return new Map(rows.map(row => [row.key, row.name]))
}
