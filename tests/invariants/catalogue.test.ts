import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnOf, type FieldKind } from '#kernel/definition/field.ts'
import { entities } from '#app/modules.ts'
import { headerColumns, lineColumns, storedColumn } from '#server/documents/repository/document.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { migrate } from '#app/schema.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openDatabase(fresh.config)
  await migrate(database.owner)
})
afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

/** Columns and types of a table or view. */
async function columnsOf(table: string): Promise<Map<string, string>> {
  const rows = await database.owner<{ name: string; type: string }[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
     where a.attrelid = ${`public.${table}`}::regclass and a.attnum > 0 and not a.attisdropped`
  return new Map(rows.map(row => [row.name, row.type]))
}

describe('one schema for single and multi-tenant servers', () => {
  const shipped = (name: string) => readFileSync(path.resolve('deploy/citus', name), 'utf8')
  /** The plan, for one transaction. */
  const planned = <T>(read: (tx: Tx) => Promise<T>) =>
    database.owner.begin(async tx => {
      await tx.unsafe(shipped('plan.sql'))
      const found = await read(tx)
      await tx`drop table plan`
      return found
    })

  it('every table has a tenant assignment, and its keys, constraints and policies fit it', async () => {
    const found = await planned(tx => tx.unsafe(shipped('check.sql')))
    expect(found.map(row => `${row.object} ${row.says}`)).toEqual([])
  })

  it('every key of a tenant table begins with its organisation', async () => {
    const rows = await planned(
      tx => tx<{ name: string }[]>`
      select c.relname as name from pg_class c
        join plan on plan.name = c.relname and plan.home = 'tenant'
        join pg_index i on i.indrelid = c.oid and i.indisprimary
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
       where c.relnamespace = 'public'::regnamespace and c.relrowsecurity and i.indkey[0] <> a.attnum`,
    )
    expect(rows).toEqual([])
  })
})

/** Tables without a row policy, and why nobody's rows need one. */
const shared: Readonly<Record<string, string>> = {
  org_relation: 'both sides of a relation read and end it: `org_id` and `partner_id`, asked together',
  product: 'the catalogue of the whole network',
  registration_certificate: 'certificates of the whole network, as the authority publishes them',
  specification: 'the catalogue of the whole network',
  pack_unit: 'the catalogue of the whole network',
  lot: 'a lot is one wherever it lies; its chain crosses organisations',
  unit: 'a piece crosses organisations; server/traceability alone reads it for people',
  unit_code: 'as the piece that bears it',
  trace_event: 'as the piece or lot that it tells of',
  lot_org: 'which organisations a lot passed, asked by lot',
  lot_recall: 'like lot_org: whoever never held a recalled lot must not take it in either',
  organisation_past: 'what a published file said before; documents show it everywhere',
  product_step: 'states of published products, shown with them',
  product_past: 'what a published product was before; documents show it everywhere',
  product_pick: 'how many took a product: counted over all',
  product_release: 'batches of the platform',
  product_release_line: 'batches of the platform',
  device_class: 'official lists',
  dealer_check: 'checks by the platform that its dealer and his suppliers read',
  quality_certificate: 'of a lot, for everybody who holds the lot',
  udi_device: 'data of the regulator',
  udi_pack: 'data of the regulator',
  udi_file: 'data of the regulator',
  udi_adoption: 'written by the platform alone',
  licence_kind: 'official lists',
  menu_node: 'the menu of the program',
  mother_node: 'the menu of the program',
  system_role: 'bounds that the platform sets for everybody',
  role_template: 'templates of the platform',
  template_role: 'templates of the platform',
  dictionary: 'lists of words',
  vip_level: 'price list of the platform',
  video_course: 'courses for everybody',
  app_version: 'versions of the apps',
  recycle_bin: 'restored by the platform, for whoever deleted',
  config_item: 'which settings there are',
  month_sealed: 'months of the program itself',
  rule_item: 'which rules there are',
  session: 'found by the hash of its token alone',
  captcha: 'found by the hash of its token alone',
  sms_code: 'found by the hash of its token alone',
  allowance: 'found by the hash of its token alone',
  registration_draft: 'found by the hash of its token alone',
  schema_version: 'the migrations',
  schema_object_version: 'the migrations',
  background_job: 'jobs of the program itself',
}

describe('the second wall', () => {
  it('every table has row policies, or a reason why not', async () => {
    const rows = await database.owner<{ name: string }[]>`
      select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity order by 1`
    expect(rows.map(row => row.name)).toEqual(Object.keys(shared).sort())
  })

  it('the role of the application deletes no account, organisation or size, and rewrites no history', async () => {
    const kept = ['app_user', 'organisation', 'specification', 'certificate_change', 'operation_log', 'stock_move']
    const rows = await database.app<{ name: string; may: boolean }[]>`
      select t as name, has_table_privilege(current_user, t, 'delete') as may from unnest(${kept}::text[]) t`
    expect(rows.filter(row => row.may)).toEqual([])
    await expect(
      inOrganisation(database.app, '1', '0', tx => tx`delete from app_user where org_id = 1`),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

/** The column that holds a field of a kind. */
const types: Readonly<Record<FieldKind, RegExp>> = {
  text: /^(text|bigint)$/,
  longText: /^text$/,
  day: /^date$/,
  instant: /^timestamp with time zone$/,
  count: /^(integer|smallint|bigint)$/,
  quantity: /^numeric(\(18,3\))?$/,
  price: /^numeric(\(18,4\))?$/,
  amount: /^numeric(\(18,2\))?$/,
  rate: /^numeric(\(9,[46]\))?$/,
  taxRate: /^smallint$/,
  flag: /^boolean$/,
  pick: /^(text|smallint)$/,
  ref: /^bigint$/,
  files: /^text\[\]$/,
  codes: /^text\[\]$/,
}

/** Fields stored in another table: the module's server part reads and writes them. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  user: ['roles', 'warehouses', 'departments'],
  userRoleAssignment: ['roles'],
  role: ['users'],
}

describe('definitions and tables agree', () => {
  it.each(entities.map(definition => [definition.kind, definition] as const))('%s', async (_, definition) => {
    const columns = await columnsOf(definition.table)
    const wrong = Object.entries(definition.fields).flatMap(([name, field]) => {
      if (elsewhere[definition.kind]?.includes(name)) return []
      const column = columnOf(name, field)
      const type = columns.get(column)
      if (type === undefined) return [`${definition.table}.${column} is missing for ${name}`]
      return types[field.as].test(type) ? [] : [`${definition.table}.${column} is ${type}, ${name} is ${field.as}`]
    })
    expect(wrong).toEqual([])
    expect(columns.get('id'), 'id').toMatch(/^(bigint|text)$/)
    if (definition.scope === 'organisation') expect(columns.get('org_id'), 'org_id').toBe('bigint')
    if (!definition.readOnly) expect(columns.get('version'), 'version').toBe('integer')
  })

  it.each([
    ['document', headerColumns],
    ['document_line', lineColumns],
  ] as const)('%s has every common column', async (table, declared) => {
    const columns = await columnsOf(table)
    const alike = (type: string, actual: string | undefined) =>
      actual?.replace('integer', 'int').replace(/^numeric\(.*\)$/, 'numeric') === type
    expect(
      Object.entries(declared)
        .filter(([name, type]) => !alike(type, columns.get(storedColumn(name))))
        .map(([name]) => name),
    ).toEqual([])
  })
})
