import type { Sql } from 'postgres'

/** Throws where the database does not answer, or its schema is not there. */
export async function askDatabase(sql: Sql): Promise<void> {
  await sql`select 1 from session where token_hash = ''`
}
