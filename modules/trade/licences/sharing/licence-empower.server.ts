import {
  loadDocument,
  patchDocument,
  patchLines,
  replaceLines,
  type StoredDocument,
  transition,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { licenceEmpower } from '#modules/trade/licences/sharing/licence-empower.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import type { JSONValue } from 'postgres'
import { clock, today } from '#kernel/values/date.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { fileGrant } from '#modules/trade/licences/sharing/archive-grant.server.ts'
import { followLines } from '#modules/trade/licences/sharing/granted-lines.server.ts'
import { renewFiled } from '#modules/trade/licences/sharing/grant-expiry.server.ts'
import { extendMany, stopMany } from '#modules/trade/licences/sharing/bulk-grants.server.ts'
import { licenceApplication, purposes } from '#modules/trade/licences/sharing/licence-application.doc.ts'
import {
  licencesByKey,
  licencesByType,
  outsiderOf,
  type OwnLicence,
} from '#modules/trade/licences/archive/own-licences.server.ts'
import { applyResponse, enqueueMessage, sendUpdate } from '#server/public/intercompany.ts'

type Context = ContextOf<typeof licenceEmpower>
type LicenceEmpower = TypedDocument<typeof licenceEmpower>
type Line = TypedLine<typeof licenceEmpower>

const agreed = (line: Line): boolean => line.result === 'agree'
const nowText = () => (clock.at ?? new Date()).toISOString()

const writeFields = ({ tx, session, doc }: ActionContext, values: Readonly<Record<string, unknown>>) =>
  patchDocument(tx, session, doc, values, 'withAction')

/** A line with its licence's current data. */
const stating = (line: Line, licence: OwnLicence | undefined): Line =>
  licence ? ({ ...line, ...licence, past_no: null } as Line) : line

/** 同意: grants everything that is not answered yet, with our licence that lasts longest. */
async function agreeToAll({ tx, session, definition, doc }: Context): Promise<void> {
  const open = doc.lines.filter(line => !line.result)
  if (open.length === 0) throw new BusinessError('rule', '每一行都已填写授权结果')
  const licences = await licencesByType(
    tx,
    session.org.id,
    open.map(line => String(line.licence_type)),
    today(),
  )
  const without = open.find(line => !line.paper_sn && !licences.has(String(line.licence_type)))
  if (without)
    throw new BusinessError(
      'rule',
      `第${without.line_no}行：本机构没有有效的${String(without.licence_type)}，请选择证照或改为拒绝`,
    )
  const lines = doc.lines.map(line =>
    line.result
      ? line
      : { ...(line.paper_sn ? line : stating(line, licences.get(String(line.licence_type)))), result: 'agree' },
  )
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
}

/** Lines get their licences' data; the watermark names the viewer, the purpose and the start. */
async function withFacts(ctx: Context): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  const partner = await outsiderOf(tx, session.org.id, doc.partner_sn, '不能授权给本机构')
  if (typeof partner === 'string') return doc
  const keys = doc.lines.flatMap(line => (line.paper_sn ? [String(line.paper_sn)] : []))
  const licences = await licencesByKey(tx, session.org.id, keys)
  const lines = doc.lines.map(line => stating(line, licences.get(String(line.paper_sn ?? ''))))
  const usage = purposes[doc.purpose as keyof typeof purposes] ?? '证照授权'
  const values = {
    partner_type: orgTypeOf(partner.system_type),
    granted_count: lines.filter(agreed).length,
    watermark: doc.watermark || `${partner.name} ${usage} ${today()}`,
  }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await writeFields(ctx, values)
  return { ...doc, ...values, lines }
}

/** The reason why a licence cannot be granted until the authorisation's last day, or null. */
function against(line: Line, licence: OwnLicence | undefined, doc: LicenceEmpower): string | null {
  if (!licence) return '所选证照不存在、未审核或已换证，请重新选择'
  const end = licence.paper_to
  if (end !== null && end < today()) return `${licence.licence_type}已过期，不能授权`
  if (end !== null && String(doc.new_valid_to ?? doc.valid_to) > end) return `授权期限不能超过证照有效期${end}`
  return null
}

/**
 * Own licences in force, for a registered organisation, not beyond their dates; the application being answered must
 * still be waiting.
 */
async function refuseWrong({ tx, session, doc }: Context): Promise<void> {
  const partner = await outsiderOf(tx, session.org.id, doc.partner_sn, '不能授权给本机构')
  if (typeof partner === 'string') throw new BusinessError('rule', partner, [{ field: 'partner_sn', msg: partner }])
  const given = doc.lines.filter(agreed)
  const licences = await licencesByKey(
    tx,
    session.org.id,
    given.map(line => String(line.paper_sn)),
  )
  const problems = given.flatMap((line): Problem[] => {
    const msg = against(line, licences.get(String(line.paper_sn)), doc)
    return msg === null ? [] : [{ line: line.line_no, field: 'paper_sn', msg: `第${line.line_no}行：${msg}` }]
  })
  if (problems[0]) throw new BusinessError('rule', problems[0].msg, problems)
  if (!doc.application_sn) return
  const [waiting] = await tx`
    select 1 from document where org_id = ${session.org.id} and kind = 'licenceApplication' and role = 'counterparty'
      and from_org_id = ${String(doc.partner_sn)}
       and sn = ${String(doc.application_sn)} and state = 'submitted'`
  if (!waiting) throw new BusinessError('rule', `申请单${String(doc.application_sn)}已被撤回或已处理，请作废本单`)
}

