import { documents } from '#kernel/registry.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { writeHistoryOfMany } from '#server/documents/repository/history.ts'
import { headerColumns, lineColumns } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Kinds whose 经办人 is the person who did the work, not the user who keeps the document. */
const namers = (): string[] =>
  documents()
    .filter(definition => definition.lifecycle.handlerSubmits)
    .map(definition => definition.kind)

/** The user who becomes the author of documents that others wrote. */
export type NewAuthor = { readonly id: string; readonly employee_id: string | null }

/**
 * Makes another user the author of unfinished documents that these people wrote. The earlier author stays among the
 * former authors; where the 经办人 was one of them, it becomes the new author. Gives the number of documents; each history
 * states `reason`.
 */
export async function reassignAuthor(
  tx: Tx,
  session: Session,
  users: readonly string[],
  to: NewAuthor,
  states: readonly string[],
  entry: { readonly action: string; readonly label: string; readonly reason: string },
): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    update document d set created_by = ${to.id}, version = d.version + 1,
           former_authors = array(
             select distinct x from unnest(d.former_authors || d.created_by || d.submitted_by) x where x > 0),
           handler_id = case when d.kind <> all(${namers()})
                              and d.handler_id in (select u.employee_id from app_user u
                                                    where u.id = any(${[...users]}::bigint[]))
                             then coalesce(${to.employee_id}::bigint, d.handler_id) else d.handler_id end
     where d.org_id = ${session.org.id} and d.role = 'own' and d.state = any(${[...states]})
       and d.created_by = any(${[...users]}::bigint[])
    returning d.id`
  const ids = rows.map(row => row.id)
  if (ids.length > 0) await writeHistoryOfMany(tx, session, ids, entry)
  return ids.length
}

/** Own fields that name an organisation: whatever has a column of its own is moved with that. */
const namesOrganisation = (fields: Fields, columns: object): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.as === 'ref' && field.target === 'organisation' && !(name in columns) ? [name] : [],
  )

/**
 * Replaces an organisation by another in all documents of the installation and their lines, whether in a column of its
 * own or among the fields of the kind. Nothing that was agreed changes, so neither version nor history do.
 */
export async function replaceOrganisation(tx: Tx, org: string, former: string, now: string): Promise<void> {
  await tx`update document set counterparty_id = ${now} where org_id = ${org} and counterparty_id = ${former}`
  await tx`update document_line set owner_org_id = ${now} where org_id = ${org} and owner_org_id = ${former}`
  for (const { kind, header, lines } of documents()) {
    for (const name of namesOrganisation(header, headerColumns))
      await tx`
        update document set fields = jsonb_set(fields, ${[name]}::text[], to_jsonb(${now}::text))
         where org_id = ${org} and kind = ${kind} and fields->>${name} = ${former}`
    for (const name of namesOrganisation(lines, lineColumns))
      await tx`
        update document_line l set fields = jsonb_set(l.fields, ${[name]}::text[], to_jsonb(${now}::text))
          from document d where d.org_id = ${org} and d.kind = ${kind} and l.org_id = d.org_id
           and l.document_id = d.id and l.fields->>${name} = ${former}`
  }
}
