import type { DemoDatabase } from '#demo/simulation/actions.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { applyAction, openAction } from '#server/documents/action/apply.ts'
import { submitAndReview } from '#server/documents/action/automatic.ts'
import { editDocument } from '#server/documents/draft/edit.ts'
import { countPrint } from '#server/documents/print/print.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import type { Session } from '#server/access/session.ts'

const KIND = 'patientImplantForm'
/** The newest are still being written. */
const WAITING = 2
/** Every so many are only partly stuck with labels, and one is corrected. */
const PARTLY_EVERY = 3

type Form = { readonly sn: string; readonly version: number }

/** Forms of implants, made by themselves from the operations of the demo: most in force and printed, one corrected. */
export async function fillImplantForms({ owner, app }: DemoDatabase): Promise<void> {
  const hospitals = await owner<{ org_id: string }[]>`
    select distinct org_id from document where kind = ${KIND} and state = 'draft' order by org_id`
  for (const { org_id: org } of hospitals) {
    const who = { ...(await systemSessionOf(owner, org)), userName: '手术室护士长' }
    await inOrganisation(app, org, '0', tx => fill(tx, who))
  }
}

async function fill(tx: Tx, who: Session): Promise<void> {
  const forms = await tx<Form[]>`
    select sn, version from document where org_id = ${who.org.id} and kind = ${KIND} and state = 'draft'
      and coalesce(fields->>'admission_no', '') <> '' and coalesce(fields->>'doctor_inner_sn', '') <> ''
     order by id`
  const whole = { role: 'own', from: null } as const
  for (const [at, form] of forms.slice(0, Math.max(forms.length - WAITING, 1)).entries()) {
    const isPartly = at % PARTLY_EVERY === PARTLY_EVERY - 1
    await editDocument(tx, who, definitionOf(KIND), {
      ...form,
      label_state: isPartly ? 'part' : 'complete',
      signed_by: isPartly ? 'none' : at % 2 === 0 ? 'patient' : 'family',
    })
    await submitAndReview(tx, who, KIND, form.sn)
    if (!isPartly) await countPrint(tx, who, definitionOf(KIND), form.sn, whole)
    if (at === 0) await correct(tx, who, form.sn)
  }
}

async function correct(tx: Tx, who: Session, sn: string): Promise<void> {
  const [row] = await tx<{ version: number }[]>`
    select version from document where org_id = ${who.org.id} and kind = ${KIND} and sn = ${sn}`
  const body = { sn, version: row!.version, reason: '患者年龄登记有误' }
  await applyAction(await openAction(tx, who, definitionOf(KIND), 'revise', body))
  const [next] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${who.org.id} and kind = ${KIND} and fields->>'previous_sn' = ${sn}`
  await submitAndReview(tx, who, KIND, next!.sn)
}
