import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { done, reading } from '#server/public/routes.ts'

type Row = { readonly id: string; readonly name: string; readonly parent_id: string | null; readonly status: string }
type Item = { department_inner_sn: string; name: string; status: 0 | 1; children: Item[] }

/** The caller's departments as a tree; disabled ones stay in it, shown grey by their status. */
export function addDepartmentTree(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get('/v1/business/department/tree', request =>
    reading(sql, request, async (tx, session) => {
      const rows = await tx<
        Row[]
      >`select id, name, parent_id, status from department where org_id = ${session.org.id} order by sort_no, id`
      return done({ list: treeOf(rows), total: rows.length })
    }),
  )
}

function treeOf(rows: readonly Row[]): Item[] {
  const items = new Map(
    rows.map((row): [string, Item] => [
      row.id,
      { department_inner_sn: row.id, name: row.name, status: row.status === 'enabled' ? 1 : 0, children: [] },
    ]),
  )
  const roots: Item[] = []
  for (const row of rows) {
    const item = items.get(row.id)
    if (item) (items.get(row.parent_id ?? '')?.children ?? roots).push(item)
  }
  return roots
}
