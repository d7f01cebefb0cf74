import { byName, patchDocument, type StoredDocument, transition, type TypedDocument } from '#server/public/documents.ts'
import { bonePlan } from '#modules/hospital/surgery/plans/bone-plan.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { dayOf } from '#kernel/values/date.ts'
import { add, compare, type Decimal, isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { complianceChecks } from '#modules/trade/licensing/compliance-check.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import {
  appliedPath,
  book,
  kitContents,
  pathLines,
  release,
} from '#modules/hospital/surgery/bookings/booking.server.ts'
import { moveBookings, type Planned, takenFor } from '#modules/hospital/surgery/bookings/move-bookings.server.ts'
import { pricedKits } from '#modules/hospital/surgery/kits/kit-prices.server.ts'
import { recountPlan } from '#modules/hospital/surgery/plans/plan-counts.server.ts'
import { withinPath } from '#modules/hospital/surgery/paths/path-limits.server.ts'
import { eveBefore, withCaseNames } from '#modules/hospital/surgery/plans/plan-values.server.ts'
import { caseNames, needFields, patientNames } from '#modules/hospital/surgery/plans/case-fields.ts'
import {
  followOperation,
  openPieces,
  openPresales,
  planById,
  reopenPlan,
} from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import {
  draftOfBack,
  draftOfLoan,
  draftOfPreAcceptance,
  draftOfPresale,
  draftOfUse,
  draftsOfSale,
} from '#modules/hospital/surgery/loans/drafts.server.ts'
import { writeLines } from '#modules/hospital/surgery/loans/write-lines.server.ts'
import { compareReport } from '#modules/hospital/surgery/loans/report.server.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import { releaseSources } from '#server/public/actions.ts'
import { hasAccount, sendUpdate } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof bonePlan>
type BonePlan = TypedDocument<typeof bonePlan>

const text = <N extends keyof BonePlan>(doc: BonePlan, name: N) => doc[name] || null
const isHospitals = ({ session }: ActionContext) => session.org.type === 'H'

/** A hospital that is on the platform orders by itself; a supplier writes plans for the others alone. */
async function refuseOnlineHospital({ tx, session, doc }: ActionContext): Promise<void> {
  if (session.org.type === 'H' || !doc.counterparty_sn) return
  if (await hasAccount(tx, doc.counterparty_sn))
    throw new BusinessError('rule', '该医院已开通系统，请由医院下达跟台计划')
}

/**
 * A hospital requests goods only of a supplier with a live relation, licences and authorisations, as for any purchase.
 */
async function supplierMaySupply(ctx: ActionContext): Promise<void> {
  if (!isHospitals(ctx)) return
  const goods = ctx.doc.lines.filter(line => line.specification_sn)
  const definition = {
    ...ctx.definition,
    compliance: { ...ctx.definition.compliance, party: 'supplier', verb: '下达' },
  }
  const asked = { ...ctx, definition, doc: { ...ctx.doc, lines: goods } } as ActionContext
  for (const { check } of complianceChecks) await check(asked)
}

/** Certificates must be valid on the day of the operation. */
async function validOnTheDay({ tx, session, doc }: Context): Promise<void> {
  const at = text(doc, 'surgery_at')
  if (!at) return
  const day = dayOf(new Date(at))
  const facts = await specificationFacts(
    tx,
    doc.lines.flatMap(line => line.specification_sn ?? []),
    { org: session.org.id, counterparty: null, direction: 'none', day },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    const ends = fact?.certificate_valid_to
    if (!fact || !ends || ends >= day) continue
    const msg = `${fact.product_name}注册证于${ends}到期，早于手术日期`
    throw new BusinessError('rule', msg, [{ field: 'specification_sn', line: line.line_no, msg }])
  }
}

function askLateDelivery(ctx: Context): void {
  const { doc, warnings } = ctx
  const [at, by] = [text(doc, 'surgery_at'), text(doc, 'deliver_by')]
  if (!at || !by || doc.surgery_type === 'emergency' || Date.parse(by) <= Date.parse(eveBefore(at))) return
  warnings.push({ rule: 'lateDelivery', msg: '择期手术外来器械最晚应于术前日15:00前送达，是否继续？' })
}

