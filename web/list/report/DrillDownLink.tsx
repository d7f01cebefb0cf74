import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { DrillDown } from '#kernel/definition/report.ts'
import type { Query } from '#web/engine/page-context.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'

type Props = {
  readonly lead: DrillDown
  readonly row: Row
  readonly query: Query
  readonly text: string
  readonly children: ReactNode
}

/** The filters a link passes on: values of the row, or the user's own parameters. Empty ones are omitted. */
function handedOn(asks: Readonly<Record<string, string>>, row: Row, query: Query): Query {
  const values = Object.entries(asks).map(([name, from]) => [
    name,
    from.startsWith('=') ? query[from.slice(1)] : row[from],
  ])
  return Object.fromEntries(
    values.filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as Query
}

/** A report cell that links to the rows behind it; plain text if the reader has no page for them. */
export function LeadLink({ lead, row, query, text, children }: Props) {
  const session = useSession()
  const addressOf = useDocumentAddress()
  if (session === null) return children
  const to =
    'document' in lead
      ? addressOf(String(row[lead.document]), text)
      : listAddressOf(lead.to, session.orgType, {
          ...handedOn(lead.with, row, query),
          ...lead.asking,
        })
  return to === null ? children : <Link to={to}>{children}</Link>
}
