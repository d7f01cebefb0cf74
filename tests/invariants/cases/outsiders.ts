import { unzipSync } from 'fflate'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Client, TestServer } from '../../support/test-server.ts'

/** Text that shows whose row it is in. */
export const markOf = (code: string): string => `〔${code}〕`

/** Text that shows whose document it is from. */
export const DOCUMENT_MARK = /〔[A-Z]\d\d〕〖单〗/

type Column = { table_name: string; column_name: string; key: string }

/**
 * Writes the owner into every free text of every row: if the mark of another organisation appears in a response,
 * something leaked. What stands in documents says so as well. Codes, states and other words the code reads stay as
 * they are; shared rows have no owner.
 */
export async function markEverything(server: TestServer): Promise<number> {
  const { owner } = server.database
  const columns = await owner<Column[]>`
    select c.relname as table_name, a.attname as column_name, k.attname as key
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.atttypid = 'text'::regtype and a.attgenerated = ''
      join pg_attribute k on k.attrelid = c.oid and k.attname = 'org_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity and a.attnum <> k.attnum
       and not exists (select from pg_constraint x where x.conrelid = c.oid and a.attnum = any (x.conkey))
       and not exists (select from pg_index i where i.indrelid = c.oid and i.indisunique
         and a.attnum = any (i.indkey::int2[]))
     order by 1, 2`
  let marked = 0
  for (const { table_name, column_name } of columns) {
    const changed = await owner`
      update ${owner(table_name)} t set ${owner(column_name)} = t.${owner(column_name)} || '〔' || o.code || '〕'
        from organisation o where o.id = t.org_id and t.${owner(column_name)} ~ '[一-龥]' and o.system_type <> 0`
    marked += changed.count
  }
  for (const table of ['document', 'document_line']) {
    const changed = await owner`
      update ${owner(table)} t set fields = (
        select jsonb_object_agg(e.key, case when jsonb_typeof(e.value) = 'string' and e.value #>> '{}' ~ '[一-龥]'
          then to_jsonb((e.value #>> '{}') || '〔' || o.code || '〕〖单〗') else e.value end)
          from jsonb_each(t.fields) e)
        from organisation o where o.id = t.org_id and o.system_type <> 0 and t.fields::text ~ '[一-龥]'`
    marked += changed.count
  }
  return marked
}

const types: Readonly<Record<'H' | 'D' | 'V', number>> = { H: 1, D: 2, V: 3 }

/** New organisations of each kind without any relations, each with a signed-in administrator. */
export async function admitOutsiders(server: TestServer): Promise<Map<OrgType, Client>> {
  const { owner } = server.database
  const outsiders = new Map<OrgType, Client>()
  for (const [type, number] of Object.entries(types) as ['H' | 'D' | 'V', number][]) {
    const code = `${type}99`
    await owner`
      insert into organisation (code, name, system_type, social_credit_code, audit_state, status)
      values (${code}, ${`外人${type}`}, ${number}, ${`9132059${number}MA1OUTSID${number}`}, 'passed', 'enabled')`
    await owner`
      insert into app_user (org_id, login, password_hash, name, is_administrator)
      select (select id from organisation where code = ${code}), ${`outsider${type}`}, password_hash, '外人', true
        from app_user where login = 'hospital'`
    outsiders.set(type, await server.as(`outsider${type}`))
  }
  return outsiders
}

/** Readable text of a response: its body, or the sheets of a workbook. */
export function readable(payload: Buffer, type: string): string {
  if (!type.includes('spreadsheetml') || payload.length === 0) return payload.toString('utf8')
  const parts = unzipSync(payload, { filter: part => part.name.endsWith('.xml') })
  return Object.values(parts)
    .map(part => Buffer.from(part).toString('utf8'))
    .join('\n')
}
