import { surgeryUse } from '#modules/hospital/ward/usage/surgery-use.doc.ts'
import { type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { patchDocument, type TypedDocument } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { waitsForCharge } from '#modules/hospital/charges/checking/charge-in-advance.server.ts'
import { followTakeBack, makeForm } from '#modules/hospital/ward/implants/patient-implant-form.server.ts'
import { surgerySheets, surgeryTotals } from '#modules/hospital/ward/usage/surgery-print.server.ts'
import { chargedUse } from '#modules/hospital/ward/usage/charged-use.server.ts'
import {
  loansReported,
  loansUnused,
  loansUsed,
  refuseCalledOff,
  withLoans,
} from '#modules/hospital/surgery/loans/loans-of-use.server.ts'
import { withSuppliers } from '#modules/hospital/ward/usage/used-suppliers.server.ts'
import { needsOperatedPatient, needsPatient } from '#modules/hospital/ward/usage/department-use.server.ts'
import { licencesAtUse } from '#modules/hospital/ward/usage/licence-check-at-use.server.ts'
import { bindSignature, withdrawSignatures } from '#modules/hospital/signatures/signature.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof surgeryUse>
type SurgeryUse = TypedDocument<typeof surgeryUse>

/** One live record per operation and store: what was lent for it is recorded beside what the ward had. */
async function refuseSecond({ tx, session, doc }: Context): Promise<void> {
  if (!doc.surgery_no || doc.form_type !== 'report') return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document
     where org_id = ${session.org.id} and kind = 'surgeryUse' and role = 'own' and id <> ${doc.id} and red_of_id is null
       and warehouse_id is not distinct from ${doc.warehouse_model_inner_sn}
       and state in ('draft', 'submitted', 'rejected', 'reviewed')
         and fields->>'surgery_no' = ${String(doc.surgery_no)} and fields->>'form_type' = 'report' order by id limit 1`
  if (other) throw new BusinessError('rule', `该手术已存在报告单（${other.sn}）`)
}

async function checked(ctx: Context): Promise<void> {
  await refuseSecond(ctx)
  await needsOperatedPatient(ctx)
  await needsPatient(ctx)
  await licencesAtUse(ctx)
}

/** Nurse and surgeon of the operation sign themselves; a signed record cannot be changed until that is withdrawn. */
async function sign(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const isNurse = doc.signer === 'nurse'
  const employee = (isNurse ? doc.nurse_inner_sn : doc.doctor_inner_sn) as string | null
  const { name } = await bindSignature(ctx, { role: isNurse ? 'nurse' : 'surgeon', employee })
  await patchDocument(tx, session, doc, { [isNurse ? 'nurse_signed_by' : 'surgeon_signed_by']: name }, 'withAction')
}

async function edited(_tx: Tx, _session: Session, before: SurgeryUse): Promise<void> {
  if (before.nurse_signed_by || before.surgeon_signed_by)
    throw new BusinessError('rule', '已签字，不能修改，请先撤销签字')
}

/** Runs several hooks one after another, when a use comes into force or is taken back, in whole or part. */
const then =
  (...all: readonly ((ctx: Context) => Promise<void>)[]) =>
  async (ctx: Context): Promise<void> => {
    for (const each of all) await each(ctx)
  }

export const surgeryUseRules = documentHooks(surgeryUse, {
  afterEdit: edited,
  onReceived: loansReported,
  prepare: { ...chargedUse.prepare, submit: async ctx => withLoans({ ...ctx, doc: await withSuppliers(ctx) }) },
  validate: {
    ...chargedUse.validate,
    submit: [checked, refuseCalledOff],
    review: [checked, refuseCalledOff, waitsForCharge],
  },
  printFields: surgerySheets,
  printTotals: surgeryTotals,
  afterAction: {
    ...chargedUse.afterAction,
    review: then(chargedUse.afterAction.review, loansUsed, makeForm),
    unreview: then(chargedUse.afterAction.unreview, loansUnused, followTakeBack),
    redReverse: then(chargedUse.afterAction.redReverse, loansUnused, followTakeBack),
    sign,
    unsign: ctx => withdrawSignatures(ctx, ['nurse', 'surgeon']),
  },
})
