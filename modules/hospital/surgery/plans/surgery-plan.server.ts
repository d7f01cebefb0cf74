import { byName, patchDocument } from '#server/public/documents.ts'
import { surgeryPlan } from '#modules/hospital/surgery/plans/surgery-plan.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { withCaseNames } from '#modules/hospital/surgery/plans/plan-values.server.ts'
import { fetchPlans, movePlans } from '#modules/hospital/surgery/plans/his-plans.server.ts'
import { notPast } from '#modules/hospital/surgery/plans/plan-guards.ts'
import { bonePlan } from '#modules/hospital/surgery/plans/bone-plan.doc.ts'
import { buildDraft, hasRemainder, openSources, saveDraft } from '#server/public/drafts.ts'
import { requirePermission } from '#server/public/session.ts'

type Context = ContextOf<typeof surgeryPlan>

/** Lines of this plan that a waiting draft of a bone plan has. */
const draftedLines = async ({ tx, session, doc }: ActionContext): Promise<ReadonlySet<number>> => {
  const rows = await tx<{ line_no: number }[]>`
    select l.source_line_no as line_no from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${session.org.id} and l.source_document_id = ${doc.id} and d.kind = ${bonePlan.kind}
       and d.role = 'own' and d.state in ('draft', 'rejected')`
  return new Set(rows.map(row => row.line_no))
}

/** 生成跟台计划: a draft for each supplier over the lines that none of his plans has. */
async function splitBySupplier(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  requirePermission(session, `${bonePlan.kind}.add`)
  const [source] = await openSources(tx, session, bonePlan, [{ sn: doc.sn, org: null }], {
    type: sourceTypes.SURGERY_PLAN,
  })
  const drafted = await draftedLines(ctx)
  const open = (source?.lines ?? []).filter(each => hasRemainder(each) && !drafted.has(each.line.line_no))
  const nobody = open.find(({ line }) => !byName(line).supplier_sn)
  if (nobody) throw new BusinessError('rule', `第${nobody.line.line_no}行：请先填写配送经销商`)
  if (open.length === 0) throw new BusinessError('rule', '该手术计划的明细都已生成跟台计划')
  for (const [supplier, lines] of Map.groupBy(open, ({ line }) => String(byName(line).supplier_sn))) {
    const header = {
      source_sn: doc.sn,
      source_type: sourceTypes.SURGERY_PLAN,
      counterparty_sn: supplier,
      follow_state: '1',
    }
    const asked = lines
      .filter(({ left }) => isPositive(left))
      .map(({ line, left }) => ({ source_line_no: line.line_no, quantity: left }))
    const draft = await buildDraft(tx, session, bonePlan, header, asked)
    await saveDraft(tx, session, bonePlan, draft, 'draft', `来自手术计划${doc.sn}`)
  }
}

/** An elective operation must be in the future, also after it was moved. */
function refusePast({ doc, dialogValues }: ActionContext): void {
  const refused = notPast({ ...doc, surgery_at: dialogValues?.moved_to ?? null } as never)
  if (refused !== true) throw new BusinessError('rule', refused, [{ field: 'moved_to', msg: refused }])
}

/** 改期: the plan and those of all suppliers are about another time, and perhaps another theatre. */
async function reschedule({ tx, session, doc, dialogValues }: Context): Promise<void> {
  const values = {
    surgery_at: dialogValues!.moved_to,
    theatre: dialogValues!.moved_theatre || doc.theatre,
    procedure_name: doc.procedure_name,
    surgeon_name: doc.surgeon_name,
  }
  await movePlans(tx, session, doc, values)
  await patchDocument(tx, session, doc, { surgery_at: values.surgery_at, theatre: values.theatre }, 'withAction')
}

export const surgeryPlanRules = documentHooks(surgeryPlan, {
  prepare: { submit: withCaseNames },
  validate: { reschedule: refusePast },
  afterAction: { toBonePlan: splitBySupplier, reschedule },
  calls: { syncHis: fetchPlans },
})
