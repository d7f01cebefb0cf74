import { today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { applyFor } from '#modules/licences/licence-application.server.ts'
import { mustBeReached } from '#modules/licences/licence-steps.server.ts'
import { papersByKey } from '#modules/licences/own-papers.server.ts'
import { lay } from '#server/public/drafts.ts'
import type { RecordAction } from '#server/public/records.ts'

/** 授权给机构: begins an authorisation of this paper as a draft. */
export const share: RecordAction = async (tx, session, row, _reason, { partner_sn, valid_to, may_print }) => {
  if (partner_sn === session.org.id)
    throw new Refusal('rule', '不能授权给本机构', [{ field: 'partner_sn', msg: '不能授权给本机构' }])
  const paper = (await papersByKey(tx, session.org.id, [String(row.licence_sn)])).get(String(row.licence_sn))
  if (!paper) throw new Refusal('wrongState', '证照不在有效状态，不能授权')
  if (paper.paper_to !== null && paper.paper_to < today())
    throw new Refusal('rule', `${paper.licence_type}已过期，不能授权`)
  await lay(
    tx,
    session,
    'licenceEmpower',
    { partner_sn, valid_to: valid_to ?? paper.paper_to, may_print: may_print === true, purpose: 'renewal' },
    [{ ...paper, result: 'agree' }],
  )
}

/** 向对方申请: begins an application for the kind of this paper as a draft. */
export const applyForPaper: RecordAction = async (tx, session, row) => {
  await mustBeReached(tx, String(row.holder_sn), '提供证照')
  await applyFor(tx, session, String(row.holder_sn), [String(row.licence_type)])
}
