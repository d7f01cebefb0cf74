import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnOf, type FieldKind } from '#kernel/definition/field.ts'
import { entities } from '#modules/registry.ts'
import { headerColumns, lineColumns, storedColumn } from '#server/documents/repository/document.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { migrate } from '#server/schema.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openDatabase(fresh.config)
  await migrate(database.owner)
}, 120_000)
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
  it('every table has a tenant assignment, and its keys, constraints and policies fit it', async () => {
    const shipped = (name: string) => readFileSync(path.resolve('deploy/citus', name), 'utf8')
    const found = await database.owner.begin(async tx => {
      await tx.unsafe(shipped('plan.sql'))
      return tx.unsafe(shipped('check.sql'))
    })
    expect(found.map(row => `${row.object} ${row.says}`)).toEqual([])
  })

  it('every key of a tenant table begins with its organisation', async () => {
    const rows = await database.owner<{ name: string }[]>`
      select c.relname as name from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
       where c.relnamespace = 'public'::regnamespace and c.relrowsecurity and i.indkey[0] <> a.attnum`
    expect(rows).toEqual([])
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
