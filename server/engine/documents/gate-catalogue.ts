import type { Problem } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import type { SpecificationFacts } from '#server/engine/documents/facts.ts'

const TEMPORARY = new Set(['self_built', 'pending'])

/** What the catalogue says against the goods of a paper: products that only their builder knows, and those a dealer may not sell. */
export async function catalogueProblems(
  { tx, session, doc, definition }: Acting,
  facts: ReadonlyMap<string, SpecificationFacts>,
): Promise<Problem[]> {
  const lineOf = (id: string) => doc.lines.find(line => line.specification_sn === id)?.line_no
  const problems: Problem[] = []
  const temporary = [...facts.values()].filter(fact => TEMPORARY.has(fact.product_status))
  if (temporary.length > 0 && definition.sends?.length && doc.counterparty_sn) {
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
  if (definition.gate !== 'customer' || session.org.type !== 'D') return problems
  const refused = await tx<{ id: string; name: string }[]>`
    select s.id, p.name from specification s join product p on p.id = s.product_id join dealer_check c on c.product_id = p.id and c.dealer_id = ${session.org.id} and c.state = 'refused'
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
