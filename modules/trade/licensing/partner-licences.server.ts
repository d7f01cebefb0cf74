import type { AnyDocument } from '#kernel/definition/document.ts'
import { addDays, type Day } from '#kernel/values/date.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import type { Problem } from '#kernel/rules/errors.ts'
import { demandedOf, lawfulTypes } from '#modules/trade/licensing/licence-types.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import { cachedInTx, sendUnawaited, type Tx } from '#server/public/database.ts'

/** A licence kind of the counterparty: the one in our archive valid longest, and what happens when it has expired. */
type Filed = {
  readonly licence_type: string
  readonly id: string
  readonly licence_no: string
  readonly valid_to: Day | null
  readonly holds: boolean
  readonly control: 'refuse' | 'warn' | 'none' | null
  readonly grace_days: number
  readonly here: boolean
  /** Device classes for which it is checked; none: all. */
  readonly device_classes: readonly string[]
}
/** The record of a licence that a document relied on. */
export type Relied = Pick<Filed, 'id' | 'licence_type' | 'licence_no' | 'valid_to' | 'holds'>
/** The organisation's setting for a kind of licence at this step. */
type Watched = Pick<Filed, 'licence_type' | 'control' | 'here'>
type Partner = {
  readonly name: string
  readonly system_type: number
  readonly licences: readonly Filed[] | null
  readonly settings: readonly Watched[] | null
}

/** The column of the setting for the step at which a licence is checked. */
export const stepOf = ({ compliance: { checkpoint: gateStep = 'order' } }: AnyDocument): string => `at_${gateStep}`
/** Checked line by line, with their products. */
const checkedElsewhere = ['授权书', '产品授权书']

/**
 * Our archive of the partner on the business day: the approved licence of each kind that is valid longest. A renewed
 * licence still counts for the days on which it was valid.
 */
export function partnerOf(ctx: ActionContext): Promise<Partner | undefined> {
  const { tx, definition, doc } = ctx
  const key = JSON.stringify(['partner', definition.kind, doc.counterparty_sn, doc.business_date])
  return cachedInTx(tx, key, () => readPartner(ctx))
}

async function readPartner({ tx, session, doc, definition }: ActionContext): Promise<Partner | undefined> {
  if (!doc.counterparty_sn || doc.counterparty_sn === session.org.id) return undefined
  const [partner] = await tx<Partner[]>`
    select o.name, o.system_type, json_agg(f.* order by f.licence_type) filter (where f.id is not null) as licences,
           (select json_agg(json_build_object('licence_type', s.licence_type, 'control', s.control,
              'here', s.status = 'enabled' and s.${tx(stepOf(definition))}))
              from licence_setting s where s.org_id = ${session.org.id}) as settings
      from organisation o
      left join lateral (
        select distinct on (l.licence_type) l.licence_type, l.id::text, l.licence_no, l.valid_to,
               l.valid_from <= ${doc.business_date}
                 and (l.long_term or l.valid_to is null or l.valid_to >= ${doc.business_date}) as holds,
               case when s.id is null and k.lawful then null when s.id is null then 'warn'
                 else s.control end as control, coalesce(s.grace_days, 0) as grace_days,
               coalesce(s.status = 'enabled' and s.${tx(stepOf(definition))}, true) as here,
                 coalesce(s.device_classes, '{}') as device_classes
          from licence l
          left join licence_kind k on k.licence_type = l.licence_type
          left join licence_setting s on s.org_id = l.org_id and s.licence_type = l.licence_type
         where l.org_id = ${session.org.id} and l.holder_id = o.id and l.status in ('enabled', 'replaced')
           and l.audit_state = 'passed'
           and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, ${doc.business_date}::date)
           and l.licence_type <> all(${checkedElsewhere})
         order by l.licence_type, (l.valid_from <= ${doc.business_date}) desc,
           (l.long_term or l.valid_to is null) desc, l.valid_to desc) f on true
     where o.id = ${doc.counterparty_sn} group by o.id`
  return partner
}

