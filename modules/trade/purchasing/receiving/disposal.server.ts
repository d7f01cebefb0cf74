import type { inspectionOrder } from '#modules/trade/purchasing/receiving/inspection-order.doc.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { patchDocument, replaceLines, type StoredLine, type TypedLine } from '#server/public/documents.ts'
import { today } from '#kernel/values/date.ts'
import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { disposalMethods } from '#modules/trade/purchasing/receiving/disposal-states.ts'
import { namedLines } from '#modules/trade/purchasing/receiving/quality-lines.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'

type Context = ContextOf<typeof inspectionOrder>
type Line = TypedLine<typeof inspectionOrder>

type Method = keyof typeof disposalMethods
/** The current state of an unqualified inspection line, and the place of its goods. */
type Standing = { readonly line_no: number; readonly state: string | null; readonly documents: string | null }
type Received = {
  readonly line_no: number
  readonly sn: string
  readonly receipt_line_no: number
  readonly unqualified: Decimal
  readonly unit_codes: readonly string[]
  /** The order the goods came on, if goods may still arrive on it. */
  readonly order_sn: string | null
}

const badOf = (line: Line): Decimal => (line.unqualified_quantity as Decimal | null | undefined) ?? '0'
const wentBack = (line: Line): boolean => ['return', 'exchange'].includes(String(line.disposition ?? ''))

const standingOf = ({ tx, session, doc }: ActionContext) => tx<Standing[]>`
  select line_no, line_disposal_state as state, disposal_papers as documents from inspection_quality_line
    where org_id = ${session.org.id} and document_id = ${doc.id}`

/** Receipts that brought unqualified goods of the inspection into stock. */
const receivedOf = ({ tx, session, doc }: ActionContext) => tx<Received[]>`
  select l.source_line_no as line_no, d.sn, l.line_no as receipt_line_no,
    l.fields->>'unqualified_quantity' as unqualified, l.unit_codes, o.sn as order_sn
    from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
    left join document o on o.org_id = l.org_id and o.id = l.order_document_id and o.role = 'own'
      and o.state in ('reviewed', 'partial', 'completed')
   where l.org_id = ${session.org.id} and l.source_document_id = ${doc.id} and d.kind = 'purchaseGrn'
     and d.role = 'own' and d.red_of_id is null
     and d.state in ('reviewed', 'partial', 'completed')
       and coalesce((l.fields->>'unqualified_quantity')::numeric, 0) > 0
   order by d.id, l.line_no`

const lineOf = (row: Received) => ({
  source_line_no: row.receipt_line_no,
  quantity: row.unqualified,
  quality_state: 'unqualified',
  ...(row.unit_codes.length > 0 ? { unit_codes: row.unit_codes } : {}),
})

const why = (line: Line): string => String(line.unqualified_reason ?? '') || '验收不合格'

/**
 * Creates the documents by which unqualified goods leave the stock: one for each receipt that brought them.
 * Exchanged goods arrive on their order again, if there is one.
 */
async function createDocuments(ctx: Context, method: Method, lines: readonly Line[], rows: readonly Received[]) {
  const { tx, session, doc } = ctx
  const isExchange = (row: Received) => method === 'exchange' && row.order_sn !== null
  for (const own of Map.groupBy(rows, row => `${row.sn}/${isExchange(row)}`).values()) {
    const sn = own[0]!.sn
    const reason = [...new Set(own.map(row => why(lines.find(line => line.line_no === row.line_no)!)))].join('；')
    const from = { source_sn: sn, source_type: sourceTypes.GRN, remark: `验收单${doc.sn}不合格处置` }
    if (method === 'destroy')
      await createSystemDraft(
        tx,
        session,
        'scrap',
        { ...from, scrap_type: 'unqualified', scrap_reason: reason.slice(0, 200) },
        own.map(row => ({ ...lineOf(row), line_reason: '验收不合格' })),
      )
    else
      await createSystemDraft(
        tx,
        session,
        'purchaseReturn',
        {
          ...from,
          return_type: 'quality',
          is_exchange: isExchange(own[0]!),
          return_reason: `${disposalMethods[method]}：${reason}`.slice(0, 200),
        },
        own.map(lineOf),
      )
  }
}

/**
 * 换货 of goods that came without an order, or on a stopped one: ordered at their price, so that they may arrive
 * again.
 */
async function orderAgain({ tx, session, doc }: Context, lines: readonly Line[]): Promise<string> {
  const header = {
    counterparty_sn: doc.counterparty_sn,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
    regime: doc.regime,
    remark: `换货：验收单${doc.sn}的不合格品`,
  }
  return createSystemDraft(
    tx,
    session,
    'purchaseOrder',
    header,
    lines.map(line => ({
      specification_sn: line.specification_sn,
      unit_inner_sn: line.unit_inner_sn,
      quantity: badOf(line),
      price: line.price,
      tax_rate: line.tax_rate,
    })),
  )
}

