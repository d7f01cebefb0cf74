import { grantOdo, unpicked } from '#modules/hospital/ward/issuing/grant-odo.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  loadDocument,
  patchDocument,
  replaceLines,
  type StoredDocument,
  totalsOfLines,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { quantityOfCodes } from '#kernel/codes/pack-code.ts'
import { lineAmounts, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { compare, type Decimal, multiply, plain, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { netSettlementLines, openGrantLines } from '#modules/finance/settlement/settlement-lines.server.ts'
import { pickOrder } from '#modules/hospital/ward/issuing/pick-route.server.ts'
import { otherLot } from '#modules/hospital/ward/issuing/lot-substitution.server.ts'
import { checkDepartmentQuota } from '#modules/hospital/ward/quota/quota-check.server.ts'
import { receivedAtOnce, receivedBySignature } from '#modules/hospital/ward/receiving/auto-receipt.server.ts'
import { bindSignature, withdrawSignatures } from '#modules/hospital/signatures/signature.server.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { instant } from '#kernel/values/date.ts'
import { pushDocument } from '#modules/hospital/his/receipts/push-document.server.ts'
import { release, reserve } from '#server/public/actions.ts'
import { employeeOf } from '#server/public/organisations.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { measureOfLine } from '#kernel/rules/line-measure.ts'

type Context = ContextOf<typeof grantOdo>
type GrantOdo = TypedDocument<typeof grantOdo>
type Line = TypedLine<typeof grantOdo>

type Reading = Pick<Context, 'tx' | 'session' | 'definition' | 'doc'>
type Figure = 'planned_quantity' | 'picked_quantity' | 'short_quantity'
const figure = (line: Line, name: Figure): Decimal => line[name] ?? '0'
const codesIn = (line: Line): readonly string[] => (line.picked_codes as readonly string[] | null | undefined) ?? []

/** Lines with their figures, and the header totals. */
async function write({ tx, session, definition, doc }: Reading, lines: readonly Line[], state: string): Promise<void> {
  const total = (name: Figure) =>
    sum(
      lines.map(line => figure(line, name)),
      3,
    )
  const fields = {
    picking_state: state,
    planned_total: total('planned_quantity'),
    picked_total: total('picked_quantity'),
    short_total: total('short_quantity'),
  }
  const { line_count: _count, ...sums } = totalsOfLines(lines)
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(tx, session, doc, { ...fields, ...sums }, 'withAction')
}

/**
 * After submission, goods wait to be picked; those of a picking list already were, and what was picked before is
 * picked again.
 */
async function planned(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const isPicked = doc.source_type === sourceTypes.DISPATCH
  const was = doc.lines.some(line => line.picked_quantity ?? line.short_quantity ?? null)
  if (isPicked || was)
    return write(
      ctx,
      doc.lines.map(line => ({
        ...line,
        planned_quantity: line.quantity,
        picked_quantity: isPicked ? line.quantity : null,
        picked_codes: isPicked ? line.unit_codes : null,
        short_quantity: null,
        short_reason: null,
      })),
      isPicked ? '3' : '1',
    )
  const totals = { planned_total: doc.total_quantity, picked_total: '0.000', short_total: '0.000' }
  await patchDocument(tx, session, doc, totals, 'withAction')
}

/** Picking begins and prints its list; the user who begins it picks, unless another was named. */
async function begun({ tx, session, doc, dialogValues: answers }: Context): Promise<void> {
  const picker = answers?.picker_inner_sn ?? doc.picker_inner_sn ?? (await employeeOf(tx, session))
  await keepPerson(tx, session, doc, 'picker_inner_sn', picker)
  const picking_state = unpicked(doc) === 0 ? '3' : '2'
  await patchDocument(tx, session, doc, { picking_state, pick_listed_at: instant() }, 'withAction')
}

const keepPerson = async (tx: Tx, session: Session, doc: StoredDocument, name: string, person: unknown) => {
  if (person) await patchDocument(tx, session, doc, { [name]: String(person) }, 'withAction')
}

/** The reviewer counts as the rechecker, if none is named and the reviewer did not pick it. */
async function rechecked({ tx, session, doc }: Context): Promise<void> {
  if (doc.rechecker_inner_sn) return
  const employee = await employeeOf(tx, session)
  if (employee !== doc.picker_inner_sn) await keepPerson(tx, session, doc, 'rechecker_inner_sn', employee)
}

function refuseMore(line: Line): void {
  const say = (field: string, sentence: string): BusinessError => {
    const msg = `第${line.line_no}行：${sentence}`
    return new BusinessError('rule', msg, [{ field, line: line.line_no, msg }])
  }
  const picked = figure(line, 'picked_quantity')
  if (compare(picked, line.quantity) > 0)
    throw say('picked_quantity', `已拣数量不能大于应发数量${plain(line.quantity)}`)
  const outsider = codesIn(line).find(code => !line.unit_codes.includes(code))
  if (outsider) throw say('picked_codes', `院内码${outsider}不在本行应发的货物中`)
  const measure = measureOfLine(line)
  if (line.unit_codes.length > 0 && compare(multiply(picked, measure, 3), quantityOfCodes(line, codesIn(line))) !== 0)
    throw say('picked_codes', '一物一码的货物请逐码扫描拣货，已拣数量须等于已拣院内码个数')
}

/** Counts the quantity that was picked so far, which is never more than was reserved. */
async function counted(tx: Tx, session: Session, before: GrantOdo): Promise<void> {
  if (before.state !== 'submitted') return
  const doc = await loadDocument(tx, session.org.id, grantOdo, before.sn)
  for (const line of doc.lines) if (compare(line.quantity, '0') > 0) refuseMore(line)
  await write(
    { tx, session, definition: grantOdo, doc },
    doc.lines.map(line => ({ ...line, planned_quantity: line.planned_quantity ?? line.quantity })),
    unpicked(doc) === 0 ? '3' : '2',
  )
}

/**
 * 缺货登记: what was not found is not issued; it becomes open again on the department's requisition, and for those who
 * refill the warehouse.
 */
async function shortened(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const lines = doc.lines.map((line): Line => {
    const picked = figure(line, 'picked_quantity')
    if (compare(picked, line.quantity) >= 0) return line
    const measure = measureOfLine(line)
    return {
      ...line,
      ...lineAmounts(line.price, picked, line.tax_rate as TaxRate),
      quantity: picked,
      base_quantity: multiply(picked, measure, 3),
      unit_codes: codesIn(line),
      picked_quantity: picked,
      planned_quantity: line.planned_quantity ?? line.quantity,
      short_quantity: subtract((line.planned_quantity as Decimal | null) ?? line.quantity, picked, 3),
      short_reason: line.short_reason ?? doc.short_reason,
    }
  })
  await write(ctx, lines, '3')
  await release(tx, session, doc.id)
  await reserve(tx, session, { ...doc, lines })
}

/** If the organisation requires picking before issue, an unpicked issue cannot be approved. */
async function refuseUnpicked({ settings, doc }: Context): Promise<void> {
  // Goods that came straight to the ward were never on a shelf.
  if (!settings.pick_before_grant || doc.picking_state === '3' || doc.is_direct === true) return
  throw new BusinessError('rule', `还有${unpicked(doc)}行未拣货`)
}

/** Goods issued without a list count as picked; when the issue is undone, they wait to be picked again. */
const settle =
  (isOut: boolean) =>
  async ({ tx, session, doc }: Context): Promise<void> => {
    const picked = doc.lines.some(line => (line.picked_quantity ?? null) !== null)
    if (picked) return
    const fields = isOut
      ? { picking_state: '3', planned_total: doc.total_quantity, picked_total: doc.total_quantity }
      : { picking_state: '1', picked_total: '0.000' }
    await patchDocument(tx, session, doc, fields, 'withAction')
  }

/** 领用签收: who took the goods; for departments without a receipt of their own it is the receipt. */
async function taken(ctx: Context): Promise<State | undefined> {
  const { tx, session, doc } = ctx
  const signer = await bindSignature(ctx, { role: 'receiver', employee: doc.receiver_inner_sn as string | null })
  const receiver = { receiver_inner_sn: signer.employee, receiver_signed_by: signer.name }
  await patchDocument(tx, session, doc, receiver, 'withAction')
  return receivedBySignature(ctx, signer.name)
}

/** Requested goods were checked against the quota with their requisition; goods issued without one are checked here. */
async function withinQuota(ctx: ActionContext): Promise<void> {
  const { source_type } = ctx.doc
  if (source_type === sourceTypes.REQUISITION || source_type === sourceTypes.DISPATCH) return
  await checkDepartmentQuota(ctx)
}

export const grantOdoRules = documentHooks(grantOdo, {
  validate: { submit: withinQuota, review: atReviewOnly(refuseUnpicked) },
  afterEdit: counted,
  afterAction: {
    submit: planned,
    pick: begun,
    short: shortened,
    swapLot: otherLot,
    sign: taken,
    review: async ctx => {
      await rechecked(ctx)
      await settle(true)(ctx)
      await openGrantLines(ctx)
      return receivedAtOnce(ctx)
    },
    unreview: async ctx => {
      await withdrawSignatures(ctx, ['receiver'])
      await settle(false)(ctx)
      await netSettlementLines(ctx)
    },
    redReverse: netSettlementLines,
    pushHis: pushDocument,
  },
  printFields: pickOrder,
})
