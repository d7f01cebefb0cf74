import type { Sql } from 'postgres'
import type { Session } from '#server/engine/session.ts'
import { inOrg, type Tx } from '#server/engine/transaction.ts'

type Trouble = { readonly kind: string; readonly source: string; readonly description: string; readonly object: string }

/** What went wrong in the daily work: the same cause and object within a day is one row that counts, a closed one begins anew. */
export async function noteTrouble(tx: Tx, session: Session, trouble: Trouble): Promise<void> {
  const object = trouble.object.slice(0, 200)
  const again = await tx`
    update error_record set times = times + 1, last_at = now(), version = version + 1
     where org_id = ${session.org.id} and object = ${object} and error_kind = ${trouble.kind} and state in ('waiting', 'working') and last_at > now() - interval '24 hours' returning id`
  if (again.length > 0) return
  await tx`
    insert into error_record (org_id, error_kind, source, description, object, operator)
    values (${session.org.id}, ${trouble.kind}, ${trouble.source}, ${trouble.description}, ${object}, ${session.userName})`
}

type Called = { readonly system: string; readonly name: string; readonly request: string; readonly objectNo?: string }

/** Runs a call to another system; when it fails, a row says how, in the books of whoever keeps the interface. */
export async function watched<T>(sql: Sql, called: Called, call: () => Promise<T>): Promise<T> {
  const began = Date.now()
  try {
    return await call()
  } catch (error) {
    await noteFailure(sql, called, error, Date.now() - began).catch(() => undefined)
    throw error
  }
}

async function noteFailure(sql: Sql, called: Called, error: unknown, took: number): Promise<void> {
  const [platform] = await sql<{ id: string }[]>`select id from organisation where system_type = 0 order by id limit 1`
  if (!platform) return
  const thrown = error instanceof Error ? error : new Error(String(error))
  await inOrg(
    sql,
    platform.id,
    '0',
    tx => tx`
    insert into interface_error (org_id, system, name, error_kind, error, request, object_no, took_ms)
    values (${platform.id}, ${called.system}, ${called.name}, ${thrown.name}, ${thrown.message.slice(0, 500)}, ${called.request.slice(0, 2000)}, ${called.objectNo ?? null}, ${took})`,
  )
}
