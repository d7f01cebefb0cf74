import { transferReceipt } from '#modules/goods/transfers/transfer-receipt.doc.ts'
import { transferReturn } from '#modules/goods/transfers/transfer-return.doc.ts'
import { transfer } from '#modules/goods/transfers/transfer.doc.ts'
import {
  type ActionContext,
  atReviewOnly,
  type ContextOf,
  type DocumentHooks,
  documentHooks,
} from '#server/public/hooks.ts'
import { instant, today } from '#kernel/values/date.ts'
import { compare, type Decimal, isNegative, isPositive, plain, subtract, sum } from '#kernel/values/decimal.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { refuseKept } from '#modules/base/checks/in-transit-transfer.server.ts'
import { refuseUnknownOrganisation, transferArrivalRules } from '#modules/goods/transfers/inter-organisation.server.ts'
import { askBack } from '#modules/goods/transfers/loans.server.ts'
import { createSystemDraft, type LineInput } from '#server/public/drafts.ts'
import { cancelUntouchedFollowUps, namedRows } from '#server/public/actions.ts'
import { patchDocument } from '#server/public/documents.ts'

type Context = ContextOf<typeof transfer>

type Store = { id: string; name: string; model: string; status: string; manager_id: string | null }

const typeOf = ({ doc }: Context) => String(doc.transfer_type ?? 'allot')

/**
 * Both warehouses must be available to the user; 停售库 has documents of its own, and a user of only one warehouse may
 * not fill another's in one step.
 */
async function refuseStores(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const stores = await tx<Store[]>`
    select id, name, model, status, manager_id from warehouse
     where org_id = ${session.org.id} and id in (${doc.warehouse_model_inner_sn}, ${doc.to_warehouse_model_inner_sn})`
  if (stores.some(store => store.model === 'stopSale')) throw new BusinessError('rule', '停售库存请使用停售单办理')
  const closed = stores.find(store => store.status !== 'enabled')
  if (closed) throw new BusinessError('rule', `仓库【${closed.name}】已停用，请重新选择`)
  const [from, to] = [doc.warehouse_model_inner_sn, doc.to_warehouse_model_inner_sn].map(id =>
    stores.find(store => store.id === id),
  )
  // Goods that a cabinet found in the wrong place are already there: the system created the document, so no user moves
  // goods into another manager's warehouse with it.
  const isFound = doc.created_by === '0'
  if (typeOf(ctx) === 'move' && !isFound && from?.manager_id && to?.manager_id && from.manager_id !== to.manager_id)
    throw new BusinessError('rule', '不同管理员的仓库请使用调拨单')
}

/**
 * Only loaned goods can be returned: at most what was received and not returned, and never of an earlier-expiring
 * lot.
 */
async function refuseUnknownReturn({ tx, session, doc }: ActionContext): Promise<void> {
  const stray = doc.lines.find(line => !line.source_document_id)
  if (stray) throw new BusinessError('rule', `第${stray.line_no}行：请引用借用单归还`)
  const lent = await tx<
    {
      document_id: string
      line_no: number
      sn: string
      specification_id: string
      expiry_date: string | null
      converted: boolean
      open: Decimal
    }[]
  >`
    select l.document_id, l.line_no, d.sn, l.specification_id, l.expiry_date,
      coalesce((d.fields->>'is_converted')::boolean, false) as converted,
           (coalesce(sum(g.taken) filter (where g.purpose = 'receive'),
             0) - coalesce(sum(g.taken) filter (where g.purpose = 'give_back'), 0))::numeric(18,3) as open
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
     where l.org_id = ${session.org.id}
       and l.document_id = any(${[...new Set(doc.lines.map(line => line.source_document_id!))]}::bigint[])
     group by l.document_id, l.line_no, d.sn, l.specification_id, l.expiry_date, d.fields`
  for (const line of doc.lines) {
    const loan = lent.find(row => row.document_id === line.source_document_id && row.line_no === line.source_line_no)
    if (!loan) continue
    const refuse = (msg: string) =>
      new BusinessError('rule', `第${line.line_no}行：${msg}`, [{ line: line.line_no, msg }])
    if (loan.converted) throw refuse(`借用单${loan.sn}已转为调拨，不能归还`)
    if (loan.specification_id !== line.specification_sn) throw refuse('归还的规格与借出的不一致')
    if ((line.expiry_date ?? '9999') < (loan.expiry_date ?? '9999')) throw refuse('归还批次效期不得早于借出批次')
    const mine = doc.lines.filter(
      other => other.source_document_id === loan.document_id && other.source_line_no === loan.line_no,
    )
    const asked = sum(
      mine.map(other => other.base_quantity),
      3,
    )
    if (compare(asked, loan.open) > 0) throw refuse(`归还数量不能大于未归还数量${plain(loan.open)}`)
  }
}

