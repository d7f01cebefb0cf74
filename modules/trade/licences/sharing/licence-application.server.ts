import {
  loadDocument,
  patchDocument,
  replaceLines,
  type StoredDocument,
  type TypedDocument,
} from '#server/public/documents.ts'
import { licenceApplication } from '#modules/trade/licences/sharing/licence-application.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { clock, today } from '#kernel/values/date.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { fileGrant } from '#modules/trade/licences/sharing/archive-grant.server.ts'
import { remindMany } from '#modules/trade/licences/sharing/bulk-grants.server.ts'
import { licencesByType, outsiderOf } from '#modules/trade/licences/archive/own-licences.server.ts'
import { addLicenceLines } from '#modules/trade/licensing/licence-lines.server.ts'
import { createSystemDraft, definitionOf } from '#server/public/drafts.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { refuseSecondReminder } from '#modules/base/vocabulary/reminders.ts'

type Context = ContextOf<typeof licenceApplication>
type LicenceApplication = TypedDocument<typeof licenceApplication>

const nowText = () => (clock.at ?? new Date()).toISOString()
const refuse = (field: string, msg: string): never => {
  throw new BusinessError('rule', msg, [{ field, msg }])
}

/** Fields of its own that the system writes. */
const writeFields = ({ tx, session, doc }: ActionContext, values: Readonly<Record<string, unknown>>) =>
  patchDocument(tx, session, doc, values, 'withAction')

/** Lines answered before are requested again; the number of requested licences is shown in the list. */
async function withFacts(ctx: Context): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  const partner = await outsiderOf(tx, session.org.id, doc.partner_sn, '不能向本机构申请证照')
  if (typeof partner === 'string') return doc
  const lines = doc.lines.map(line => ({
    ...line,
    is_needed: line.is_needed ?? true,
    line_result: 'pending' as const,
    line_reason: null,
    their_licence_no: null,
    their_valid_to: null,
    scans: [],
    line_answered_at: null,
  }))
  const values = {
    partner_type: orgTypeOf(partner.system_type),
    asked_count: lines.length,
    granted_count: 0,
    handled_by: null,
    handled_at: null,
  }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await writeFields(ctx, values)
  return { ...doc, ...values, lines }
}

/** A licence cannot be requested while it is already requested or granted. */
async function refuseWrong({ tx, session, doc }: Context): Promise<void> {
  const partner = await outsiderOf(tx, session.org.id, doc.partner_sn, '不能向本机构申请证照')
  if (typeof partner === 'string') return refuse('partner_sn', partner)
  const asked = doc.lines.map(line => ({
    line_no: line.line_no,
    licence_type: String(line.licence_type),
    specification: line.specification_sn,
  }))
  const [covered] = await tx<{ line_no: number; licence_type: string }[]>`
    select k.line_no, k.licence_type
      from jsonb_to_recordset(${tx.json(asked)}) as k(line_no int, licence_type text, specification bigint)
     where exists (
       select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
        where d.org_id = ${session.org.id} and d.id <> ${doc.id} and l.fields->>'licence_type' = k.licence_type
          and (d.kind = 'licenceApplication' and d.role = 'own' and d.state = 'submitted'
            and d.fields->>'partner_sn' = ${String(doc.partner_sn)} and l.specification_id is not distinct
            from k.specification
               or d.kind = 'licenceEmpower' and d.role = 'counterparty' and d.state = 'reviewed'
                 and d.from_org_id = ${String(doc.partner_sn)} and d.fields->>'valid_to' >= ${today()}
                 and k.specification is null))
     order by 1 limit 1`
  if (!covered) return
  const msg = `${covered.licence_type}已在申请或已获授权`
  throw new BusinessError('duplicate', msg, [{ line: covered.line_no, field: 'licence_type', msg }])
}

/**
 * 套用清单模板: adds the licences that we require of such a partner for the device classes we trade with it to those on the
 * list.
 */
