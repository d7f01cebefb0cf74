import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A column of a table as a user arranged it. */
export type LayoutColumn = {
  readonly field: string
  readonly title: string
  readonly fixed?: unknown
  readonly fixedLeft?: unknown
  readonly width?: unknown
  readonly hidden?: unknown
}

/** The caller's arrangement of a table; nothing where there is none. */
export async function tableLayout(tx: Tx, session: Session, project: string, table: string): Promise<unknown> {
  const [row] = await tx<{ columns: unknown }[]>`
    select columns from table_layout
     where org_id = ${session.org.id} and user_id = ${session.userId} and project_name = ${project}
       and table_id = ${table}`
  return row?.columns ?? []
}

/** The arrangements of a table that colleagues of the same organisation saved as shared. */
export const sharedLayouts = (tx: Tx, session: Session, project: string, table: string) => tx<{ scheme: object }[]>`
  select c.value || jsonb_build_object('by', u.name) as scheme
    from table_layout l
    join app_user u on u.org_id = l.org_id and u.id = l.user_id and u.status = 'enabled'
   cross join lateral jsonb_array_elements(l.columns) c
   where l.org_id = ${session.org.id} and l.user_id <> ${session.userId} and l.project_name = ${project}
     and l.table_id = ${table} and jsonb_typeof(l.columns) = 'array' and c.value ->> 'isShared' = 'true'
   order by u.name, c.value ->> 'title'
   limit 100`

export async function saveTableLayout(
  tx: Tx,
  session: Session,
  project: string,
  table: string,
  columns: readonly LayoutColumn[],
): Promise<void> {
  await tx`
    insert into table_layout (org_id, user_id, project_name, table_id, columns)
    values (${session.org.id}, ${session.userId}, ${project}, ${table}, ${tx.json(columns)})
    on conflict (org_id, user_id, project_name, table_id) do update set columns = excluded.columns`
}