/** Only users of a warehouse may say what left it, or what it received. */
const ofStore =
  (which: 'warehouse_model_inner_sn' | 'to_warehouse_model_inner_sn', whose: string) =>
  async ({ session, doc }: ActionContext): Promise<void> => {
    if (session.warehouses === 'all' || session.warehouses.has(String(doc[which] ?? ''))) return
    throw new BusinessError('forbidden', `没有操作权限：请由${whose}的人员办理`)
  }
const bySender = ofStore('warehouse_model_inner_sn', '调出仓库')
const byReceiver = ofStore('to_warehouse_model_inner_sn', '调入仓库')

type Named = {
  readonly line_no: number
  readonly quantity?: Decimal | null
  readonly unit_codes?: readonly string[]
}

/** The lines named in the request, as lines of the follow-up document; null: everything in transit. */
async function namedLines(ctx: ActionContext): Promise<LineInput[] | null> {
  const rows = await namedRows<Named>(ctx, 'lines')
  if (rows?.length === 0) throw new BusinessError('invalid', '请填写行号和数量')
  return (
    rows?.map(({ line_no, quantity = null, unit_codes = [] }) => ({
      source_line_no: line_no,
      quantity: quantity ?? (unit_codes.length > 0 ? String(unit_codes.length) : null),
      unit_codes,
    })) ?? null
  )
}

/** The quantity of a transfer that was not counted for any of these purposes. */
async function without({ tx, session, doc }: ActionContext, ...purposes: readonly Purpose[]): Promise<Decimal> {
  const [row] = await tx<{ taken: Decimal }[]>`
    select coalesce(sum(taken), 0)::numeric(18,3) as taken from line_progress
     where org_id = ${session.org.id} and document_id = ${doc.id} and line_no = 0 and purpose = any(${purposes})`
  return subtract(doc.total_quantity, row!.taken, 3)
}

/** The quantity that is still in transit under a transfer. */
const onTheWay = (ctx: ActionContext): Promise<Decimal> => without(ctx, 'receive', 'return', 'reverse')
/** The quantity of a loan that was received or is on its way, and did not come back. */
const owedOf = (ctx: ActionContext): Promise<Decimal> => without(ctx, 'give_back', 'return', 'reverse')

/** The waiting receipt: once edited by a user, that user finishes it. */
async function waiting({ tx, session, doc }: ActionContext): Promise<{ sn: string; touched: boolean } | undefined> {
  const [row] = await tx<{ sn: string; touched: boolean }[]>`
    select sn, touched from document where org_id = ${session.org.id} and source_document_id = ${doc.id}
      and kind = 'transferReceipt' and role = 'own' and state = 'submitted' limit 1`
  return row
}

const fromTransfer = (ctx: ActionContext) => ({ source_sn: ctx.doc.sn, source_type: sourceTypes.ALLOT })

