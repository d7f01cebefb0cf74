import { byName, patchDocument } from '#server/public/documents.ts'
import type { firstTierOrg } from '#modules/trade/compliance/first-tier-org.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { auditedByPlatform, permits } from '#modules/trade/licensing/licence-types.ts'
import { addLicenceLines } from '#modules/trade/licensing/licence-lines.server.ts'

type Context = ContextOf<typeof firstTierOrg>

type Proposed = {
  readonly licence_type: string
  readonly licence_no: string
  readonly issuer: string | null
  readonly valid_from: string
  readonly valid_to: string | null
  readonly scope: string | null
}

/**
 * The partner's licences known today: those the platform has passed, and those in our own archive, filed or granted.
 * Licences of the platform come only with the fields that an authority publishes, never with scans or the submitter. Of
 * licences required for admission it takes the one valid longest, of all others one row for each number; it leaves out
 * those by which another organisation was authorised.
 */
const known = ({ tx, session, doc }: Context) => tx<Proposed[]>`
  select distinct on (k.at, w.which)
         x.licence_type, x.licence_no, x.issuer, x.valid_from::text as valid_from, x.valid_to::text as valid_to, x.scope
    from (select a.licence_type, a.licence_no, a.issuer, a.valid_from, a.valid_to, a.scope, 1 as rank
            from published_licence a
           where a.organisation_id = ${String(doc.partner_sn)}
             and a.licence_type = any(${auditedByPlatform as string[]}::text[])
           union all
          select l.licence_type, l.licence_no, l.issuer, l.valid_from,
            case when l.long_term then null else l.valid_to end, l.scope, 2
            from licence l
           where l.org_id = ${session.org.id} and l.holder_id = ${String(doc.partner_sn)} and l.status = 'enabled'
             and l.audit_state = 'passed'
             and coalesce(l.grantee_id, ${session.org.id}::bigint) in (${session.org.id}, ${String(doc.partner_sn)})) x
    join licence_kind k on k.licence_type = x.licence_type
   cross join lateral (select case when k.licence_type = any(${auditedByPlatform as string[]}::text[]) then ''
     else x.licence_no end as which) w
    join organisation o on o.id = ${String(doc.partner_sn)} and o.audit_state = 'passed' and o.status = 'enabled'
   where x.valid_from <= ${today()} and coalesce(x.valid_to, 'infinity') >= ${today()}
   order by k.at, w.which, x.valid_to desc nulls first, x.rank`

/** Fills in the partner's master data in empty fields. */
async function fillHead({ tx, session, doc }: Context, licences: readonly Proposed[]): Promise<void> {
  const [file] = await tx<{ registered_address: string | null; legal_person: string | null }[]>`
    select address as registered_address, legal_person from organisation where id = ${String(doc.partner_sn)}`
  const scope = licences.flatMap(licence =>
    permits.includes(licence.licence_type) && licence.scope ? [licence.scope] : [],
  )
  const values = { ...file, scope: [...new Set(scope)].join('；').slice(0, 300) }
  const open = Object.entries(values).filter(([name, value]) => value && !byName(doc)[name])
  await patchDocument(tx, session, doc, Object.fromEntries(open), 'withAction')
}

/** 带出证照: adds the partner's known licences beside those already on the document. */
export async function proposeLicences(ctx: Context): Promise<void> {
  const { doc } = ctx
  const licences = await known(ctx)
  const has = new Set(doc.lines.map(line => String(line.licence_type)))
  const more = licences.filter(licence => !has.has(licence.licence_type))
  if (more.length === 0)
    throw new BusinessError(
      'rule',
      licences.length === 0
        ? '平台和本机构档案中没有该企业的有效证照，请按原件录入'
        : '该企业已知的有效证照均已在明细中',
    )
  // Quality has to confirm that they agree with the originals.
  await addLicenceLines(
    ctx,
    more.map(({ scope: _scope, ...licence }) => licence),
  )
  await fillHead(ctx, licences)
}
