import { Refusal } from '#kernel/refusal.ts'
import { permits } from '#modules/licence-types.ts'
import type { Acting } from '#server/engine/documents/acting.ts'

type Goods = {
  readonly id: string
  readonly name: string
  /** The class of the catalogue of 2017 (03) and of 2002 (6877), as far as the product names them. */
  readonly now: string | null
  readonly before: string | null
}

/** Classes that the text of a scope names: 6877 of the catalogue of 2002, 03 of that of 2017. */
export function classesIn(scope: string): ReadonlySet<string> {
  const before = scope.match(/(?<!\d)68\d{2}(?!\d)/g) ?? []
  const now = scope.replaceAll(/\d{4}年/g, '').match(/(?<!\d)[012]\d(?!\d)/g) ?? []
  return new Set([...before, ...now])
}

/**
 * 经营范围: a dealer who buys devices of class II or III is licensed for their class, by the permits that we hold of him on that day. A scope
 * that names no classes, and a product without a class, cannot be judged and are read by people.
 */
export async function askScope({ tx, session, doc, settings, questions }: Acting): Promise<void> {
  const [held] = await tx<{ scope: string | null }[]>`
    select string_agg(l.scope, '；') as scope from licence l join organisation o on o.id = l.holder_id and o.system_type = 2
     where l.org_id = ${session.org.id} and l.holder_id = ${doc.counterparty_sn} and l.licence_type = any(${permits as string[]}::text[]) and l.audit_state = 'passed' and l.status in ('enabled', 'replaced')
       and l.valid_from <= ${doc.business_date} and (l.long_term or l.valid_to is null or l.valid_to >= ${doc.business_date})`
  const licensed = classesIn(held?.scope ?? '')
  if (licensed.size === 0) return
  const goods = await tx<Goods[]>`
    select s.id, p.name, left(p.class_code, 2) as now, left(p.class_code_2002, 4) as before from specification s join product p on p.id = s.product_id
     where s.id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[]) and p.device_class <> 'I'`
  const outside = goods.filter(({ now, before }) => {
    const classes = [now, before].filter(code => code !== null && /^(68)?\d\d$/.test(code))
    return classes.length > 0 && !classes.some(code => licensed.has(code!))
  })
  if (outside.length === 0) return
  const problems = doc.lines.flatMap(line => {
    const good = outside.find(each => each.id === line.specification_sn)
    if (!good) return []
    const msg = `第${line.line_no}行：购货单位经营范围不含${good.now ?? good.before}【${good.name}】，不能销售`
    return [{ line: line.line_no, field: 'specification_sn', msg }]
  })
  if (settings.certificate_check !== 'warn') throw new Refusal('rule', problems[0]!.msg, problems)
  questions.push(
    ...problems.map(({ line, msg }) => ({ rule: 'customerScope', line, msg: `${msg.slice(0, -5)}，是否继续？` })),
  )
}
