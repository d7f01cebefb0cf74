import { patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { firstTierOrg, trades } from '#modules/trade/compliance/first-tier-org.doc.ts'
import { type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { keepKnown } from '#modules/trade/compliance/changed-partners.server.ts'
import { compareScope } from '#modules/trade/compliance/partner-scope.server.ts'
import { proposeLicences } from '#modules/trade/compliance/proposed-licences.server.ts'
import { recountLicences } from '#modules/trade/licensing/licences-changed.server.ts'
import { permits } from '#modules/trade/licensing/licence-types.ts'

type Context = ContextOf<typeof firstTierOrg>

type Partner = {
  id: string
  name: string
  system_type: number
  social_credit_code: string | null
  status: string
  audit_state: string
}

const partnerOf = async ({ tx, doc }: Context): Promise<Partner | undefined> =>
  (
    await tx<Partner[]>`
      select id, name, system_type, social_credit_code, status, audit_state from organisation
        where id = ${String(doc.partner_sn)}`
  )[0]

/** The partner's master data and the dates of its licences are copied onto the approval. */
async function withFacts(ctx: Context): Promise<StoredDocument> {
  const { tx, session, doc } = ctx
  const partner = await partnerOf(ctx)
  if (!partner) return doc
  const of = (...types: string[]) => doc.lines.find(line => types.includes(String(line.licence_type)))
  const values = {
    social_credit_code: partner.social_credit_code,
    partner_type: orgTypeOf(partner.system_type),
    permit_no: of(...permits)?.licence_no ?? null,
    permit_valid_to: of(...permits)?.valid_to ?? null,
    mandate_valid_to: of('法人授权委托书（销售人员）')?.valid_to ?? null,
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values }
}

/** The relation by which one organisation may trade with the other, as named in the first one's data. */
const relations: Readonly<Record<string, string>> = {
  HD: 'HD',
  DH: 'DH',
  HV: 'HV',
  VH: 'HV',
  DV: 'DV',
  VD: 'DV',
  DD: 'DD',
  HH: 'HH',
}
const reciprocal: Readonly<Record<string, string>> = { DH: 'HD', HD: 'DH' }

const refuse = (field: string, msg: string): never => {
  throw new BusinessError('rule', msg, [{ field, msg }])
}

/** Only organisations the platform knows and has admitted, of a type we may trade with, and each once. */
async function refuseWrong(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const partner = await partnerOf(ctx)
  if (!partner || partner.status !== 'enabled' || partner.audit_state !== 'passed' || partner.id === session.org.id)
    return refuse('partner_sn', '请选择相关机构。')
  if (!relations[`${session.org.type}${orgTypeOf(partner.system_type)}`])
    refuse('partner_sn', `与【${partner.name}】不能建立往来关系`)
  const [other] = await tx`
    select 1 from document where org_id = ${session.org.id} and kind = 'firstTierOrg' and role = 'own'
      and state = any(${doc.change_note ? ['submitted'] : ['reviewed', 'submitted']}) and id <> ${doc.id}
       and fields->>'partner_sn' = ${partner.id} and fields->>'direction' = ${String(doc.direction)} limit 1`
  if (other) throw new BusinessError('duplicate', doc.change_note ? '该企业有待审批的首营审批' : '该企业已通过首营审批')
}

/**
 * 是否必备: licences that the organisation requires of such a partner beyond the fixed list must be on the application or
 * in the archive.
 */
async function refuseWithout({ tx, session, doc }: Context): Promise<void> {
  const shown = doc.lines.map(line => String(line.licence_type))
  const missing = await tx<{ licence_type: string }[]>`
    select m.licence_type from licence_missing(${session.org.id}, ${String(doc.partner_sn)}) m
      join licence_kind k on k.licence_type = m.licence_type and not k.lawful
     where not exists (select 1 from licence_kind held where held.licence_type = any(${shown}::text[])
                          and coalesce(held.stands_as, held.licence_type) = coalesce(k.stands_as, k.licence_type))`
  if (missing.length > 0)
    throw new BusinessError('rule', `缺少必备资料：${missing.map(row => row.licence_type).join('、')}`)
}

/** On approval the relation is live on both sides, and the licences are in our archive. */
async function goLive(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const partner = (await partnerOf(ctx))!
  const org = session.org.id
  const relation = relations[`${session.org.type}${orgTypeOf(partner.system_type)}`]!
  const sides = [
    { org_id: org, partner_id: partner.id, relation },
    { org_id: partner.id, partner_id: org, relation: reciprocal[relation] ?? relation },
  ]
  await tx`
    insert into org_relation as r (org_id, partner_id, relation, applicant_id, decided_by, decided_at, opinion)
    select k.org_id, k.partner_id, k.relation, ${org}, ${session.userName}, posting_now(),
      ${String(doc.quality_opinion ?? '')}
      from jsonb_to_recordset(${tx.json(sides)}) as k(org_id bigint, partner_id bigint, relation text)
    on conflict (org_id, partner_id, relation) do update set status = 'enabled', version = r.version + 1
      where r.status <> 'enabled'`
  const licences = doc.lines.map(({ licence_type, licence_no, issuer, valid_from, valid_to, scans }) => ({
    licence_type,
    licence_no,
    issuer: issuer ?? null,
    valid_from,
    valid_to: valid_to ?? null,
    scans: scans ?? [],
    scope: trades.includes(String(licence_type)) ? ((doc.scope as string | null | undefined) ?? null) : null,
  }))
  await tx`
    insert into licence (org_id, holder_id, licence_type, licence_no, issuer, issued_on, valid_from, valid_to,
      long_term, attachments, scope)
    select ${org}, ${partner.id}, k.licence_type, k.licence_no, k.issuer, k.valid_from, k.valid_from, k.valid_to,
      k.valid_to is null, coalesce(k.scans, '{}'), k.scope
      from jsonb_to_recordset(${tx.json(licences)}) as k(licence_type text, licence_no text,
        issuer text, valid_from date, valid_to date, scans text[], scope text)
    on conflict (org_id, holder_id, licence_type, licence_no, copy_no, valid_from) do nothing`
  await recountLicences(tx, org)
  await keepKnown(ctx)
}

export const firstTierOrgRules = documentHooks(firstTierOrg, {
  prepare: { submit: withFacts },
  validate: { submit: [refuseWrong, refuseWithout], review: refuseWrong },
  afterAction: { review: goLive, propose: proposeLicences, scope: compareScope },
})
