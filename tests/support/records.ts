import type { Client, Reply } from './test-server.ts'
import type { Stage } from './story.ts'

/** Where a call of a kind is answered. */
export const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
/** The rows of a list as somebody sees them. */
export const rows = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), { pageSize: '200', pageNum: '1', ...query })).list
/** The first of them; fails the story where there is none. */
export const one = async (who: Client, kind: string, query: Record<string, string>) => {
  const [row] = await rows(who, kind, query)
  if (!row) throw new Error(`no ${kind} ${JSON.stringify(query)}`)
  return row
}
/** Changes the row that the query finds, under its version of now. */
export const change = async (
  who: Client,
  kind: string,
  key: string,
  query: Record<string, string>,
  body: Record<string, unknown>,
  call = 'edit',
) => {
  const row = await one(who, kind, query)
  const sent = { sn: row[key], version: row.version, ...body }
  const reply = await who.post(path(kind, call), sent)
  // What is asked is answered with yes; what it says is told where it matters.
  return reply.code === 2200 ? who.post(path(kind, call), { ...sent, confirm: reply.info.token }) : reply
}

/** A product whose size bears, while `work` runs, the code that a pack of another product has: data from before both were checked. */
export async function withCodeOfAnother(
  { server }: Pick<Stage, 'server'>,
  product: string,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const [{ owner }, di] = [server.database, '06912345670012']
  await owner`update specification set udi_di = ${di} where product_id = ${product}`
  await owner`
    insert into pack_unit (specification_id, name, measure, base_measure, udi_di)
    select id, '撞码箱', 10, 10, ${di} from specification where product_id <> ${product} limit 1`
  const reply = await work()
  await owner`delete from pack_unit where udi_di = ${di}`
  await owner`update specification set udi_di = null where product_id = ${product}`
  return reply
}

/** Of one kind of paper the role of the nurse is reminded by short message too; gives what was sent. */
export async function remindBySms({ server }: Pick<Stage, 'server'>, org: string, type: string) {
  const { owner } = server.database
  await owner`update app_user set phone = '13900001234' where login = 'nurse'`
  await owner`
    update licence_setting set reminded_by = 'sms', reminded_role_id = (select g.role_id from user_role g join app_user u on u.id = g.user_id and u.login = 'nurse' order by 1 limit 1)
     where org_id = ${org} and licence_type = ${type}`
  return async () =>
    (
      await owner`select payload->>'text' as text from outbound_call where org_id = ${org} and name = 'SendSms licence_expiry'`
    ).map(row => String(row.text))
}