async function fillTemplate(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const has = new Set(doc.lines.map(line => String(line.licence_type)))
  const demanded = await tx<{ licence_type: string }[]>`
    select r.licence_type from licence_template(${session.org.id}, ${String(doc.partner_sn)}) r
      join licence_kind k on k.licence_type = r.licence_type order by k.at`
  const more = demanded.filter(row => !has.has(row.licence_type))
  if (more.length === 0) throw new BusinessError('rule', '清单已包含该机构的全部必备证照')
  const [base] = doc.lines
  const amount = base ? { quantity: base.quantity, base_quantity: base.base_quantity } : {}
  await addLicenceLines(
    ctx,
    more.map(({ licence_type }) => ({ ...amount, licence_type, is_needed: true })),
  )
}

/** Once a day the partner is reminded that we are waiting. */
async function remind(ctx: Context): Promise<void> {
  refuseSecondReminder(ctx.doc)
  await writeFields(ctx, { reminded_on: today() })
}

/** 生成授权单: the draft answer, with our licence that lasts longest for each line. */
async function createGrant({ tx, session, doc }: Context): Promise<void> {
  const [open] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'licenceEmpower' and role = 'own'
      and state not in ('cancelled', 'deleted')
       and fields->>'application_sn' = ${doc.sn} and fields->>'partner_sn' = ${doc.from_org_id} limit 1`
  if (open) throw new BusinessError('duplicate', `已生成授权单${open.sn}，请在【我授权的】继续处理`)
  const types = doc.lines.map(line => String(line.licence_type))
  const licences = await licencesByType(tx, session.org.id, types, today())
  const sn = await createSystemDraft(
    tx,
    session,
    'licenceEmpower',
    {
      partner_sn: doc.from_org_id,
      application_sn: doc.sn,
      purpose: doc.purpose,
      valid_from: today(),
      valid_to: doc.period_to ?? null,
      may_print: doc.may_print === true,
      remark: doc.remark,
    },
    doc.lines.map(line => ({
      licence_type: line.licence_type,
      asked_line_no: line.line_no,
      ...licences.get(String(line.licence_type)),
    })),
  )
  // When the application is withdrawn, an untouched draft answer is removed with it.
  const draft = await loadDocument(tx, session.org.id, definitionOf('licenceEmpower'), sn)
  await patchDocument(tx, session, draft, { source_document_id: doc.id }, 'withAction')
}

/** Refused as a whole: every line is marked so. */
const withRefusal = async ({ session, doc }: Context): Promise<LicenceApplication> => ({
  ...doc,
  handled_by: session.userName,
  handled_at: nowText(),
  lines: doc.lines.map(line => ({ ...line, line_result: 'refused', line_answered_at: nowText() })),
})

/** 存入档案: files the licences granted for this application. */
async function toRecord({ tx, session, doc }: Context): Promise<void> {
  const grants = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'licenceEmpower' and role = 'counterparty'
      and state = 'reviewed'
       and from_org_id = ${String(doc.partner_sn)} and fields->>'application_sn' = ${doc.sn}`
  let filed = 0
  for (const grant of grants) filed += await fileGrant(tx, session, String(doc.partner_sn), grant.sn)
  if (filed === 0) throw new BusinessError('rule', '证照档案中已有这些证照，或授权已结束')
}

export const licenceApplicationRules = documentHooks(licenceApplication, {
  prepare: { submit: withFacts, refuse: withRefusal },
  validate: { submit: refuseWrong, remind },
  afterAction: { template: fillTemplate, remind: notifyPartner, toGrant: createGrant, toRecord },
  calls: { remindMany },
})

/** Notifies the partner's users who is waiting for their answer. */
async function notifyPartner({ tx, session, doc }: Context): Promise<void> {
  await sendUpdate(tx, session, doc, [String(doc.partner_sn)], {
    label: '催办证照申请',
    text: '请尽快处理',
    sets: { reminded_on: today() },
  })
}

/** Creates a draft application for these kinds of licences; returns its number. */
export const applyFor = (tx: Tx, session: Session, partner: string, types: readonly string[]): Promise<string> =>
  createSystemDraft(
    tx,
    session,
    'licenceApplication',
    { partner_sn: partner, purpose: 'renewal', applicant: session.userName },
    types.map(licence_type => ({ licence_type, is_needed: true })),
  )
