import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { askSms } from '#server/public/accounts.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation } from '#server/public/database.ts'

type Due = {
  readonly org_id: string
  readonly licence_id: string
  readonly licence_type: string
  readonly licence_no: string
  readonly holder: string
  readonly whose: 'own' | 'partner' | 'product'
  readonly valid_to: string
  readonly days_left: number
  readonly step: 'first' | 'second' | 'daily'
  /** The users of the role named for the kind; if none, all users who may see licences. */
  readonly users: readonly string[]
  /** Their phone numbers, if they are notified by SMS too. */
  readonly phones: readonly string[]
}

/**
 * 到期提醒: unsettled warnings of licences are sent on the first and second reminder day of their kind, and daily from
 * the third on, likewise for certificates of goods in stock. Only the step currently reached is sent, so that a
 * licence filed late does not send three reminders.
 */
const due = (owner: Sql) => owner<Due[]>`
  select w.org_id, l.id as licence_id, l.licence_type, l.licence_no, o.name as holder, l.whose, l.ends as valid_to,
    l.ends - ${today()}::date as days_left, s.step,
         array(select u.id::text from app_user u join user_role g on g.user_id = u.id
           where u.org_id = w.org_id and u.status = 'enabled' and g.role_id = s.reminded_role_id
           order by u.id) as users,
         array(select distinct u.phone from app_user u join user_role g on g.user_id = u.id
                where s.reminded_by = 'sms' and u.org_id = w.org_id and u.status = 'enabled'
                  and g.role_id = s.reminded_role_id and u.phone ~ '^1[0-9]{10}$' order by u.phone) as phones
    from warning w
    cross join lateral (
      -- An authorisation may end before its licence, with the last of what it authorises: as the warning has it.
      select l.id, l.licence_type, l.licence_no, l.holder_id, case when l.holder_id = l.org_id then 'own'
        else 'partner' end as whose, case when l.licence_type in ('授权书', '产品授权书') then w.expiry_date
        else l.valid_to end as ends
        from licence l where w.object_kind = 'licence' and l.org_id = w.org_id
          and l.id = split_part(w.object_key, '-', 2)::bigint
      union all
      select c.id, '医疗器械注册证/备案凭证', c.certificate_no, c.holder_org_id, 'product', c.valid_to
        from registration_certificate c where w.category = 'PRODUCTREGISTRATION'
          and c.id = split_part(w.object_key, '-', 2)::bigint) l
    join organisation o on o.id = l.holder_id
    left join licence_setting k on k.org_id = w.org_id and k.licence_type = l.licence_type and k.status = 'enabled'
    cross join lateral (
      select k.reminded_role_id, k.reminded_by, case when l.ends - ${today()}::date <= coalesce(k.daily_days, 7)
        then 'daily' when l.ends - ${today()}::date <= coalesce(k.second_days, 30) then 'second'
        else 'first' end as step) s
   where w.category in ('CERTIFICATIONEARLY', 'PRODUCTREGISTRATION') and w.level <> 'missing' and w.state = 'open'
     and not exists (select 1 from licence_reminder r where r.org_id = w.org_id and r.licence_id = l.id
       and r.step = s.step and (s.step <> 'daily' or r.reminded_on = ${today()}::date))
   order by w.org_id, l.ends, l.id limit 2000`

const when = ({ valid_to, days_left }: Due): string =>
  days_left < 0 ? `已于${valid_to}过期` : days_left === 0 ? '今日到期' : `将于${valid_to}到期，剩余${days_left}天`
/** An SMS only names the subject; the numbers are looked up in the system. */
const smsText = (some: readonly Due[], first: Due): string =>
  `${first.whose === 'own' ? '本机构' : first.holder}的${first.licence_type}${when(first)}` +
  `${some.length === 1 ? '' : `，同批共${some.length}份`}`
const tabs = { own: '我的证照', partner: '合作机构证照', product: '产品注册证' } as const
const page = (whose: Due['whose']): string =>
  `/commonView/licRecord/validityWarning?tab=${encodeURIComponent(tabs[whose])}`

/** One message covers all licences reported to the same users at the same step. */
export async function remindOfLicences(owner: Sql): Promise<number> {
  const licences = await due(owner)
  const groups = Map.groupBy(licences, one =>
    [one.org_id, one.step, one.whose, one.users.join(), one.phones.join()].join(' '),
  )
  for (const some of groups.values()) {
    const first = some[0]!
    const body =
      `${first.whose === 'own' ? '本机构' : `【${first.holder}】`}的${first.licence_type}（${first.licence_no}）` +
      `${when(first)}`
    await inOrganisation(owner, first.org_id, '0', async tx => {
      for (const userId of first.users.length > 0 ? first.users : [undefined])
        await sendMessage(tx, first.org_id, {
          title: '证照到期提醒',
          body: some.length === 1 ? body : `${body}；同批共${some.length}份，请尽快处理`,
          uri: page(first.whose),
          objectId: first.licence_no,
          kind: 'licenceValidityWarning',
          type: 'notice',
          extra: { reminds: first.step },
          ...(userId === undefined ? {} : { userId }),
        })
      for (const phone of first.phones)
        await askSms(
          tx,
          first.org_id,
          { phone, template: 'licence_expiry', text: smsText(some, first) },
          first.licence_no,
        )
      await tx`
        insert into licence_reminder (org_id, licence_id, step, reminded_on)
        select ${first.org_id}, id, ${first.step}, ${today()}
          from unnest(${some.map(one => one.licence_id)}::bigint[]) id
        on conflict (org_id, licence_id, step) do update set reminded_on = excluded.reminded_on`
    })
  }
  return licences.length
}