type Technician = { readonly id: string; readonly name: string; readonly phone: string | null }
const technicianOf = async ({ tx, session, doc }: Context): Promise<Technician | undefined> =>
  (
    await tx<Technician[]>`
      select id, name, phone from employee where org_id = ${session.org.id} and id = ${text(doc, 'technician_inner_sn')}
        and status = 'enabled'`
  )[0]

async function withTechnician(ctx: Context): Promise<BonePlan> {
  const found = await technicianOf(ctx)
  if (!found) return ctx.doc
  // Without a phone in the dialog the technician's own is used: that of the one before must not stay.
  const given = ctx.dialogValues?.attendant_phone as string | null | undefined
  return { ...ctx.doc, attendant: found.name, attendant_phone: given ? given : found.phone }
}

/** The technician must have a letter for this hospital in our archive that is valid on the day of the operation. */
async function technicianIsOnFile(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const found = await technicianOf(ctx)
  if (!found) return
  const at = text(doc, 'surgery_at')
  const day = at ? dayOf(new Date(at)) : doc.business_date
  const hospital = doc.role === 'own' ? doc.counterparty_sn : doc.from_org_id
  const [letter] = await tx`
    select 1 from licence
     where org_id = ${session.org.id} and licence_type = '法人授权委托书（跟台人员）' and person_name = ${found.name}
       and status = 'enabled' and audit_state = 'passed' and (grantee_id is null or grantee_id = ${hospital})
       and valid_from <= ${day} and (long_term or valid_to >= ${day}) limit 1`
  if (letter) return
  const msg = `跟台人员${found.name}未在该医院备案或授权已过期`
  throw new BusinessError('rule', msg, [{ field: 'technician_inner_sn', msg }])
}

const plannedOf = (doc: BonePlan): Planned => ({
  id: doc.id,
  sn: doc.sn,
  surgery_at: text(doc, 'surgery_at'),
  deliver_by: text(doc, 'deliver_by'),
  return_by: text(doc, 'return_by'),
})

async function takeTechnician(ctx: Context): Promise<void> {
  const { doc } = ctx
  const [at, sn] = [text(doc, 'surgery_at'), text(doc, 'technician_inner_sn')]
  if (!at || !sn) return
  await release(ctx, doc.id, 'technician')
  await book(ctx, { subject: 'technician', sn, planId: doc.id, ...takenFor(plannedOf(doc)).technician })
}

const codesOf = (doc: BonePlan, name: 'kit_codes' | 'tools_codes') => doc[name] ?? []

/** Kits and sets by the codes that people scan. */
async function numbered(
  { tx, session }: ActionContext,
  codes: readonly string[],
  kind: 'kit' | 'toolsKit',
): Promise<readonly string[]> {
  if (codes.length === 0) return []
  const rows = await tx<{ id: string; code: string }[]>`
    select id, code from ${kind === 'kit' ? tx`implant_kit` : tx`tools_kit`}
     where org_id = ${session.org.id} and code = any(${codes as string[]}) order by code`
  const stray = codes.find(code => !rows.some(row => row.code === code))
  if (stray)
    throw new BusinessError('notFound', `${kind === 'kit' ? '套包' : '工具包'}【${stray}】不存在，请核对编号后重新扫描`)
  return rows.map(row => row.id)
}

/** True if kits hold less than their list requires. */
async function lacksPieces({ tx, session }: ActionContext, kits: readonly string[]): Promise<boolean> {
  const contents = await kitContents(tx, session, kits)
  const lines = await tx<{ kit_sn: string; specification_id: string; quantity: Decimal }[]>`
    select k.id as kit_sn, l.specification_id, l.quantity from implant_kit k
      join operation_kit_line l on l.org_id = k.org_id and l.operation_kit_id = k.operation_kit_id
     where k.org_id = ${session.org.id} and k.id = any(${kits as string[]}::bigint[])`
  const held = new Map<string, Decimal>()
  for (const row of contents) {
    const key = `${row.kit_sn}/${row.specification_sn}`
    held.set(key, add(held.get(key) ?? '0', row.quantity, 3))
  }
  return lines.some(line => compare(held.get(`${line.kit_sn}/${line.specification_id}`) ?? '0', line.quantity) < 0)
}

