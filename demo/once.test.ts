import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { seedMasters } from '#demo/masters/masters.ts'
import { seedDemoOnce } from './once.ts'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openDatabase(fresh.config)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const fill = () => seedMasters(database.owner)
const count = async () =>
  (await database.owner<{ n: number }[]>`select count(*)::int as n from organisation where kept_by_id is null`)[0]?.n

story('once, from one step to the next', step => {
  step('a database that already holds data is not changed', async () => {
    await database.owner`insert into organisation (code, name, system_type, social_credit_code)
    values ('H01', '真实医院', 1, '123')`
    await seedDemoOnce(database, fill)
    expect(await count()).toBe(1)
  })

  step('an attempt that was killed half way starts again from nothing', async () => {
    await database.owner`insert into setting (org_id, name, value) values (0, 'demo', '"begun"')`
    await seedDemoOnce(database, fill)
    expect(await count()).toBe(10)
    const [before] = await database.owner`select max(id) as id from organisation`
    await seedDemoOnce(database, fill)
    expect((await database.owner`select max(id) as id from organisation`)[0]).toEqual(before)
  })
})
