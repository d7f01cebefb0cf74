import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation } from '#server/public/database.ts'

type Due = {
  readonly org_id: string
  readonly id: string
  readonly object_name: string
  readonly expiry_date: string
  readonly days_left: number
  /** The accounts of the employee himself. */
  readonly users: readonly string[]
}

const page = `/ptm/HumanResources?tab=${encodeURIComponent('质量档案')}`
const when = ({ expiry_date, days_left }: Due): string =>
  days_left < 0 ? `已于${expiry_date}过期` : `将于${expiry_date}到期，剩余${days_left}天`

/** Files of staff are told of once when they are about to end, and daily from a week before. */
const due = (owner: Sql) => owner<Due[]>`
  select w.org_id, w.id, w.object_name, w.expiry_date::text, w.expiry_date - ${today()}::date as days_left,
         array(select u.id::text from app_user u where u.org_id = w.org_id and u.status = 'enabled'
           and u.employee_id = split_part(w.object_key, '-', 2)::bigint order by u.id) as users
    from warning w
   where w.object_kind = 'staffFile' and w.state = 'open' and w.level <> 'missing'
     and (w.reminded_on is null
       or w.expiry_date <= ${today()}::date + 7 and w.reminded_on < ${today()}::date)
   order by w.org_id, w.expiry_date, w.id limit 2000`

/**
 * Reminds of health checks, training and certificates that end: the employee of his own, whoever keeps the files of all
 * in one message.
 */
export async function remindOfStaff(owner: Sql): Promise<number> {
  const files = await due(owner)
  for (const [org, some] of Map.groupBy(files, ({ org_id }) => org_id))
    await inOrganisation(owner, org, '0', async tx => {
      const first = some[0]!
      const message = { title: '人员证明到期提醒', uri: page, objectId: first.id, type: 'notice' } as const
      const more = some.length === 1 ? '' : `；同批共${some.length}项`
      await sendMessage(tx, org, {
        ...message,
        body: `【${first.object_name}】${when(first)}${more}，请安排`,
        kind: 'staffFile',
      })
      for (const file of some)
        for (const userId of file.users)
          await sendMessage(tx, org, { ...message, body: `您的${file.object_name}${when(file)}`, kind: null, userId })
      await tx`
        update warning set reminded_on = ${today()}::date where org_id = ${org}
          and id = any(${some.map(({ id }) => id)}::bigint[])`
    })
  return files.length
}
