import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documents } from '#app/modules.ts'
import { migrate as migrateThis, schemaFragments } from '#app/schema.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openDatabase(fresh.config)
})
afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

const empty = () => database.owner.unsafe('drop schema public cascade; create schema public')

/** A program of one table whose views and functions are these files. */
function program(objects: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'medtrace-migrations-'))
  writeFileSync(path.join(dir, '0100-goods.sql'), 'create table goods (id int, name text, price numeric);\n')
  mkdirSync(path.join(dir, 'repeatable'))
  for (const [name, text] of Object.entries(objects)) writeFileSync(path.join(dir, 'repeatable', name), text)
  return dir
}

describe('migrations', () => {
  it('two processes that start at once on an empty database make one schema', async () => {
    await empty()
    const applied = await Promise.all([migrateThis(database.owner), migrateThis(database.owner)])
    expect(applied.flat().sort()).toEqual([...new Set(applied.flat())].sort())
    expect(applied.flat().length).toBeGreaterThan(10)
    const [found] = await database.owner`select count(*)::int as views from pg_views where schemaname = 'public'`
    expect(found?.views).toBeGreaterThan(30)
    expect(await migrateThis(database.owner)).toEqual([])
  })

  it('a database of the former schema is refused with what to do, and nothing in it is touched', async () => {
    await empty()
    await database.owner.unsafe(
      `create table schema_version (name text primary key, sha256 text not null, applied_at timestamptz default now());
       insert into schema_version (name, sha256) values ('0001-foundation.sql', 'x');
       create table organisation (id int); insert into organisation values (7)`,
    )
    await expect(migrateThis(database.owner, { freshStart: '请把目录 /data 改名' })).rejects.toThrow(
      '数据库由旧版程序建立，结构已整体重写，不能沿用（旧数据原样未动）。请把目录 /data 改名。',
    )
    expect([...(await database.owner`select id from organisation`)]).toEqual([{ id: 7 }])
  })
})

describe('views and functions', () => {
  it('are replaced when their text changed, whatever changed of them', async () => {
    await empty()
    const first = program({
      '01.sql':
        'create function twice(n int) returns int language sql return n * 2;\n' +
        'create view cheap as select id, name, twice(id) as doubled from goods;',
    })
    expect(await migrate(database.owner, { dir: first })).toEqual(['0100-goods.sql'])
    const second = program({
      '01.sql':
        'create function twice(n numeric) returns numeric language sql return n * 2;\n' +
        'create view cheap as select twice(price) as doubled, id from goods;',
    })
    expect(await migrate(database.owner, { dir: second })).toEqual([])
    const columns = await database.owner`
      select attname::text as name, atttypid::regtype::text as type from pg_attribute
       where attrelid = 'cheap'::regclass and attnum > 0 order by attnum`
    expect([...columns]).toEqual([
      { name: 'doubled', type: 'numeric' },
      { name: 'id', type: 'integer' },
    ])
    const [left] = await database.owner`select count(*)::int as functions from pg_proc where proname = 'twice'`
    expect(left?.functions).toBe(1)
    await expect(migrate(database.owner, { dir: first })).rejects.toThrow('视图和函数由更新的版本写过')
  })

  it('are replaced under an older process that goes on asking them', async () => {
    await empty()
    const of = (comment: string) =>
      program({
        '01.sql':
          `-- ${comment}\ncreate function twice(n int) returns int language sql return n * 2;\n` +
          'create view cheap as select id, twice(id) as doubled from goods;',
      })
    await migrate(database.owner, { dir: of('first') })
    const older = await database.owner.reserve()
    try {
      await older`insert into goods (id) values (${3})`
      const ask = () => older`select id, doubled from cheap where id = ${3}`
      expect([...(await ask())]).toEqual([{ id: 3, doubled: 6 }])
      await migrate(database.owner, { dir: of('second') })
      expect([...(await ask())]).toEqual([{ id: 3, doubled: 6 }])
    } finally {
      older.release()
    }
  })

  it('one that is wrong is named with its line, and those that stood still stand', async () => {
    await empty()
    await migrate(database.owner, { dir: program({ '01.sql': 'create view cheap as select id from goods;' }) })
    const wrong = program({ '01.sql': 'create view cheap as\nselect nothing from goods;' })
    await expect(migrate(database.owner, { dir: wrong })).rejects.toThrow('01.sql 执行失败：第 2 行附近')
    expect([...(await database.owner`select * from cheap`)]).toEqual([])
  })

  it('a new kind that moves stock stands on the stock card without a migration', async () => {
    await empty()
    const sale = documents.find(({ kind }) => kind === 'saleOdo')!
    const posting = { ...sale.posting, stockCard: { in: 'return_in', out: 'use_out' } as const }
    const made = { ...sale, kind: 'lent', posting }
    const dir = mkdtempSync(path.join(os.tmpdir(), 'medtrace-migrations-'))
    cpSync(path.resolve('server/migrations'), dir, { recursive: true })
    await migrate(database.owner, { dir, fragments: schemaFragments(documents) })
    const sides = () => database.owner`
      select stock_side('lent', -1, false) as gone, stock_side('lent', 1, false) as come,
             'lent' = any(customer_gated()) as gated`
    expect([...(await sides())]).toEqual([{ gone: 'other_out', come: 'other_in', gated: false }])
    expect(await migrate(database.owner, { dir, fragments: schemaFragments([...documents, made]) })).toEqual([])
    expect([...(await sides())]).toEqual([{ gone: 'use_out', come: 'return_in', gated: true }])
  })
})
