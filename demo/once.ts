import type { Sql } from 'postgres'
import { SCHEMA_TABLES } from '#server/plugins/schema-objects.ts'

type Databases = { readonly owner: Sql; readonly app: Sql }

/**
 * Fills an empty database with the demo, and restarts on one where an earlier attempt was killed half way. A
 * database that holds anything else is not changed, whatever was asked for.
 */
export async function seedDemoOnce(
  database: Databases,
  fill: (database: Databases) => Promise<unknown> = seed,
): Promise<void> {
  const { owner } = database
  const [organisation] = await owner`select 1 from organisation limit 1`
  const [mark] = await owner<
    { value: string }[]
  >`select value #>> '{}' as value from setting where org_id = 0 and name = 'demo'`
  if (organisation && mark?.value !== 'begun') return
  if (organisation) await emptyTables(owner)
  await setMark(owner, 'begun')
  await fill(database)
  await setMark(owner, 'done')
  await owner`analyze`
}

/** True if this database holds the complete demo. */
export async function isDemo(owner: Sql): Promise<boolean> {
  const [mark] = await owner`select 1 from setting where org_id = 0 and name = 'demo' and value #>> '{}' = 'done'`
  return mark !== undefined
}

const setMark = (owner: Sql, value: 'begun' | 'done') => owner`
  insert into setting (org_id, name, value) values (0, 'demo', to_jsonb(${value}::text))
  on conflict (org_id, name) do update set value = excluded.value`

async function emptyTables(owner: Sql): Promise<void> {
  const tables = await owner<{ name: string }[]>`
    select tablename as name from pg_tables
     where schemaname = 'public' and tablename <> all(${SCHEMA_TABLES}::text[]) order by tablename`
  await owner`truncate ${owner(tables.map(table => table.name))}`
}

/** The demo is a large program of its own, so it is loaded only when wanted. */
async function seed(database: Databases): Promise<void> {
  const { seedDemo } = await import('#demo/seed.ts')
  await seedDemo(database)
}