async function createReceipt(ctx: ActionContext, lines: LineInput[] | null): Promise<string> {
  const note = ctx.reason ? { difference_note: ctx.reason } : {}
  return createSystemDraft(
    ctx.tx,
    ctx.session,
    'transferReceipt',
    { ...fromTransfer(ctx), ...note },
    lines,
    'submitted',
  )
}

/** 调入收货: the waiting receipt is confirmed, or what the request names is received; the rest stays in transit. */
async function receive(ctx: ActionContext): Promise<void> {
  const lines = await namedLines(ctx)
  const here = await waiting(ctx)
  if (lines === null && here) return ctx.runAction('transferReceipt', here.sn, 'review')
  if (here?.touched) throw new BusinessError('blocked', `请先处理待收货的调入收货单${here.sn}`)
  if (lines !== null && lines.every(line => line.quantity !== null)) {
    const counted = sum(
      lines.map(line => line.quantity as Decimal),
      3,
    )
    const left = await onTheWay(ctx)
    const short = subtract(left, counted, 3)
    if (isNegative(short)) throw new BusinessError('sourceExceeded', `数量不能大于在途数量${plain(left)}`)
    if (isPositive(short) && !ctx.reason) throw new BusinessError('rule', `差异数量${plain(short)}，请填写原因`)
  }
  await cancelUntouchedFollowUps(ctx)
  await ctx.runAction('transferReceipt', await createReceipt(ctx, lines), 'review')
}

/**
 * Refused goods, or goods stopped in transit, return to the sender's warehouse; from another organisation they return
 * once it releases them.
 */
async function sendBack(ctx: ActionContext, lines: LineInput[] | null): Promise<void> {
  const { tx, session, doc, reason, spec } = ctx
  const here = await waiting(ctx)
  if (here?.touched) throw new BusinessError('blocked', `请先处理待收货的调入收货单${here.sn}`)
  await cancelUntouchedFollowUps(ctx)
  const left = new Map(doc.lines.map(line => [line.line_no, line.location ?? '']))
  const open = lines ?? doc.lines.map(line => ({ source_line_no: line.line_no }))
  const gone = await tx<{ line_no: number; taken: Decimal }[]>`
    select line_no, sum(taken)::numeric(18,3) as taken from line_progress
     where org_id = ${session.org.id} and document_id = ${doc.id} and line_no > 0
       and purpose in ('receive', 'return', 'reverse') group by line_no`
  const rest = open.filter(line => {
    const stored = doc.lines.find(each => each.line_no === line.source_line_no)
    const taken = gone.find(row => row.line_no === line.source_line_no)?.taken ?? '0'
    return !stored || isPositive(subtract(stored.base_quantity, taken, 3))
  })
  if (rest.length === 0) return
  const back = rest.map(line => ({ ...line, location: left.get(parseInteger(line.source_line_no)) ?? '' }))
  const header = { ...fromTransfer(ctx), return_reason: `${spec.label}：${reason ?? ''}` }
  const sn = await createSystemDraft(tx, session, 'transferReturn', header, back, 'submitted')
  await ctx.runAction('transferReturn', sn, 'review')
}

async function refuse(ctx: ActionContext): Promise<void> {
  await sendBack(ctx, await namedLines(ctx))
  if (isPositive(await onTheWay(ctx))) await createReceipt(ctx, null)
}

/** A return of this loan that is not done yet. */
async function openReturn({ tx, session, doc }: ActionContext, states: readonly string[]): Promise<string | null> {
  const [row] = await tx<{ sn: string }[]>`
    select d.sn from document d
     where d.org_id = ${session.org.id} and d.kind = 'transfer' and d.role = 'own' and d.source_document_id = ${doc.id}
       and d.fields->>'transfer_type' = 'give_back' and d.state = any(${[...states]}) order by d.id limit 1`
  return row?.sn ?? null
}

