import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { notDoneTo, runOnEach } from '#server/public/actions.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { isReminded, refuseSecondReminder, REMINDED_TODAY } from '#modules/base/vocabulary/reminders.ts'

type Asked = Readonly<Record<string, unknown>>
type Action = { readonly action: 'extend' | 'stop'; readonly done: string }
/** An action on more than this asks for narrower conditions. */
const MOST = 200

/** Our matching authorisations in force, earliest end first; an extension leaves out what already lasts longer. */
async function meant(tx: Tx, session: Session, asked: Asked, action: Action['action']): Promise<readonly string[]> {
  const text = (name: string) => (asked[name] ?? null) as string | null
  const rows = await tx<{ sn: string }[]>`
    select d.sn from document d
     where d.org_id = ${session.org.id} and d.kind = 'licenceEmpower' and d.role = 'own' and d.state = 'reviewed'
       and d.fields->>'valid_to' >= ${today()}
       and (${text('partner_sn')}::text is null or d.fields->>'partner_sn' = ${text('partner_sn')})
       and (${text('ends_by')}::text is null or d.fields->>'valid_to' <= ${text('ends_by')})
       and (${action} = 'stop' or d.fields->>'valid_to' < ${text('new_valid_to')})
       and (${text('licence_type')}::text is null or exists (
         select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id
           and l.fields->>'result' = 'agree' and l.fields->>'licence_type' = ${text('licence_type')}))
     order by d.fields->>'valid_to', d.id limit ${MOST + 1}`
  if (rows.length > MOST)
    throw new BusinessError('rule', `符合条件的授权超过${MOST}张，请按机构、证照类型或到期日缩小范围`)
  if (rows.length === 0) throw new BusinessError('rule', '没有符合条件的生效中授权，请调整条件')
  return rows.map(row => row.sn)
}

/** 批量续期, 批量撤销: failures are reported. */
const onMany =
  ({ action, done }: Action) =>
  async (tx: Tx, session: Session, asked: Asked): Promise<Record<string, unknown>> => {
    const [field, msg] = action === 'extend' ? ['new_valid_to', '请填写续期至'] : ['reason', '请填写撤销原因']
    if (!asked[field]) throw new BusinessError('invalid', msg, [{ field, msg }])
    const { sns, refused } = await runOnEach(
      tx,
      session,
      { kind: 'licenceEmpower', action, asked: () => asked },
      await meant(tx, session, asked, action),
    )
    return { sns, result: `${sns.length}张授权${done}${notDoneTo(refused, '未处理')}` }
  }

export const extendMany = onMany({ action: 'extend', done: '已续期' })
export const stopMany = onMany({ action: 'stop', done: '已撤销' })

/** 催办 of the count: every application of ours waiting for its answer, once a day each. */
export async function remindMany(tx: Tx, session: Session, asked: Asked): Promise<Record<string, unknown>> {
  const text = (name: string) => (asked[name] ?? null) as string | null
  const rows = await tx<{ sn: string; reminded_on: string | null }[]>`
    select d.sn, d.fields->>'reminded_on' as reminded_on from document d
     where d.org_id = ${session.org.id} and d.kind = 'licenceApplication' and d.role = 'own' and d.state = 'submitted'
       and (${text('partner_sn')}::text is null or d.fields->>'partner_sn' = ${text('partner_sn')})
       and (${text('licence_type')}::text is null or exists (
         select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id
           and l.fields->>'licence_type' = ${text('licence_type')}))
     order by d.id limit ${MOST + 1}`
  if (rows.length > MOST) throw new BusinessError('rule', `待对方处理的申请超过${MOST}张，请按机构或证照类型缩小范围`)
  if (rows.length === 0) throw new BusinessError('rule', '没有待对方处理的申请，无需催办')
  const due = rows.filter(row => !isReminded(row))
  refuseSecondReminder(due.length === 0)
  const { sns, refused } = await runOnEach(
    tx,
    session,
    { kind: 'licenceApplication', action: 'remind' },
    due.map(row => row.sn),
  )
  const before = rows.length - due.length
  const earlier = before > 0 ? `，${before}张${REMINDED_TODAY}` : ''
  return { sns, result: `${sns.length}张申请已催办${earlier}${notDoneTo(refused, '未处理')}` }
}
