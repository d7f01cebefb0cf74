import type { Sql } from 'postgres'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

type Query = Readonly<Record<string, unknown>>

const among = (mine: 'all' | ReadonlySet<string>, there: readonly string[]): ReadonlySet<string> =>
  new Set(mine === 'all' ? there : there.filter(id => mine.has(id)))

/**
 * A session narrowed to one campus (院区) of its hospital: to the departments and warehouses there, of those that it sees
 * anyway. A department without a campus has that of the department above it, a warehouse without one that of its
 * department. Rows that name neither stay visible, as for all users who are bound to some stores.
 */
export async function inCampus<Of extends Session>(tx: Tx, session: Of, campus: string): Promise<Of> {
  const [row] = await tx<{ departments: string[]; warehouses: string[] }[]>`
    with recursive placed as (
      select d.id, d.campus from department d where d.org_id = ${session.org.id} and d.parent_id is null
      union all
      select d.id, coalesce(d.campus, p.campus) from placed p
        join department d on d.org_id = ${session.org.id} and d.parent_id = p.id
    )
    select coalesce((select array_agg(p.id::text) from placed p where p.campus = ${campus}), '{}') as departments,
           coalesce((
             select array_agg(w.id::text) from warehouse w left join placed p on p.id = w.department_id
              where w.org_id = ${session.org.id} and coalesce(w.campus, p.campus) = ${campus}), '{}') as warehouses`
  return {
    ...session,
    departments: among(session.departments, row!.departments),
    warehouses: among(session.warehouses, row!.warehouses),
  }
}

/** The campuses that departments and warehouses of the hospital name, in the order of their names. */
export async function campusesOf(tx: Tx, session: Session): Promise<readonly string[]> {
  const rows = await tx<{ campus: string }[]>`
    select campus from department where org_id = ${session.org.id} and campus is not null
     union select campus from warehouse where org_id = ${session.org.id} and campus is not null
     order by 1`
  return rows.map(row => row.campus)
}

/**
 * Reads the campus (`of_campus`) that a call of any list or report names. Gives the session narrowed to that campus,
 * and the query without the parameter.
 */
export async function narrowedBy<Of extends Session>(
  sql: Sql,
  session: Of,
  { of_campus, ...query }: Query,
): Promise<{ readonly session: Of; readonly query: Query }> {
  if (typeof of_campus !== 'string' || of_campus === '') return { session, query }
  return {
    session: await inOrganisation(sql, session.org.id, session.userId, tx => inCampus(tx, session, of_campus)),
    query,
  }
}
