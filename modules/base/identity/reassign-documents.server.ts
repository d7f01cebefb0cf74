import { type Question, BusinessError } from '#kernel/rules/errors.ts'
import { reassignAuthor } from '#server/public/documents.ts'
import { scopeWithin } from '#server/public/accounts.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { documentScopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Unfinished documents: still with their author. */
const open = ['draft', 'submitted', 'rejected']
type Receiver = { readonly id: string; readonly name: string; readonly employee_id: string | null }

/**
 * 交接单据: unfinished documents are reassigned to another user in one step: the new user edits, submits and withdraws
 * them. The previous author still may not review them. Each document's history records it, and the receiver is
 * notified.
 */
export async function reassignDocuments(
  tx: Tx,
  session: Session,
  from: { readonly users: readonly string[]; readonly name: string },
  to: string,
): Promise<void> {
  const org = session.org.id
  if (from.users.includes(to)) throw new BusinessError('rule', '接收人不能是本人，请选择其他用户')
  const [receiver] = await tx<Receiver[]>`
    select id, name, employee_id from app_user where org_id = ${org} and id = ${to} and status = 'enabled'`
  if (!receiver) throw new BusinessError('rule', '接收人的账号已停用，请选择在用的用户')
  const said = { action: 'handOver', label: '交接', reason: `${from.name}交给${receiver.name}` }
  const moved = await reassignAuthor(tx, session, from.users, receiver, open, said)
  if (moved === 0) throw new BusinessError('rule', `【${from.name}】没有未完成的单据，无需交接`)
  await sendMessage(tx, org, {
    title: '单据交接给您',
    body: `${from.name}有${moved}张未完成的单据交接给您，请在各单据列表按制单人查看`,
    uri: '',
    objectId: receiver.name,
    kind: null,
    type: 'system',
    userId: receiver.id,
  })
}

type Scoped = {
  readonly name: string
  readonly is_administrator: boolean
  readonly store_scope: string
  readonly data_scope: string
}

/**
 * Asks first about documents that the receiver would hold and not see, because of warehouses or departments outside the
 * receiver's scope.
 */
export async function askUnseen(
  tx: Tx,
  session: Session,
  users: readonly string[],
  to: string,
): Promise<readonly Question[]> {
  const org = session.org.id
  const [receiver] = await tx<Scoped[]>`
    select name, is_administrator, store_scope, data_scope from app_user where org_id = ${org} and id = ${to}`
  if (!receiver || receiver.is_administrator) return []
  // The documents become the receiver's own: only warehouses and departments can hide them.
  const scope = { ...(await scopeWithin(tx, { ...receiver, org_id: org, user_id: to })), ownOnly: false }
  const docs = await tx<{ sn: string; total: number }[]>`
    select d.sn, (count(*) over ())::int as total from document d
     where d.org_id = ${org} and d.role = 'own' and d.state = any(${open})
       and d.created_by = any(${users as string[]}::bigint[])
       and (${documentScopeSql(tx, { ...session, ...scope })}) is not true order by d.id desc limit 10`
  if (docs.length === 0) return []
  const named = `${docs.map(doc => doc.sn).join('、')}${docs[0]!.total > docs.length ? '等' : ''}`
  const msg = `接收人【${receiver.name}】没有其中${docs[0]!.total}张单据的仓库或科室权限，接收后看不到：${named}，是否仍然交接？`
  return [{ rule: 'handOverUnseen', msg }]
}
