import type { ListColumn } from '#server/public/documents.ts'

/** How often a form was printed. */
export const implantColumns: Readonly<Record<string, ListColumn>> = {
  print_times: tx => tx`coalesce((
    select p.times from document_print p where p.org_id = d.org_id and p.document_id = d.id), 0)`,
}
