import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import {
  type Direction,
  directionName,
  isDirection,
  partnerTypes,
  partnerTypesByRelation,
  VENDOR_BUYS,
} from '#kernel/values/organisation-type.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Row = Readonly<Record<string, unknown>>
type Named = { readonly id: string; readonly direction: Direction; readonly label: string; readonly problem: Problem }

/** The organisations that a row names as its supplier or its customer. */
function namedBy(fields: Fields, row: Row, line: number | null): Named[] {
  return Object.entries(fields).flatMap(([name, { optionsFilter, readOnly, label }]): Named[] => {
    const relation = optionsFilter?.relation
    const value = row[name]
    if (!isDirection(relation) || readOnly || value === null || value === undefined) return []
    const problem = { field: name, msg: '', ...(line === null ? {} : { line }) }
    const ids: unknown[] = Array.isArray(value) ? value : [value]
    return ids.map(id => ({ id: String(id), direction: relation, label, problem }))
  })
}

/**
 * Goods are bought from suppliers and sold to customers: a field that names one refuses the other, and ourselves. The
 * owner of goods may be ourselves.
 */
export async function checkDirections(
  tx: Tx,
  { org }: Session,
  definition: AnyDocument,
  header: Row,
  lines: readonly Row[],
): Promise<void> {
  const named = [
    ...namedBy(definition.header, header, null),
    ...lines.flatMap((line, at) => namedBy(definition.lines, line, at + 1)),
  ].filter(({ id, problem }) => id !== org.id || problem.field !== 'owner_org_sn')
  if (named.length === 0) return
  const rows = await tx<{ id: string; name: string; system_type: number; vendor_buys: boolean }[]>`
    select o.id, o.name, o.system_type, exists (select 1 from org_relation r
      where r.org_id = ${org.id} and r.partner_id = o.id and r.relation = ${VENDOR_BUYS}) as vendor_buys
      from organisation o where o.id = any(${named.map(({ id }) => id)}::bigint[])`
  const problems = named.flatMap(({ id, direction, label, problem }): Problem[] => {
    const found = rows.find(row => row.id === id)
    if (id === org.id) return [{ ...problem, msg: `【${label}】不能是本机构，请重新选择` }]
    if (!found || partnerTypes(direction, org.type).includes(found.system_type)) return []
    if (found.vendor_buys && partnerTypesByRelation(direction, org.type).includes(found.system_type)) return []
    return [{ ...problem, msg: `【${found.name}】不是本机构的${directionName[direction]}，请重新选择【${label}】` }]
  })
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}
