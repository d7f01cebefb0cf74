import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { applyFor } from '#modules/trade/licences/sharing/licence-application.server.ts'
import { mustBeReached } from '#modules/trade/licences/archive/licence-lifecycle.server.ts'
import { licencesByKey } from '#modules/trade/licences/archive/own-licences.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { RecordAction } from '#server/public/records.ts'

/** 授权给机构: creates a draft authorisation for this licence. */
export const share: RecordAction = async (tx, session, row, _reason, { partner_sn, valid_to, may_print }) => {
  if (partner_sn === session.org.id)
    throw new BusinessError('rule', '不能授权给本机构', [{ field: 'partner_sn', msg: '不能授权给本机构' }])
  const licence = (await licencesByKey(tx, session.org.id, [String(row.licence_sn)])).get(String(row.licence_sn))
  if (!licence) throw new BusinessError('wrongState', '证照不在有效状态，不能授权')
  if (licence.paper_to !== null && licence.paper_to < today())
    throw new BusinessError('rule', `${licence.licence_type}已过期，不能授权`)
  await createSystemDraft(
    tx,
    session,
    'licenceEmpower',
    { partner_sn, valid_to: valid_to ?? licence.paper_to, may_print: may_print === true, purpose: 'renewal' },
    [{ ...licence, result: 'agree' }],
  )
}

/** 向对方申请: creates a draft application for this kind of licence. */
export const applyForLicence: RecordAction = async (tx, session, row) => {
  await mustBeReached(tx, String(row.holder_sn), '提供证照')
  await applyFor(tx, session, String(row.holder_sn), [String(row.licence_type)])
}
