import {
  loadDocuments,
  ofKind,
  patchDocument,
  patchLines,
  type StoredDocument,
  type StoredLine,
  transition,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import type { Id } from '#kernel/definition/field.ts'
import { compare, type Decimal, isPositive, isZero, plain, share, subtract, sum } from '#kernel/values/decimal.ts'
import { instant } from '#kernel/values/date.ts'
import { consignedAt, type Move, outside, store, transit } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { leaseNoticeIn } from '#modules/trade/lease/notices/lease-notice-in.doc.ts'
import {
  checkGoods,
  checkPermit,
  checkStorage,
  figure,
  figuresOf,
  letArea,
  needsRunningLease,
  patchedLines,
  rentedArea,
  withPlace,
} from '#modules/trade/lease/notices/notice-checks.server.ts'
import {
  checkCodes,
  codesOf,
  pieces,
  putUnderWay,
  refuseUnknown,
  releaseAnnounced,
  scannedCodes,
  without,
} from '#modules/trade/lease/notices/coded-goods.server.ts'
import { partsOf, type Place } from '#modules/trade/lease/notices/held-goods.server.ts'
import { draftReceipt } from '#modules/trade/lease/notices/receipts-of-notice.server.ts'
import {
  bookedRed,
  checkRed,
  isRed,
  noteTakenOut,
  refuseEditOfRed,
  takeOut,
  writeRedNotice,
} from '#modules/trade/lease/notices/red-notice.server.ts'
import { postDocument } from '#server/public/actions.ts'
import type { Session } from '#server/public/session.ts'
import { keepLotDates } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof leaseNoticeIn>
type LeaseNoticeIn = TypedDocument<typeof leaseNoticeIn>
type Line = TypedLine<typeof leaseNoticeIn>

/** Goods that leave by a red notice are checked against the receipt that they take back, not against today's rules. */
const unlessRed =
  (check: (ctx: Context) => Promise<void>) =>
  async (ctx: Context): Promise<void> =>
    isRed(ctx.doc) ? undefined : check(ctx)

/** A tenant may announce only goods that it may store, to an area that it rents, under valid licences. */
async function checkAnnounced(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const place = await rentedArea(tx, session.org.id, doc.rented_area_sn)
  await checkStorage(tx, doc.lines, place)
  await checkGoods(tx, doc.lines, null, '提交通知')
  await checkPermit(tx, session.org.id, session.org.id, '提交通知')
}

/** The tenant's document must name a store of the fitting kind: the one that the goods come from, or the rented one. */
async function checkStore({ tx, session, doc }: Context): Promise<void> {
  const [row] = await tx<{ model: string }[]>`
    select model from warehouse where org_id = ${session.org.id} and id = ${doc.warehouse_model_inner_sn}`
  const isRented = row?.model === 'leased'
  if (doc.notice_type === 'transfer' && isRented) throw new BusinessError('rule', '调拨入库请选择货物调出的本机构仓库')
  if (doc.notice_type !== 'transfer' && !isRented)
    throw new BusinessError('rule', '请选择本机构登记的租赁库（仓库建模中类型为租赁库）')
  if (doc.notice_type !== 'transfer') return
  const held = await tx<{ specification_id: string; lot_no: string; available: Decimal }[]>`
    select specification_id, lot_no, sum(available)::numeric(18,3)::text as available from stock_on_hand
     where org_id = ${session.org.id} and warehouse_id = ${doc.warehouse_model_inner_sn} and owner_org_id = org_id
       and specification_id = any(${doc.lines.flatMap(line => line.specification_sn ?? [])}::bigint[])
     group by 1, 2`
  for (const line of doc.lines) {
    const found = held.find(
      one => one.specification_id === line.specification_sn && one.lot_no === line.lot_no,
    )?.available
    if (compare(line.base_quantity, found ?? '0') > 0)
      throw new BusinessError(
        'stockShort',
        `库存不足：${line.product_name ?? ''} ${line.specification_name ?? ''} 批号${line.lot_no ?? ''} ` +
          `可用${plain(found ?? '0')}，需要${plain(line.base_quantity)}`,
      )
  }
}

type Scan = { readonly arrived: readonly string[]; readonly refused: readonly string[] }

/** The pieces that were scanned on arrival, out of those announced and not counted yet. */
async function scannedAt({ doc, dialogValues: said = {} }: ActionContext): Promise<Scan> {
  const scan = {
    arrived: scannedCodes(said.arrived_codes),
    refused: scannedCodes(said.refused_scan),
  }
  const both = scan.arrived.find(code => scan.refused.includes(code))
  if (both) throw new BusinessError('rule', `院内码${both}不能同时收货和拒收`)
  const counted = doc.lines.flatMap(line => [...codesOf(line, 'received_codes'), ...codesOf(line, 'refused_codes')])
  const announced = doc.lines.flatMap(line => line.unit_codes)
  const all = [...scan.arrived, ...scan.refused]
  refuseUnknown(all, announced, '不在入库通知中，请核对后重新扫描')
  refuseUnknown(all, without(announced, counted), '已登记收货或拒收')
  return scan
}

/** The pieces of a line of coded goods that arrived: the scanned pieces, or all open ones except those refused. */
/** The goods of a line of a notice that came: their quantities, and the codes of coded ones. */
type Came = {
  readonly line: Line
  readonly received: Decimal
  readonly refused: Decimal
  readonly codes: { readonly received_codes?: readonly string[]; readonly refused_codes?: readonly string[] }
}

function cameByCode(line: Line, said: ReturnType<typeof figuresOf>, { arrived, refused }: Scan): Came[] {
  if (said?.some(each => each.line_no === line.line_no)) {
    const msg = `第${line.line_no}行为一物一码产品，请扫码收货`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  }
  const before = [codesOf(line, 'received_codes'), codesOf(line, 'refused_codes')] as const
  const open = without(line.unit_codes, ...before)
  const away = open.filter(code => refused.includes(code))
  const isWhole = arrived.length === 0 && said === null
  const here = isWhole ? without(open, away) : open.filter(code => arrived.includes(code))
  if (away.length + here.length === 0) return []
  const codes = { received_codes: [...before[0], ...here], refused_codes: [...before[1], ...away] }
  return [{ line, received: pieces(here), refused: pieces(away), codes }]
}

/**
 * Stores the quantities counted at the door, as typed by line, or everything that was announced and is not counted yet.
 */
async function counted(ctx: Context): Promise<LeaseNoticeIn> {
  const { tx, session, doc, dialogValues = {} } = ctx
  const said = figuresOf(doc, dialogValues.arrived_lines)
  const open = (line: Line) =>
    subtract(line.base_quantity, sum([figure(line, 'received_quantity'), figure(line, 'refused_quantity')], 3), 3)
  const scan = await scannedAt(ctx)
  const came = doc.lines.flatMap((line): Came[] => {
    if (line.unit_codes.length > 0) return cameByCode(line, said, scan)
    const typed = said?.find(each => each.line_no === line.line_no)?.figures
    const [received = '0', refused = '0'] = said === null ? [open(line)] : (typed ?? ['0'])
    if (compare(sum([received, refused], 3), open(line)) > 0)
      throw new BusinessError('rule', `第${line.line_no}行：实收数量超过通知数量${plain(line.base_quantity)}`, [
        { line: line.line_no, field: 'received_quantity', msg: `实收数量超过通知数量${plain(line.base_quantity)}` },
      ])
    return isZero(received) && isZero(refused) ? [] : [{ line, received, refused, codes: {} }]
  })
  if (came.length === 0) throw new BusinessError('rule', '货物已全部登记收货')
  const why = typeof dialogValues.refused_why === 'string' ? dialogValues.refused_why.trim() : ''
  if (came.some(({ refused }) => !isZero(refused)) && why === '') throw new BusinessError('rule', '请填写拒收原因')
  const area = await letArea(ctx)
  const place = typeof dialogValues.put_location === 'string' ? dialogValues.put_location.trim() : ''
  if (place !== '') await checkPlace(ctx, area, place)
  const patches = came.map(({ line, received, refused, codes }) => ({
    line_no: line.line_no,
    values: {
      ...codes,
      received_quantity: sum([figure(line, 'received_quantity'), received], 3),
      refused_quantity: sum([figure(line, 'refused_quantity'), refused], 3),
      refuse_reason: isZero(refused) ? (line.refuse_reason ?? null) : why,
      place: place === '' ? (line.place ?? area.area_code) : place,
    },
  }))
  const lines = await patchedLines(ctx, patches)
  const totals = {
    received_total: sum(
      lines.map(line => figure(line, 'received_quantity')),
      3,
    ),
    refused_total: sum(
      lines.map(line => figure(line, 'refused_quantity')),
      3,
    ),
    received_by: session.userName,
  }
  await patchDocument(tx, session, doc, totals, 'withAction')
  return { ...doc, ...totals, lines } as LeaseNoticeIn
}

async function checkPlace(
  { tx, session }: ActionContext,
  area: { readonly warehouse_id: string; readonly area_code: string },
  place: string,
): Promise<void> {
  const [known] = await tx`
    select 1 from shelf_place where org_id = ${session.org.id} and warehouse_id = ${area.warehouse_id}
      and code = ${place} and status = 'enabled'`
  if (place !== area.area_code && (!known || !place.startsWith(`${area.area_code}-`)))
    throw new BusinessError('rule', `货位${place}不在库区${area.area_code}中`)
}

/**
 * Books the goods that were counted and are not in stock yet; the notice is completed once nothing more is expected.
 */
async function booked(ctx: Context): Promise<StoredDocument> {
  const { tx, session, doc } = ctx
  if (isRed(doc)) return bookedRed(ctx)
  const lines = doc.lines.map(line => ({
    ...line,
    booked_now: subtract(figure(line, 'received_quantity'), figure(line, 'booked_quantity'), 3),
    booked_quantity: figure(line, 'received_quantity'),
    codes_now: without(codesOf(line, 'received_codes'), codesOf(line, 'booked_codes')),
    booked_codes: codesOf(line, 'received_codes'),
  })) as readonly Line[]
  if (!lines.some(line => isPositive(figure(line, 'booked_now'))) && doc.lines.some(line => !isDone(line)))
    throw new BusinessError('rule', '没有已登记收货而未入库的货物，请先收货登记')
  await patchLines(
    tx,
    session,
    doc,
    lines.map(({ line_no, booked_now, booked_quantity, codes_now, booked_codes }) => ({
      line_no,
      values: { booked_now, booked_quantity, codes_now, booked_codes },
    })),
    'withAction',
  )
  const state = lines.every(isDone) ? 'completed' : 'partial'
  const done_at = state === 'completed' ? instant() : null
  if (done_at !== null) await patchDocument(tx, session, doc, { done_at }, 'withAction')
  return { ...doc, lines, state, ...(done_at === null ? {} : { done_at }) } as LeaseNoticeIn
}

const isDone = (line: StoredLine): boolean =>
  compare(sum([figure(line, 'received_quantity'), figure(line, 'refused_quantity')], 3), line.base_quantity) >= 0

/** The licences of the tenant, the goods and the place are checked again when the goods arrive. */
async function checkArriving(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const area = await letArea(ctx)
  if (!['running', 'ending'].includes(area.contract_state)) throw new BusinessError('rule', '承租合同已到期，不能入库')
  await checkStorage(tx, doc.lines, area)
  await checkGoods(tx, doc.lines, area.device_scope, '入库')
  await checkPermit(tx, session.org.id, String(doc.counterparty_sn), '入库')
}

/** Books the goods into the lessor's warehouse, as the tenant's property. */
async function takeIn(ctx: Context): Promise<void> {
  const { tx, session, definition, doc } = ctx
  if (isRed(doc)) return takeOut(ctx)
  const area = await letArea(ctx)
  const moves = doc.lines
    .filter(line => isPositive(figure(line, 'booked_now')))
    .map(
      (line): Move => ({
        line_no: line.line_no,
        step: 'receive',
        quantity: figure(line, 'booked_now'),
        ...(line.unit_codes.length > 0 ? { codes: codesOf(line, 'codes_now') } : {}),
        from: outside(doc.counterparty_sn),
        tracedFrom: outside((doc.sender_sn as Id<'organisation'> | null | undefined) ?? doc.counterparty_sn),
        to: store(area.warehouse_id, String(line.place ?? area.area_code)),
        owner: doc.counterparty_sn,
        quality: 'qualified',
      }),
    )
  if (moves.length > 0) await postDocument(tx, session, definition, doc, { moves })
}

/**
 * Books the receipt at the tenant: the goods are stored with the lessor, and for a purchase the tenant owes for them.
 */
async function noteTakenIn(tx: Tx, session: Session, doc: LeaseNoticeIn, from: string): Promise<void> {
  const [stored] = await loadDocuments(tx, session.org.id, [doc.id])
  if (isRed(stored!)) return noteTakenOut(tx, session, stored!, from)
  const now = ofKind(leaseNoticeIn, stored!)
  const lines = now.lines.filter(line => isPositive(figure(line, 'booked_now')))
  const isDoneNow = now.lines.every(isDone)
  if (lines.length > 0) {
    await keepLotDates(
      tx,
      session.org.id,
      lines.flatMap(({ lot_id, specification_sn, lot_no, production_date, expiry_date }) =>
        lot_id && specification_sn
          ? [{ lot_id, specification_id: specification_sn, lot_no: lot_no ?? '', production_date, expiry_date }]
          : [],
      ),
    )
    const moves =
      now.notice_type === 'transfer'
        ? await outOfStore(tx, session, now, lines, from)
        : lines.map(
            (line): Move => ({
              line_no: line.line_no,
              step: 'transfer_out',
              quantity: figure(line, 'booked_now'),
              traced: false,
              from: outside(from),
              to: consignedAt(from),
              value: valueOf(line, figure(line, 'booked_now')),
            }),
          )
    await postDocument(tx, session, { ...leaseNoticeIn, posting: { stockDirection: 'none' } }, now, { moves })
    if (now.notice_type === 'purchase') await draftReceipt(tx, session, now, lines)
  }
  await transition(tx, session, doc, {
    action: 'confirm',
    label: '出租方入库确认',
    from: ['reviewed', 'partial'],
    to: isDoneNow ? 'completed' : 'partial',
  })
}

/** Goods of the tenant's own store leave it from any place in it; coded pieces are in transit already. */
async function outOfStore(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  lines: readonly StoredLine[],
  to: string,
): Promise<Move[]> {
  const there = await tx<Place[]>`
    select lot_id, location, warehouse_id, sum(available)::numeric(18,3)::text as quantity from stock_on_hand
     where org_id = ${session.org.id} and warehouse_id = ${doc.warehouse_model_inner_sn} and owner_org_id = org_id
       and quality_state = 'qualified' and lot_id = any(${lines.flatMap(line => line.lot_id ?? [])}::bigint[])
     group by 1, 2, 3 order by location`
  const [coded, plain] = [lines.filter(isCoded), lines.filter(line => !isCoded(line))]
  const wanted = (line: StoredLine) => ({ quantity: figure(line, 'booked_now'), codes: [] })
  const left = (line: StoredLine, quantity: Decimal, from: Move['from']): Move => ({
    line_no: line.line_no,
    step: 'transfer_out',
    quantity,
    traced: false,
    from,
    to: consignedAt(to),
  })
  return [
    ...coded.map(line => left(line, figure(line, 'booked_now'), transit(doc.sn))),
    ...partsOf(plain, there, new Map(), wanted).map(({ line, quantity, place }) =>
      left(line, quantity, store(place.warehouse_id, place.location)),
    ),
  ]
}

const isCoded = (line: StoredLine): boolean => line.unit_codes.length > 0

/** The untaxed value, as traders value stock, for the received share of the line. */
const valueOf = (line: StoredLine, quantity: Decimal): Decimal =>
  isZero(line.base_quantity) ? '0.00' : share(line.untaxed_amount, quantity, line.base_quantity, 2)

/** Announced pieces that the tenant withdraws, or that the lessor does not accept, are back in their earlier place. */
const released = async ({ tx, session, doc }: ActionContext): Promise<void> =>
  isRed(doc) ? undefined : releaseNow(tx, session, doc)

/** The same with the notice as it is now: the lessor's answer may just have been written. */
async function releaseNow(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  which?: (line: StoredLine) => readonly string[],
): Promise<void> {
  const [now] = await loadDocuments(tx, session.org.id, [doc.id])
  if (!isRed(now!)) await releaseAnnounced(tx, session, now!, which)
}

/** Adds the sender of bought goods: the lessor takes the pieces from the sender's delivery. */
async function withSender(ctx: ActionContext): Promise<StoredDocument> {
  const placed = await withPlace(ctx, 'supplier_name')
  const sender = { sender_sn: placed.source_org_sn }
  await patchDocument(ctx.tx, ctx.session, placed, sender, 'withAction')
  return { ...placed, ...sender } as StoredDocument
}

export const leaseNoticeInRules = documentHooks(leaseNoticeIn, {
  prepare: { submit: withSender, receive: counted, confirm: booked },
  validate: {
    submit: [
      unlessRed(needsRunningLease),
      unlessRed(checkCodes),
      unlessRed(checkAnnounced),
      unlessRed(checkStore),
      async ctx => (isRed(ctx.doc) ? checkRed(ctx) : undefined),
    ],
    accept: unlessRed(checkArriving),
    confirm: unlessRed(checkArriving),
  },
  afterEdit: refuseEditOfRed,
  afterAction: {
    stop: released,
    confirm: takeIn,
    redNotice: writeRedNotice,
  },
  onPartnerAction: {
    confirm: noteTakenIn,
    receive: (tx, session, doc) => releaseNow(tx, session, doc, line => codesOf(line, 'refused_codes')),
    accept: async (tx, session, doc) => (isRed(doc) ? undefined : putUnderWay(tx, session, doc)),
  },
  printFields: async (_tx, _session, info) =>
    info.notice_type === 'red' ? { sheet_title: '红冲入库通知单', red: true } : {},
})
