import {
  byName,
  loadDocuments,
  patchDocument,
  patchLines,
  replaceLines,
  type StoredDocument,
  type StoredLine,
  totalsOfLines,
  transition,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { compare, type Decimal, isPositive, isZero, least, share, subtract, sum } from '#kernel/values/decimal.ts'
import { instant } from '#kernel/values/date.ts'
import { consignedAt, type Move, outside, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { leaseNoticeOut } from '#modules/trade/lease/notices/lease-notice-out.doc.ts'
import {
  codedSizes,
  codesOf,
  pieces,
  refuseAnnounced,
  without,
} from '#modules/trade/lease/notices/coded-goods.server.ts'
import { type Held, heldAt, leavingMoves, short } from '#modules/trade/lease/notices/held-goods.server.ts'
import { figure, inBaseUnits, withPlace } from '#modules/trade/lease/notices/notice-checks.server.ts'
import { checked, picked } from '#modules/trade/lease/notices/picking.server.ts'
import {
  checkReturnable,
  issueDelivery,
  issueReturns,
} from '#modules/trade/lease/notices/documents-of-shipment.server.ts'
import { serialsByCode } from '#server/public/stock.ts'
import { postDocument } from '#server/public/actions.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { markDeliveries, signerNote } from '#modules/trade/licensing/customer-signers.server.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { noteRefused } from '#modules/trade/lease/notices/refused-shipment.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof leaseNoticeOut>
type LeaseNoticeOut = TypedDocument<typeof leaseNoticeOut>
type Line = TypedLine<typeof leaseNoticeOut>

/** Gives each line a lot in stock: the typed one, otherwise those that expire first, on lines of their own. */
async function withLots(ctx: Context): Promise<LeaseNoticeOut> {
  if (ctx.doc.lot_rule === 'named' && ctx.doc.lines.some(line => !line.lot_no))
    throw new BusinessError('rule', '指定批号出库请填写每行的批号')
  const placed = await withPlace(ctx, 'receiver_name')
  const whom = { receiver_org_sn: placed.counterparty_sn }
  await patchDocument(ctx.tx, ctx.session, placed, whom, 'withAction')
  const doc = { ...placed, ...whom } as LeaseNoticeOut
  const held = (await heldAt({ ...ctx, doc })).map(row => ({ ...row }))
  const sizes = await codedSizes(ctx.tx, ctx.session.org.id, doc.lines)
  const lotOf = await lotsOfCodes(ctx, doc)
  let last = doc.lines.reduce((most, { line_no }) => Math.max(most, line_no), doc.last_line_no ?? 0)
  const lines = doc.lines.flatMap(line => {
    const fitting = held.filter(
      row =>
        row.specification_id === line.specification_sn &&
        (!line.lot_no || row.lot_no === line.lot_no) &&
        (line.unit_codes.length === 0 || line.unit_codes.some(code => lotOf.get(code) === row.lot_id)),
    )
    const is_coded = line.unit_codes.length > 0 || sizes.has(line.specification_sn ?? '')
    const available = sum(
      fitting.map(row => (isPositive(row.available) ? row.available : '0')),
      3,
    )
    if (compare(line.base_quantity, available) > 0) return short(line, line.lot_no ?? '', available)
    let left = line.base_quantity
    const parts: Line[] = []
    for (const row of fitting) {
      if (isZero(left) || !isPositive(row.available)) continue
      const unit_codes = line.unit_codes.filter(code => lotOf.get(code) === row.lot_id)
      const taken = least(left, row.available, ...(line.unit_codes.length > 0 ? [pieces(unit_codes)] : []))
      const part = partOf(line, row, taken, parts.length === 0 ? line.line_no : ++last)
      parts.push({ ...part, unit_codes, is_coded, picked: [], shipped: [], codes_now: [] } as unknown as Line)
      row.available = subtract(row.available, taken, 3)
      left = subtract(left, taken, 3)
    }
    return parts
  })
  const { tx, session, definition } = ctx
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  const { total_quantity, untaxed_amount, tax_amount, taxed_amount } = totalsOfLines(lines)
  const totals = { total_quantity, untaxed_amount, tax_amount, taxed_amount }
  const counts = { line_count: lines.length, last_line_no: last }
  await patchDocument(tx, session, doc, { ...totals, ...counts, notice_state: null }, 'withAction')
  return { ...doc, ...totals, ...counts, lines }
}

/** The lot of each named piece; refuses pieces that are not with the lessor, or already announced to leave. */
async function lotsOfCodes({ tx, session }: Context, doc: LeaseNoticeOut): Promise<ReadonlyMap<string, string>> {
  const codes = doc.lines.flatMap(line => line.unit_codes)
  if (codes.length === 0) return new Map()
  const known = await serialsByCode(tx, session.org.id, codes)
  const away = codes.find(code => {
    const unit = known.get(code)
    const isThere = unit?.status === 'in_stock' && unit.ended === null && unit.holder_org_id === String(doc.lessor_sn)
    return !isThere || unit.owner_id !== session.org.id
  })
  if (away) throw new BusinessError('unitNotHere', `院内码${away}不在出租方的库区，请核对后重新扫描`)
  await refuseAnnounced(tx, session, doc, codes)
  return new Map([...known].map(([code, unit]) => [code, unit.lot_id]))
}

/** The part of a line that one lot supplies. */
function partOf(line: StoredLine, row: Held, taken: Decimal, line_no: number): StoredLine {
  const named = {
    line_no,
    lot_id: row.lot_id,
    lot_no: row.lot_no,
    expiry_date: row.expiry_date,
    available_quantity: row.available,
  }
  if (compare(taken, line.base_quantity) === 0) return { ...line, ...named } as StoredLine
  const part = (amount: Decimal) => share(amount, taken, line.base_quantity, 2)
  return {
    ...line,
    ...named,
    unit_inner_sn: null,
    quantity: taken,
    base_quantity: taken,
    taxed_amount: part(line.taxed_amount),
    untaxed_amount: part(line.untaxed_amount),
    tax_amount: part(line.tax_amount),
  } as StoredLine
}

/**
 * The tenant's document must name the store that receives the goods: its own store, or the rented one for goods that go
 * on to others.
 */
async function checkStore({ tx, session, doc }: Context): Promise<void> {
  const [row] = await tx<{ model: string }[]>`
    select model from warehouse where org_id = ${session.org.id} and id = ${doc.warehouse_model_inner_sn}`
  if (doc.notice_type === 'transfer' && row?.model === 'leased')
    throw new BusinessError('rule', '调拨出库请选择货物调入的本机构仓库')
  if (doc.notice_type !== 'transfer' && row?.model !== 'leased')
    throw new BusinessError('rule', '请选择本机构登记的租赁库（仓库建模中类型为租赁库）')
}

async function leaving({ tx, session, doc }: Context): Promise<LeaseNoticeOut> {
  if (doc.notice_state !== 'checked') throw new BusinessError('rule', '请先完成出库复核')
  const lines = doc.lines.map(line => ({
    ...line,
    shipped_now: subtract(figure(line, 'picked_quantity'), figure(line, 'shipped_quantity'), 3),
    shipped_quantity: figure(line, 'picked_quantity'),
    codes_now: without(codesOf(line, 'picked'), codesOf(line, 'shipped')),
    shipped: codesOf(line, 'picked'),
    under_way: [...codesOf(line, 'under_way'), ...without(codesOf(line, 'picked'), codesOf(line, 'shipped'))],
  })) as readonly Line[]
  await patchLines(
    tx,
    session,
    doc,
    lines.map(({ line_no, shipped_now, shipped_quantity, codes_now, shipped, under_way }) => ({
      line_no,
      values: { shipped_now, shipped_quantity, codes_now, shipped, under_way },
    })),
    'withAction',
  )
  const values = {
    notice_state: null,
    shipped_total: sum(
      lines.map(line => figure(line, 'shipped_quantity')),
      3,
    ),
    shipped_at: instant(),
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  const isWhole = lines.every(line => compare(figure(line, 'shipped_quantity'), line.base_quantity) >= 0)
  return { ...doc, ...values, lines, state: isWhole ? 'completed' : 'partial' } as LeaseNoticeOut
}

/** The notice with the pieces that it ships now, because the posting follows the pieces on its lines. */
const withCodesNow = (doc: StoredDocument): StoredDocument => ({
  ...doc,
  lines: doc.lines.map(line => ({ ...line, unit_codes: codesOf(line, 'codes_now') })),
})

/** The goods leave the lessor's warehouse, place by place. */
async function ship(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc } = ctx
  // Pieces are in transit until the tenant's books have them: the tenant answers in its own transaction.
  const moves = await leavingMoves(ctx, { step: 'ship', to: transit(doc.sn) }, line => ({
    quantity: figure(line, 'shipped_now'),
    codes: codesOf(line, 'codes_now'),
  }))
  await postDocument(tx, session, definition, withCodesNow(doc), { moves })
}

/** At the tenant: the goods are no longer at the lessor, and leave by the tenant's own delivery or return. */
async function noteShipped(tx: Tx, session: Session, doc: LeaseNoticeOut, from: string): Promise<void> {
  const [now] = await loadDocuments(tx, session.org.id, [doc.id])
  const lines = now!.lines.filter(line => isPositive(figure(line, 'shipped_now')))
  const moves = lines.map(
    (line): Move => ({
      line_no: line.line_no,
      step: 'transfer_in',
      quantity: figure(line, 'shipped_now'),
      traced: codesOf(line, 'codes_now').length > 0,
      from: consignedAt(from),
      to: store(now!.warehouse_model_inner_sn),
      owner: session.org.id,
      quality: 'qualified',
    }),
  )
  const goods = withCodesNow(now!)
  await postDocument(tx, session, { ...leaseNoticeOut, posting: { stockDirection: 'none' } }, goods, { moves })
  if (lines.some(line => codesOf(line, 'codes_now').length > 0))
    await sendUpdate(tx, session, now!, [from], {
      label: '承租方已接收出库',
      text: null,
      sets: { taken_at: byName(now!).shipped_at },
    })
  const isWhole = now!.lines.every(line => compare(figure(line, 'shipped_quantity'), line.base_quantity) >= 0)
  await transition(tx, session, doc, {
    action: 'confirm',
    label: '出租方出库确认',
    from: ['reviewed', 'partial'],
    to: isWhole ? 'completed' : 'partial',
  })
  if (byName(now!).notice_type === 'sale') await issueDelivery(tx, session, now!, lines)
  if (byName(now!).notice_type === 'purchase_return') await issueReturns(tx, session, now!, lines)
}

/** 生成物流单: shipped goods that are on no shipment yet, to their receiver. */
async function withShipment({ tx, session, doc }: Context): Promise<LeaseNoticeOut> {
  const lines = doc.lines
    .filter(line => isPositive(figure(line, 'shipped_quantity')))
    .map(line => ({
      source_line_no: line.line_no,
      quantity: figure(line, 'shipped_quantity'),
      unit_codes: codesOf(line, 'shipped'),
      ...inBaseUnits(line),
    }))
  if (!doc.receiver_org_sn) throw new BusinessError('rule', '该通知没有收货单位，不能生成物流单')
  if (doc.logistics_sn) throw new BusinessError('rule', `已生成物流单${String(doc.logistics_sn)}`)
  const header = { source_type: sourceTypes.LEASE_NOTICE, source_sn: doc.sn, source_org_sn: doc.from_org_id }
  const logistics_sn = await createSystemDraft(tx, session, 'logistics', header, lines)
  await patchDocument(tx, session, doc, { logistics_sn }, 'withAction')
  return { ...doc, logistics_sn } as LeaseNoticeOut
}

/**
 * The customer signed for the lessor's shipment: the signer is checked against the customer's letters in the tenant's
 * archive.
 */
async function noteSignedFor(tx: Tx, session: Session, doc: LeaseNoticeOut): Promise<void> {
  const [now] = await loadDocuments(tx, session.org.id, [doc.id])
  const note = await signerNote(tx, session, byName(now!).receiver_org_sn as string | null, byName(now!).signed_by)
  if (note === null) return
  const deliveries = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and kind = 'saleOdo' and role = 'own'
      and sn = any(string_to_array(${String(byName(now!).delivery_sn ?? '')}, '、'))`
  await markDeliveries(
    tx,
    session,
    deliveries.map(each => each.id),
    note,
  )
  await sendMessage(tx, session.org.id, {
    title: '签收人未在委托书中',
    body: `出库通知${now!.sn}：${note}，请与客户核实`,
    uri: 'leaseNoticeOut',
    objectId: now!.sn,
    kind: 'leaseNoticeOut',
  })
}

/** At the lessor: ends the transit of the pieces shipped last, once the tenant's books have them. */
async function closeWay(tx: Tx, session: Session, copy: string): Promise<void> {
  const [doc] = await loadDocuments(tx, session.org.id, [copy])
  const gone = doc!.lines.filter(line => codesOf(line, 'under_way').length > 0)
  if (gone.length === 0 || byName(doc!).taken_at !== byName(doc!).shipped_at) return
  const moves = gone.map(
    (line): Move => ({
      line_no: line.line_no,
      step: 'ship',
      quantity: pieces(codesOf(line, 'under_way')),
      traced: false,
      from: transit(doc!.sn),
      to: outside(doc!.counterparty_sn),
      owner: doc!.counterparty_sn,
      quality: 'qualified',
    }),
  )
  const goods = { ...doc!, lines: gone.map(line => ({ ...line, unit_codes: codesOf(line, 'under_way') })) }
  await postDocument(tx, session, { ...leaseNoticeOut, posting: { stockDirection: 'none' } }, goods, { moves })
  const closed = gone.map(({ line_no }) => ({ line_no, values: { under_way: null } }))
  await patchLines(tx, session, doc!, closed, 'derived')
}

export const leaseNoticeOutRules = documentHooks(leaseNoticeOut, {
  prepare: { submit: withLots, pick: picked, check: checked, confirm: leaving, toLogistics: withShipment },
  validate: { submit: [checkStore, checkReturnable] },
  afterAction: { confirm: ship },
  onUpdated: closeWay,
  onPartnerAction: { confirm: noteShipped, refused: noteRefused, signed: noteSignedFor },
})
