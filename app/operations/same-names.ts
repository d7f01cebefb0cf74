import type { Sql } from 'postgres'

type Pair = {
  readonly table_name: string
  readonly field: string
  readonly org_id: string | null
  readonly org_name: string | null
  readonly first_name: string
  readonly other_name: string
}

/**
 * Pairs of names, logins and codes that became the same when they were compared without case, width and blanks. Nothing
 * stops working; an operator renames one of each pair.
 */
export const pairsOfOneName = (sql: Sql) => sql<Pair[]>`
  select n.*, o.name as org_name from same_names() n left join organisation o on o.id::text = n.org_id
   order by n.table_name, n.field, n.org_id, n.first_name`

/** The line that a start prints after it brought the comparison to an installation with such pairs; null: none. */
export async function noteOnSameNames(sql: Sql): Promise<string | null> {
  const pairs = await pairsOfOneName(sql)
  if (pairs.length === 0) return null
  return `有 ${pairs.length} 对名称或编码只差大小写、全角半角或空格，今后视为重复；现有数据照常使用。请运行 npm run same-names 查看并改名。`
}
