import { type Question, Refusal } from '#kernel/refusal.ts'
import { derived, documents } from '#kernel/registry.ts'
import { writeHistories } from '#server/public/documents.ts'
import { scopeWithin } from '#server/public/accounts.ts'
import { leaveMessage } from '#server/public/notifications.ts'
import { paperScope, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Papers that nobody finished: still in the hands of whoever wrote them. */
const open = ['draft', 'submitted', 'rejected']
/** Whose 经办人 is somebody who did something, and not whoever has the paper in hand. */
const namers = derived(() =>
  documents()
    .filter(definition => definition.namesHandler)
    .map(definition => definition.kind),
)

type Receiver = { readonly id: string; readonly name: string; readonly employee_id: string | null }

/**
 * 交接单据: what somebody began and did not finish becomes another's, in one step: he writes on, hands in, withdraws. Whoever wrote it before still
 * does not review it. Each paper's history
 * says so, and the one who gets them is told.
 */
export async function handPapersOver(
  tx: Tx,
  session: Session,
  from: { readonly users: readonly string[]; readonly name: string },
  to: string,
): Promise<void> {
  const org = session.org.id
  if (from.users.includes(to)) throw new Refusal('rule', '接收人不能是本人，请选择其他用户')
  const [receiver] = await tx<Receiver[]>`
    select id, name, employee_id from app_user where org_id = ${org} and id = ${to} and status = 'enabled'`
  if (!receiver) throw new Refusal('rule', '接收人的账号已停用，请选择在用的用户')
  const papers = await tx<{ id: string; state: string }[]>`
    update document d set created_by = ${receiver.id}, former_authors = array(select distinct x from unnest(d.former_authors || d.created_by || d.submitted_by) x where x > 0), version = d.version + 1,
           handler_id = case when d.kind <> all(${namers()}) and d.handler_id in (select u.employee_id from app_user u where u.id = any(${from.users as string[]}::bigint[]))
                             then coalesce(${receiver.employee_id}::bigint, d.handler_id) else d.handler_id end
     where d.org_id = ${org} and d.role = 'own' and d.state = any(${open}) and d.created_by = any(${from.users as string[]}::bigint[])
    returning d.id, d.state`
  if (papers.length === 0) throw new Refusal('rule', `【${from.name}】没有未完成的单据，不用交接`)
  await writeHistories(
    tx,
    session,
    papers.map(paper => paper.id),
    {
      action: 'handOver',
      label: '交接',
      reason: `${from.name}交给${receiver.name}`,
    },
  )
  await leaveMessage(tx, org, {
    title: '单据交接给您',
    body: `${from.name}有${papers.length}张未完成的单据交接给您，请在各单据列表按制单人查看`,
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

/** What the receiver would have in hand and not see, because it is of stores or departments that are not his, is asked about first. */
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
  // The papers become his own: only stores and departments can keep them from him.
  const scope = { ...(await scopeWithin(tx, { ...receiver, org_id: org, user_id: to })), ownOnly: false }
  const papers = await tx<{ sn: string; total: number }[]>`
    select d.sn, (count(*) over ())::int as total from document d
     where d.org_id = ${org} and d.role = 'own' and d.state = any(${open}) and d.created_by = any(${users as string[]}::bigint[])
       and (${paperScope(tx, { ...session, ...scope })}) is not true order by d.id desc limit 10`
  if (papers.length === 0) return []
  const named = `${papers.map(paper => paper.sn).join('、')}${papers[0]!.total > papers.length ? '等' : ''}`
  const msg = `接收人【${receiver.name}】没有其中${papers[0]!.total}张单据的仓库或科室权限，接收后看不到：${named}，是否仍然交接？`
  return [{ rule: 'handOverUnseen', msg }]
}