/** Only one return of a loan is written at a time, and none once the loan became a transfer. */
async function refuseSecondReturn(ctx: ActionContext): Promise<void> {
  const sn = await openReturn(ctx, ['draft', 'submitted', 'rejected'])
  if (sn) throw new BusinessError('blocked', `已有未完成的归还单${sn}，请在【归还】中办理`)
}
async function refuseConversion(ctx: ActionContext): Promise<void> {
  const sn = await openReturn(ctx, ['submitted'])
  if (sn) throw new BusinessError('blocked', `归还单${sn}正待审核，请先审核或驳回，再转为调拨`)
  if (!isPositive(await owedOf(ctx))) throw new BusinessError('rule', '借用已全部归还，无需转为调拨')
}
async function refuseReturnOfConverted({ tx, session, doc }: ActionContext): Promise<void> {
  const [loan] = await tx<{ sn: string }[]>`
    select d.sn from document d
     where d.org_id = ${session.org.id} and d.id = any(${doc.lines.map(line => line.source_document_id!)}::bigint[])
       and (d.fields->>'is_converted')::boolean limit 1`
  if (loan) throw new BusinessError('rule', `借用单${loan.sn}已转为调拨，不能归还`)
}

/** 转为调拨: what is still out stays out; the cost is the borrower's from this day. */
const converted = ({ tx, session, doc }: ActionContext): Promise<unknown> =>
  patchDocument(tx, session, doc, { converted_on: today() }, 'withAction')

/** A draft of what is to be returned, for the borrower to complete. */
async function giveBack(ctx: ActionContext): Promise<void> {
  const header = { ...fromTransfer(ctx), transfer_type: 'give_back', transfer_reason: '归还借用' }
  await createSystemDraft(ctx.tx, ctx.session, 'transfer', header, null)
}

/** 催还, by hand: notifies those who have the loaned goods. */
const remind = ({ tx, session, doc }: Context): Promise<void> =>
  askBack(tx, session.org.id, {
    sn: doc.sn,
    due: String(doc.due_date ?? ''),
    stores: [doc.to_warehouse_model_inner_sn],
    by: session.userId,
  })

/** Records on the transfer who received it last, and when. */
async function noteReceiver({ tx, session, doc }: ActionContext): Promise<void> {
  const note = { received_by: session.userName, received_at: instant() }
  await patchDocument(tx, session, { id: doc.source_document_id!, kind: 'transfer' }, note, 'derived')
}

export const transferRules = documentHooks(transfer, {
  validate: {
    submit: async ctx => {
      await refuseStores(ctx)
      if (typeOf(ctx) === 'give_back') await refuseUnknownReturn(ctx)
      if (typeOf(ctx) === 'across') await refuseUnknownOrganisation(ctx)
    },
    review: [
      atReviewOnly(ctx => (typeOf(ctx) === 'give_back' ? byReceiver(ctx) : bySender(ctx))),
      async ctx => {
        if (typeOf(ctx) === 'give_back') await refuseReturnOfConverted(ctx)
      },
    ],
    giveBack: refuseSecondReturn,
    toTransfer: refuseConversion,
    receive: byReceiver,
    refuse: byReceiver,
    stop: bySender,
  },
  afterAction: {
    receive,
    refuse,
    stop: async ctx => (typeOf(ctx) === 'across' ? undefined : sendBack(ctx, null)),
    giveBack,
    toTransfer: async ctx => void (await converted(ctx)),
    remind,
  },
})
export const transferReceiptRules = documentHooks(transferReceipt, {
  validate: { review: atReviewOnly(ofStore('warehouse_model_inner_sn', '调入仓库')) },
  afterAction: { review: noteReceiver },
})
export const transferReturnRules = documentHooks(transferReturn, {
  validate: { submit: refuseKept, review: refuseKept },
})

export const transferDocumentRules: readonly DocumentHooks[] = [
  transferRules,
  transferReceiptRules,
  transferReturnRules,
  transferArrivalRules,
]