const lasts = (licence: Filed, day: Day): boolean =>
  licence.holds ||
  (licence.valid_to !== null && licence.grace_days > 0 && addDays(licence.valid_to, licence.grace_days) >= day)

type Checked = { readonly refused: Problem[]; readonly asked: Problem[]; readonly relied: readonly Filed[] }

/**
 * Checks the partner's licences by the business day; a licence that has expired, was disabled or was never filed blocks
 * the action or needs a confirmation, as set for each kind.
 */
export function checkPartner(
  { doc, definition, settings }: ActionContext,
  partner: Partner | undefined,
  classes: ReadonlySet<string>,
): Checked {
  const licences = partner?.licences ?? []
  const checked: Checked = {
    refused: [],
    asked: [],
    relied: licences.filter(licence => lasts(licence, doc.business_date)),
  }
  if (!partner) return checked
  const whose = `${definition.compliance.party === 'customer' ? '客户' : '供应商'}【${partner.name}】`
  const stop = (control: Filed['control'], fact: string) => {
    const how = control ?? (settings.certificate_check === 'warn' ? 'warn' : 'refuse')
    if (how === 'none') return
    const msg = `${whose}${fact}，不能${definition.compliance.verb ?? '操作'}`
    checked[how === 'refuse' ? 'refused' : 'asked'].push({ field: 'counterparty_sn', msg })
  }
  const notify = (licence: Filed) => stop(licence.control, `的${licence.licence_type}已过期`)
  const demanded = demandedOf(orgTypeOf(partner.system_type), classes)
  for (const group of demanded) {
    const inForce = licences.filter(licence => group.includes(licence.licence_type))
    const filed = inForce.filter(licence => licence.here)
    const first = filed.toSorted((a, b) => group.indexOf(a.licence_type) - group.indexOf(b.licence_type))[0]
    if (first && !filed.some(licence => lasts(licence, doc.business_date))) notify(first)
    if (inForce.length > 0) continue
    const watched = partner.settings?.find(setting => setting.licence_type === group[0])
    if (watched?.here !== false) stop(watched?.control ?? null, `没有有效的${group.join('或')}`)
  }
  const concerns = ({ device_classes: watched }: Filed) =>
    watched.length === 0 || classes.size === 0 || watched.some(each => classes.has(each))
  const other = (type: string) => !lawfulTypes.includes(type) && !demanded.some(group => group.includes(type))
  for (const licence of licences)
    if (licence.here && concerns(licence) && other(licence.licence_type) && !lasts(licence, doc.business_date))
      notify(licence)
  return checked
}

/** Records the licences the document relied on, with their dates at that time: one statement. */
export async function relyOn({ tx, session, doc, action }: ActionContext, licences: readonly Relied[]): Promise<void> {
  if (licences.length === 0) return
  const rows = licences.map(({ id, licence_type, licence_no, valid_to, holds }) => ({
    id,
    licence_type,
    licence_no,
    valid_to,
    graced: !holds,
  }))
  const written = tx`
    insert into document_licence (org_id, document_id, licence_id, action, licence_type, licence_no, valid_to, graced)
    select ${session.org.id}, ${doc.id}, k.id, ${action}, k.licence_type, k.licence_no, k.valid_to, k.graced
      from jsonb_to_recordset(${tx.json(rows)}) as k(id bigint, licence_type text, licence_no text, valid_to date,
        graced boolean)
    on conflict (org_id, document_id, licence_id) do nothing`
  await sendUnawaited(tx, [written])
}

/** The licences on which a document relied, for its page. */
export async function reliedLicences(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  id: string,
): Promise<{ readonly relied?: readonly unknown[] }> {
  if (!definition.compliance.party) return {}
  const relied = await tx`
    select k.licence_type, k.licence_no, k.valid_to, k.graced from document_licence k
     where k.org_id = ${session.org.id} and k.document_id = ${id} order by k.licence_type`
  return relied.length > 0 ? { relied } : {}
}