/** The lines of an application as this authorisation answers them; lines that it leaves out are refused. */
const answersOf = (doc: LicenceEmpower, application: StoredDocument) =>
  application.lines.map(({ line_no }) => {
    const line = doc.lines.find(each => parseInteger(each.asked_line_no) === line_no)
    const fields =
      line && agreed(line)
        ? {
            line_result: 'granted',
            their_licence_no: line.licence_no,
            their_valid_to: line.paper_to ?? null,
            scans: line.scans ?? [],
          }
        : { line_result: 'refused', line_reason: line?.reason ?? '未授权' }
    return { line_no, fields: { ...fields, line_answered_at: nowText() } }
  })

/** The application gets its answer, here and at the applicant. */
async function answerApplication({ tx, session, doc }: Context): Promise<void> {
  if (!doc.application_sn) return
  const org = session.org.id
  const application = await loadDocument(tx, org, licenceApplication, String(doc.application_sn), {
    role: 'counterparty',
    from: String(doc.partner_sn),
    lock: true,
  })
  const lines = answersOf(doc, application)
  const granted = lines.filter(line => line.fields.line_result === 'granted').length
  const action = granted === lines.length ? 'grantAll' : 'grantPart'
  const { label } = licenceApplication.actions[action]
  const to = action === 'grantAll' ? 'reviewed' : 'partial'
  const sets = { granted_count: granted, handled_by: session.userName, handled_at: nowText() }
  // The answer is sent together with this document.
  await enqueueMessage(tx, session, application.from_org_id, doc.id, {
    message: 'act',
    kind: 'licenceApplication',
    sn: application.sn,
    action,
    label,
    reason: null,
    actor: session.userName,
    sets: sets as never,
    lines,
    to,
  })
  await applyResponse(tx, org, application, sets, null, lines)
  await transition(tx, session, application, { action, label, from: [application.state], to })
}

/**
 * The scope of an authorisation among the licences is sent along: for the partner's compliance check, not only for
 * viewing.
 */
async function notifyScopes({ tx, session, doc }: Context): Promise<void> {
  const licences = doc.lines.filter(agreed)
  const scopes = await tx<{ licence: string; authorises: JSONValue }[]>`
    select p.id::text as licence, authorisation_scope(${session.org.id}, p.id) as authorises
      from unnest(${licences.map(line => String(line.paper_sn))}::bigint[]) p(id)`
  const byLicence = new Map(scopes.map(row => [row.licence, row.authorises]))
  const lines = licences.flatMap(line => {
    const authorises = byLicence.get(String(line.paper_sn)) ?? null
    return authorises === null ? [] : [{ line_no: line.line_no, fields: { authorises } }]
  })
  if (lines.length === 0) return
  const sent = lines.map(({ line_no, fields }) => ({ line_no, values: fields }))
  await patchLines(tx, session, doc, sent, 'withAction')
  await sendUpdate(tx, session, doc, [String(doc.partner_sn)], {
    label: '随附授权明细',
    text: null,
    sets: {},
    lines,
  })
}

/** 续期: a later last day, here and at the partner. */
async function extend(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const sets = { valid_to: doc.new_valid_to, new_valid_to: null }
  await sendUpdate(tx, session, doc, [String(doc.partner_sn)], {
    label: '证照授权续期',
    text: `授权期限延至${String(doc.new_valid_to)}`,
    sets: { valid_to: doc.new_valid_to },
  })
  await writeFields(ctx, sets)
}

/** 存入档案, on the partner's side. */
async function toRecord({ tx, session, doc }: ActionContext): Promise<void> {
  if ((await fileGrant(tx, session, doc.from_org_id, doc.sn)) === 0)
    throw new BusinessError('rule', '证照档案中已有这些证照')
}

async function passGranted(ctx: Context): Promise<void> {
  await answerApplication(ctx)
  await notifyScopes(ctx)
}

export const licenceEmpowerRules = documentHooks(licenceEmpower, {
  prepare: { submit: withFacts, review: withFacts },
  validate: { submit: refuseWrong, review: refuseWrong, extend: refuseWrongEnd, toRecord },
  afterAction: { agree: agreeToAll, review: passGranted, extend },
  calls: { extendMany, stopMany },
  async onUpdated(tx, session, copy) {
    await renewFiled(tx, session.org.id, copy)
    await followLines(tx, session.org.id, copy)
  },
})

/** A later end must be within the licences' own; the application was answered before. */
async function refuseWrongEnd(ctx: Context): Promise<void> {
  await refuseWrong({ ...ctx, doc: { ...ctx.doc, application_sn: null } })
}
