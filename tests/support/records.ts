import type { Client, Reply } from './test-server.ts'
import type { Stage } from './story.ts'

/** The path of a call of a kind. */
export const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
/** The rows of a list as a user sees them. */
export const rows = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), { pageSize: '200', pageNum: '1', ...query })).list
/** The first of them; fails the test if there is none. */
export const one = async (who: Client, kind: string, query: Record<string, string>) => {
  const [row] = await rows(who, kind, query)
  if (!row) throw new Error(`no ${kind} ${JSON.stringify(query)}`)
  return row
}
/** Changes the row the query finds, under its current version. */
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
  // Confirmation questions are answered with yes; tests check their text where it matters.
  return reply.code === 2200 ? who.post(path(kind, call), { ...sent, confirm: reply.info.token }) : reply
}

/** While `work` runs, gives a product's size the code of another product's pack: data from before both were checked. */
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

/** Makes one kind of document remind the nurse role by SMS as well; returns what was sent. */
export async function remindBySms({ server }: Pick<Stage, 'server'>, org: string, type: string) {
  const { owner } = server.database
  await owner`update app_user set phone = '13900001234' where login = 'nurse'`
  await owner`
    update licence_setting set reminded_by = 'sms',
      reminded_role_id = (select g.role_id from user_role g join app_user u on u.id = g.user_id and u.login = 'nurse'
      order by 1 limit 1)
     where org_id = ${org} and licence_type = ${type}`
  return async () =>
    (
      await owner`select payload->>'text' as text from outbound_call
        where org_id = ${org} and name = 'SendSms licence_expiry'`
    ).map(row => String(row.text))
}