/**
 * 备货: kits and sets are taken for the operation; incomplete ones are a partial preparation until a user enters the
 * reason.
 */
async function withPrepared(ctx: Context): Promise<BonePlan> {
  const { doc } = ctx
  const kits = await numbered(ctx, codesOf(doc, 'kit_codes'), 'kit')
  const lacking = kits.length > 0 && (await lacksPieces(ctx, kits))
  return { ...doc, prepare_state: lacking && !text(doc, 'shortage_note') ? '2' : '3' }
}

/** What is in the prepared kits is worth to this hospital on the day of the operation. */
async function noteWorth({ tx, session, doc }: Context, kits: readonly string[], at: string): Promise<void> {
  const contents = await kitContents(tx, session, kits)
  const day = dayOf(new Date(at))
  const { total } = await pricedKits(tx, session, contents, { customer: doc.counterparty_sn, day })
  await patchDocument(tx, session, doc, { kit_amount: kits.length > 0 ? total : null }, 'withAction')
}

async function takeKits(ctx: Context): Promise<void> {
  const { doc } = ctx
  const at = text(doc, 'surgery_at')
  if (!at) return
  const kits = await numbered(ctx, codesOf(doc, 'kit_codes'), 'kit')
  await noteWorth(ctx, kits, String(at))
  const sets = await numbered(ctx, codesOf(doc, 'tools_codes'), 'toolsKit')
  const lent = takenFor(plannedOf(doc)).kit
  await release(ctx, doc.id, 'kit')
  await release(ctx, doc.id, 'toolsKit')
  await book(ctx, [
    ...kits.map(sn => ({ subject: 'kit' as const, sn, planId: doc.id, ...lent })),
    ...sets.map(sn => ({ subject: 'toolsKit' as const, sn, planId: doc.id, ...lent })),
  ])
  // Kits, sets and people that are out already were taken when they left.
  await moveBookings(ctx.tx, ctx.session, plannedOf(doc))
}

/** Nothing of a plan is void or called off once something of it was used. */
async function refuseUsed({ doc, spec }: Context): Promise<void> {
  if (doc.use_state === '2') throw new BusinessError('blocked', `已登记手术使用，不能${spec.label}`)
}

async function refuseOut(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const out = isHospitals(ctx)
    ? isPositive((await openPieces(tx, session.org.id, doc.sn, doc.counterparty_sn!)) as never)
    : (await openPresales(tx, session.org.id, doc.id)).some(row => ['reviewed', 'partial'].includes(row.state))
  if (out) throw new BusinessError('blocked', '套包未退回，计划不能完结')
}

/** Marks the plan as accepted when it is put in force, unless a hospital sends it to a supplier with an account. */
async function acceptOwn(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (isHospitals(ctx) && (await hasAccount(tx, doc.counterparty_sn!))) return
  await patchDocument(tx, session, doc, { accept_state: '2' }, 'withAction')
}

/** Called off: what was prepared is not needed, and what is out comes back. */
async function notifyCalledOff(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (!isHospitals(ctx)) return release(ctx, doc.id)
  if (!(await hasAccount(tx, doc.counterparty_sn!))) return
  const open = await openPieces(tx, session.org.id, doc.sn, doc.counterparty_sn!)
  await sendUpdate(tx, session, doc, [doc.counterparty_sn!], {
    label: '手术已取消，请办理套包退回',
    text: isPositive(open as never) ? `尚有${plain(open as never)}件在医院，请办理套包退回` : '手术已取消，无需备货',
    sets: {},
  })
}

/**
 * At the supplier: what was taken for an operation follows it to another time; of one that is off, and has nothing out,
 * it is free again.
 */
async function followHospital(tx: Tx, session: Session, copy: string): Promise<void> {
  const plan = await planById(tx, session.org.id, copy)
  if (!plan || plan.role === 'own') return
  await recountPlan(tx, session, plan)
  const isOff = ['stopped', 'cancelled'].includes(plan.state)
  if (!isOff) await moveBookings(tx, session, plan)
  else if ((await openPresales(tx, session.org.id, plan.id)).length === 0) await release({ tx, session }, plan.id)
}