/** By line, the orders on which exchanged goods arrive: the original one, or else one created for them. */
async function ordersOf(
  ctx: Context,
  lines: readonly Line[],
  rows: readonly Received[],
): Promise<ReadonlyMap<number, string>> {
  const known = Map.groupBy(
    rows.filter(row => row.order_sn !== null),
    row => row.line_no,
  )
  const rest = lines.filter(line => rows.some(row => row.line_no === line.line_no && row.order_sn === null))
  const drawn = rest.length > 0 ? await orderAgain(ctx, rest) : null
  return new Map(
    lines.map(({ line_no }) => [
      line_no,
      [
        ...new Set([
          ...(known.get(line_no) ?? []).map(row => row.order_sn!),
          ...(drawn && rest.some(line => line.line_no === line_no) ? [drawn] : []),
        ]),
      ].join('、'),
    ]),
  )
}

/** Goods sent back at inspection are settled once there is a proof that the supplier has them. */
function proved({ doc, session }: Context, line: Line): Line {
  const files = (doc.disposal_files ?? []) as readonly string[]
  if (doc.disposal_method && doc.disposal_method !== line.disposition)
    throw new BusinessError('rule', `第${line.line_no}行验收时已拒收，由供应商取回，处置方式请留空`)
  if (files.length === 0)
    throw new BusinessError('rule', `第${line.line_no}行已拒收，请上传供应商取回的凭证`, [
      { field: 'disposal_files', msg: '请上传供应商取回的凭证' },
    ])
  return {
    ...line,
    disposed_on: today(),
    disposed_by: session.userName,
    line_disposal_note: doc.disposal_note ?? null,
    disposal_proof: [...files],
  }
}

/** For lines in stock, the document to create, or the reason why there is none. */
function mustBeDrawable(lines: readonly StoredLine[], standing: readonly Standing[], received: readonly Received[]) {
  for (const { line_no } of lines) {
    const drawn = standing.find(row => row.line_no === line_no)?.documents
    if (drawn) throw new BusinessError('rule', `第${line_no}行已生成${drawn}，请在该单据上办理`)
    if (!received.some(row => row.line_no === line_no))
      throw new BusinessError('rule', `第${line_no}行尚未入库，请先审核采购入库单，再处置不合格品`)
  }
}

/**
 * 不合格处置 of the named lines. Goods in stock get the documents by which they leave; goods sent back at inspection get
 * their proof. The progress comes from those documents.
 */
export async function disposeLines(ctx: Context): Promise<void> {
  const { tx, session, definition, doc } = ctx
  const standing = await standingOf(ctx)
  const stateOf = (line: Line) => standing.find(row => row.line_no === line.line_no)?.state ?? null
  const open = doc.lines.filter(line => isPositive(badOf(line)) && stateOf(line) !== '3')
  // Without a choice: the waiting lines; if there are none, those the supplier is to collect.
  const waiting = open.filter(line => stateOf(line) === '1')
  const usual = (waiting.length > 0 ? waiting : open).map(line => line.line_no).join(',')
  const asked = { said: doc.disposal_lines || usual, field: 'disposal_lines' }
  const meant = namedLines(doc.lines, asked, open, '没有待处置的不合格品')
  const [away, here] = [true, false].map(back =>
    open.filter(line => meant.has(line.line_no) && wentBack(line) === back),
  ) as [Line[], Line[]]
  let exchange: ReadonlyMap<number, string> | null = null
  if (here.length > 0) {
    const method = doc.disposal_method as Method | null
    if (!method)
      throw new BusinessError('rule', '请选择处置方式', [{ field: 'disposal_method', msg: '请选择处置方式' }])
    const received = await receivedOf(ctx)
    mustBeDrawable(here, standing, received)
    const rows = received.filter(row => here.some(line => line.line_no === row.line_no))
    await createDocuments(ctx, method, here, rows)
    if (method === 'exchange') exchange = await ordersOf(ctx, here, rows)
  }
  const lines = doc.lines.map(line =>
    away.includes(line)
      ? proved(ctx, line)
      : here.includes(line)
        ? {
            ...line,
            line_disposal_note: doc.disposal_note ?? null,
            ...(exchange ? { exchange_no: exchange.get(line.line_no) } : {}),
          }
        : line,
  )
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(
    tx,
    session,
    doc,
    { disposal_lines: null, disposal_method: null, disposal_note: null, disposal_files: null },
    'withAction',
  )
}

/** Once goods are proved to be gone, the inspection cannot be undone. */
export async function refuseDisposed({ doc, spec }: Context): Promise<void> {
  if (doc.lines.some(line => line.disposed_on))
    throw new BusinessError('blocked', `已生成入库或已处置，不能${spec.label}`)
}
