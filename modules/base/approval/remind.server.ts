import type { Sql } from 'postgres'
import { clock } from '#kernel/values/date.ts'
import { documentOf } from '#kernel/registry.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation } from '#server/public/database.ts'

type Late = {
  org_id: string
  sn: string
  kind: string
  review_level: number
  remind_hours: number
  approvers: readonly string[]
}

/** 超时提醒: notifies the approvers of a document that has waited longer than its setting allows, once per level. */
export async function remindApprovers(owner: Sql): Promise<number> {
  const now = (clock.at ?? new Date()).toISOString()
  const late = await owner<Late[]>`
    select d.org_id, d.sn, d.kind, d.review_level, s.remind_hours,
           array(select u.id::text from app_user u where u.org_id = d.org_id and u.status = 'enabled'
             and not u.id::text = any(r.signed_by)
                    and (u.id::text = any(r.users)
                      or exists (select 1 from user_role g
                      where g.user_id = u.id and g.role_id::text = any(r.roles)))) as approvers
      from document d
      join document_review r on r.org_id = d.org_id and r.document_id = d.id and r.level_no = d.review_level
      join lateral (
        select max(x.remind_hours) as remind_hours from audit_setting x
          where x.org_id = d.org_id and x.document_kind = d.kind and x.status = 'enabled') s on true
     where d.state = 'submitted' and d.review_level > 0 and s.remind_hours is not null
       and coalesce((select max(p.signed_at) from document_review p
         where p.org_id = d.org_id and p.document_id = d.id),
         d.submitted_at) < ${now}::timestamptz - make_interval(hours => s.remind_hours)
       and not exists (
         select 1 from message m where m.org_id = d.org_id and m.object_id = d.sn
           and m.extra ->> 'reminds' = d.review_level::text and m.at > d.submitted_at)
     limit 1000`
  for (const doc of late)
    await inOrganisation(owner, doc.org_id, '0', async tx => {
      for (const userId of doc.approvers)
        await sendMessage(tx, doc.org_id, {
          title: '单据待您审核',
          body: `${documentOf(doc.kind)?.title ?? ''}${doc.sn}已等待超过${doc.remind_hours}小时`,
          uri: doc.kind,
          objectId: doc.sn,
          kind: doc.kind,
          extra: { reminds: String(doc.review_level) },
          userId,
        })
    })
  return late.length
}