/** 改派: the refused plan is void, and the same need goes to another supplier as a new plan. */
async function askAnother(ctx: Context): Promise<'cancelled'> {
  const { tx, session, doc, definition } = ctx
  const supplier = String(ctx.dialogValues?.next_supplier_sn ?? '')
  if (supplier === doc.counterparty_sn) throw new BusinessError('rule', '请改派给其他供应商')
  await releaseSources(ctx, 'submit')
  const names: string[] = [...caseNames, ...patientNames, 'department_inner_sn', 'doctor_inner_sn', 'deliver_by']
  names.push('deliver_place', 'sterilisation', 'supplier_note')
  const kept = Object.fromEntries(names.map(name => [name, byName(doc)[name] ?? null]))
  const source = doc.source_sn ? { source_sn: doc.source_sn, source_type: doc.source_type } : {}
  const lines = doc.lines.map(line => ({
    ...Object.fromEntries(Object.keys(needFields).map(name => [name, byName(line)[name] ?? null])),
    ...(doc.source_sn ? { source_line_no: line.source_line_no } : {}),
  }))
  const header = { ...kept, ...source, counterparty_sn: supplier, follow_state: '1' }
  const draft = await buildDraft(tx, session, definition, header, lines)
  await saveDraft(tx, session, definition, draft, 'draft', `改派自${doc.sn}`)
  return 'cancelled'
}

/** 套用手术路径: what the path needs of each stage is added to the plan. */
async function applyPath(ctx: Context): Promise<void> {
  const { tx, session, doc, dialogValues } = ctx
  const path = String(dialogValues?.path_sn ?? doc.path_sn ?? '')
  if (!path) throw new BusinessError('rule', '请选择手术路径')
  await appliedPath(tx, session, path)
  const kinds = { kit: 'kit', toolsKit: 'toolsKit', goods: 'goods' } as const
  const inputs = (await pathLines(tx, session, path)).map(line => ({
    category: kinds[line.item_type],
    specification_sn: line.specification_sn,
    item_code: line.item_code,
    item_name: line.item_name,
    size_range: line.size_range,
    quantity: line.quantity,
  }))
  await writeLines(ctx, inputs)
}

/** Everything is back with its supplier: a plan that was called off is done as well. */
async function doneEvenIfStopped(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  if (doc.state === 'stopped')
    await transition(tx, { ...session, userId: '0', userName: '系统' }, doc, {
      action: 'settled',
      label: '完结',
      from: ['stopped'],
      to: 'completed',
    })
  await followOperation(tx, session, doc.id)
}

/** The supplier sent back out what it had taken home: the plan goes on. */
async function openAgain(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const said = { action: 'reopened', label: '重新打开', reason: '供应商撤回了退回' } as const
  await reopenPlan(tx, session, { id: doc.id, kind: 'bonePlan' }, said)
  await followOperation(tx, session, doc.id)
}

const asksOfSupplier = [refuseOnlineHospital, supplierMaySupply, validOnTheDay]

export const bonePlanRules = documentHooks(bonePlan, {
  prepare: {
    submit: withCaseNames,
    accept: withTechnician,
    assign: withTechnician,
    prepare: withPrepared,
  },
  validate: {
    submit: [...asksOfSupplier, withinPath, askLateDelivery],
    review: [...asksOfSupplier, withinPath],
    accept: technicianIsOnFile,
    assign: technicianIsOnFile,
    cancel: [refuseUsed, refuseOut],
    stop: refuseUsed,
    complete: refuseOut,
    unreview: [refuseUsed, refuseOut],
  },
  afterAction: {
    review: acceptOwn,
    accept: takeTechnician,
    assign: takeTechnician,
    refuse: ctx => release(ctx, ctx.doc.id),
    prepare: takeKits,
    report: compareReport,
    stop: notifyCalledOff,
    reissue: askAnother,
    applyPath,
    toPreAcceptance: draftOfPreAcceptance,
    toPresale: draftOfPresale,
    toSale: draftsOfSale,
    toBack: draftOfBack,
    toUse: draftOfUse,
    toLoan: draftOfLoan,
  },
  onUpdated: followHospital,
  onPartnerAction: { settled: doneEvenIfStopped, reopened: openAgain },
})
