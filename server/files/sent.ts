import type { Tx } from '#server/database/transaction.ts'

/** A file sent with a copy: what the receiver needs to know of it. The bytes stay where they are stored. */
export type SentFile = {
  readonly name: string
  readonly original_name: string
  readonly content_type: string
  readonly size: number
  readonly digest: string
}

/** Those of these names that are the organisation's own files; public ones need not be sent. */
export async function filesToSend(tx: Tx, org: string, names: readonly string[]): Promise<readonly SentFile[]> {
  if (names.length === 0) return []
  return tx<SentFile[]>`
    select name, original_name, content_type, size::int as size, digest from stored_file
     where org_id = ${org} and name = any(${[...names]}) and not is_shared`
}

/** From now on the receiver may open the files that came with a document; no one else may. */
export async function keepSent(tx: Tx, org: string, from: string, files: readonly SentFile[]): Promise<void> {
  if (files.length === 0) return
  await tx`
    insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by, came_from)
    select ${org}, f.name, f.original_name, f.content_type, f.size, f.digest, 0, ${from}
      from jsonb_to_recordset(${tx.json(files)}) as f(name text, original_name text,
        content_type text, size bigint, digest text)
    on conflict (org_id, name) do nothing`
}

/**
 * Files that came with withdrawn documents are no longer visible to us, unless another document of ours references
 * them.
 */
export async function forgetSent(tx: Tx, org: string, from: string, docs: readonly string[]): Promise<void> {
  await tx`
    with gone as (select distinct unnest(attachments) as name from document
      where org_id = ${org} and id = any(${[...docs]}::bigint[])),
    bare as (update document set attachments = '{}' where org_id = ${org} and id = any(${[...docs]}::bigint[])
      and attachments <> '{}')
    delete from stored_file f using gone
     where f.org_id = ${org} and f.came_from = ${from} and f.name = gone.name
       and not exists (select 1 from document d where d.org_id = ${org} and gone.name = any(d.attachments)
         and d.id <> all(${[...docs]}::bigint[]))`
}
