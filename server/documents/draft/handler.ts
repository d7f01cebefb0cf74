import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The user of a system session. */
const NOBODY = '0'

/** The handler of a document: unless named, its author or submitter; a draft of what is done by hand names nobody. */
export async function defaultHandler(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: Readonly<Record<string, unknown>>,
  at: 'draft' | 'submit',
): Promise<string | null> {
  const named = (header.handler_inner_sn ?? null) as string | null
  const isAsked =
    'handler_inner_sn' in definition.header &&
    (at === 'submit' || definition.lifecycle.handlerSubmits !== true) &&
    session.userId !== NOBODY
  if (named !== null || !isAsked) return named
  const [own] = await tx<{ id: string }[]>`
    select e.id from app_user u join employee e on e.org_id = ${session.org.id} and e.id = u.employee_id
      where u.id = ${session.userId}`
  return own?.id ?? null
}
