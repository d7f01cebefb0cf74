import type { Sql } from 'postgres'
import { askSms } from '#server/identity/sms/sender.ts'
import { performOutbound } from '#server/outbound/calls.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** Notifies the holder of an account by SMS that its password was reset, and by whom. */
export const notifyOfReset = (
  tx: Tx,
  session: Pick<Session, 'org'>,
  { phone, login }: { readonly phone: string; readonly login: string },
): Promise<string> =>
  askSms(
    tx,
    session.org.id,
    {
      phone,
      template: 'password_reset',
      text: `您的账号${login}的密码已由${session.org.name}重置为手机号，请尽快登录修改`,
    },
    login,
  )

/** Sends what was requested for an account and waits: right after the action, without waiting for the next round. */
export async function performPending(sql: Sql, org: string, login: string): Promise<void> {
  const rows = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<{ id: string }[]>`
    select id from outbound_call where org_id = ${org} and state = 'pending' and object_no = ${login} order by id
      limit 10`,
  )
  for (const { id } of rows) await performOutbound(sql, org, id)
}
