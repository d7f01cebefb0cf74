import type { JSONValue, Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { asOrganisation } from '#modules/base/checks/as-organisation.server.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/**
 * The tables whose rows move with an organisation: its licences and its catalogue. Ledgers and business documents stay
 * where they are.
 */
const taken = ['licence', 'licence_line', 'hospital_product', 'dealer_product'] as const
/** Columns of shared tables that refer to an organisation and follow it. */
const pointers = [
  { table: 'product', column: 'manufacturer_id' },
  { table: 'registration_certificate', column: 'holder_org_id' },
  { table: 'product_revision', column: 'maker_id' },
] as const

type User = { id: string; employee_id: string | null; is_administrator: boolean; roles: string[] }
/** Everything that a merge moved, so that it can be undone completely. */
export type Merge = {
  readonly source: string
  readonly target: string
  readonly users: readonly User[]
  readonly relations: readonly { readonly id: string; readonly side: 'org_id' | 'partner_id' }[]
  readonly pointed: Readonly<Record<string, readonly string[]>>
  readonly copies: Readonly<Record<string, readonly Readonly<Record<string, JSONValue>>[]>>
}

/** True if an organisation ever booked anything; queried as that organisation. */
export async function hasBooked(tx: Tx, session: Session, org: string): Promise<boolean> {
  const [row] = await asOrganisation(
    tx,
    session,
    org,
    () => tx<{ booked: boolean }[]>`
      select exists (select 1 from stock_move where org_id = ${org})
        or exists (select 1 from account_entry where org_id = ${org}) as booked`,
  )
  return row?.booked === true
}

/**
 * Moves shared data, records what is copied, and stops the source: one transaction of the platform. Returns the
 * entry of the recycle bin.
 */
export async function mergeInto(tx: Tx, session: Session, source: string, target: string): Promise<Merge> {
  const merge: Merge = {
    source,
    target,
    users: await takenUsers(tx, source),
    relations: await moveRelations(tx, source, target),
    pointed: await movePointers(tx, source, target),
    copies: await asOrganisation(tx, session, source, () => copiesOf(tx, source, target)),
  }
  const ids = merge.users.map(user => user.id)
  await tx`delete from user_role where user_id = any(${ids}::bigint[])`
  await tx`
    update app_user set org_id = ${target}, employee_id = null, is_administrator = is_administrator
      and not exists (select 1 from app_user a where a.org_id = ${target} and a.is_administrator),
           version = version + 1 where id = any(${ids}::bigint[])`
  await tx`delete from session where org_id = ${source}`
  return merge
}

const takenUsers = (tx: Tx, source: string) => tx<User[]>`
  select u.id, u.employee_id, u.is_administrator,
    coalesce((select array_agg(g.role_id::text) from user_role g where g.user_id = u.id), '{}') as roles
    from app_user u where u.org_id = ${source} order by u.id`

/** Relations the target lacks become its own, on either side; one with the target itself is not moved. */
async function moveRelations(tx: Tx, source: string, target: string): Promise<Merge['relations']> {
  const own = await tx<{ id: string }[]>`
    update org_relation r set org_id = ${target}, version = version + 1
      where r.org_id = ${source} and r.partner_id <> ${target}
       and not exists (select 1 from org_relation x where x.org_id = ${target} and x.partner_id = r.partner_id
         and x.relation = r.relation) returning id`
  const others = await tx<{ id: string }[]>`
    update org_relation r set partner_id = ${target}, version = version + 1
      where r.partner_id = ${source} and r.org_id <> ${target}
       and not exists (select 1 from org_relation x where x.org_id = r.org_id and x.partner_id = ${target}
         and x.relation = r.relation) returning id`
  return [
    ...own.map(({ id }) => ({ id, side: 'org_id' as const })),
    ...others.map(({ id }) => ({ id, side: 'partner_id' as const })),
  ]
}

async function movePointers(tx: Tx, source: string, target: string): Promise<Record<string, string[]>> {
  const moved: Record<string, string[]> = {}
  for (const { table, column } of pointers) {
    const rows = await tx<{ id: string }[]>`
      update ${tx(table)} set ${tx(column)} = ${target}, version = version + 1 where ${tx(column)} = ${source}
        returning id`
    moved[table] = rows.map(row => row.id)
  }
  return moved
}

/** The source's rows as they will be at the target, each with its new key: created once, however often it is tried. */
async function copiesOf(tx: Tx, source: string, target: string): Promise<Merge['copies']> {
  const copies: Record<string, Record<string, JSONValue>[]> = {}
  const licences = new Map<string, string>()
  for (const table of taken) {
    const rows = await tx<{ row: Record<string, JSONValue>; fresh: string }[]>`
      select to_jsonb(t) as row, nextval('reference_id_seq')::text as fresh from ${tx(table)} t
        where t.org_id = ${source} order by t.id`
    if (table === 'licence') for (const { row, fresh } of rows) licences.set(String(row.id), fresh)
    copies[table] = rows.map(({ row, fresh }) => ({
      ...row,
      id: fresh,
      org_id: target,
      ...('holder_id' in row && String(row.holder_id) === source ? { holder_id: target } : {}),
      ...('licence_id' in row ? { licence_id: licences.get(String(row.licence_id)) ?? null } : {}),
      ...('default_warehouse_id' in row ? { default_warehouse_id: null } : {}),
    }))
  }
  return copies
}

/** Inserts the copies at the target, in a transaction of its own; rows that the target already has do not change. */
export const createCopies = (sql: Sql, { target, copies }: Merge) =>
  inOrganisation(sql, target, '0', async tx => {
    for (const [table, rows] of Object.entries(copies))
      if (rows.length > 0)
        await tx`
          insert into ${tx(table)} select (jsonb_populate_record(null::${tx(table)}, r)).*
            from jsonb_array_elements(${tx.json(rows)}::jsonb) r
           where r->>'licence_id' is null
             or exists (select 1 from licence l where l.org_id = ${target} and l.id = (r->>'licence_id')::bigint)
             on conflict do nothing`
  })

/** Removes the copies the merge inserted. */
export const liftCopies = (sql: Sql, { target, copies }: Merge) =>
  inOrganisation(sql, target, '0', async tx => {
    for (const [table, rows] of Object.entries(copies))
      await tx`delete from ${tx(table)}
        where org_id = ${target} and id = any(${rows.map(row => String(row.id))}::bigint[])`
  })

/** Undoes a merge: everything that was moved returns, and the source trades again. */
export async function unmerge(tx: Tx, merge: Merge): Promise<void> {
  const { source, target } = merge
  for (const { id, side } of merge.relations)
    await tx`update org_relation set ${tx(side)} = ${source}, version = version + 1
      where id = ${id} and ${tx(side)} = ${target}`
  for (const { table, column } of pointers)
    await tx`
      update ${tx(table)} set ${tx(column)} = ${source}, version = version + 1
       where id = any(${[...(merge.pointed[table] ?? [])]}::bigint[]) and ${tx(column)} = ${target}`
  for (const user of merge.users) {
    await tx`delete from user_role where user_id = ${user.id}`
    await tx`
      update app_user set org_id = ${source}, employee_id = ${user.employee_id},
        is_administrator = ${user.is_administrator}, version = version + 1 where id = ${user.id}`
    await tx`insert into user_role (org_id, user_id, role_id)
      select ${source}, ${user.id}, r from unnest(${user.roles}::bigint[]) r
      on conflict do nothing`
    await tx`delete from session where user_id = ${user.id}`
  }
  const woken = await tx`
    update organisation set status = 'enabled', version = version + 1 where id = ${source} and status = 'disabled'
      returning id`
  if (woken.length === 0) throw new BusinessError('wrongState', '该数据已恢复')
}
