import {
  byName,
  loadDocuments,
  ofKind,
  patchDocument,
  patchLines,
  type StoredDocument,
  type StoredLine,
  transition,
} from '#server/public/documents.ts'
import { compare, type Decimal, isPositive, isZero, negate, plain, subtract, sum } from '#kernel/values/decimal.ts'
import { instant } from '#kernel/values/date.ts'
import { consignedAt, type Move, outside, store } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  codesOf,
  homeMoves,
  pieces,
  refuseUnknown,
  scannedCodes,
  takeBackTrace,
  without,
} from '#modules/trade/lease/notices/coded-goods.server.ts'
import { heldAt, leavingMoves, short } from '#modules/trade/lease/notices/held-goods.server.ts'
import { leaseNoticeIn } from '#modules/trade/lease/notices/lease-notice-in.doc.ts'
import { figure, figuresOf, perBaseUnit } from '#modules/trade/lease/notices/notice-checks.server.ts'
import { receiptsAfterRed } from '#modules/trade/lease/notices/receipts-of-notice.server.ts'
import { postDocument } from '#server/public/actions.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** 红冲入库通知: goods that were taken in by mistake leave both books again, by a notice with negative quantities. */
export const isRed = (doc: StoredDocument): boolean => byName(doc).notice_type === 'red'

type Announced = ReadonlyMap<number, { readonly quantity: Decimal; readonly codes: readonly string[] }>

/** The quantities and codes that valid red notices take back of each line of a notice, under the line's own number. */
async function announcedRed(tx: Tx, org: string, sn: string, except: string): Promise<Announced> {
  const rows = await tx<{ line_no: number; quantity: Decimal; codes: string[] }[]>`
    select l.line_no, (-sum(l.base_quantity))::numeric(18,3)::text as quantity,
           array(select c.code from document_line x cross join unnest(x.unit_codes) as c(code)
                  where x.org_id = ${org} and x.line_no = l.line_no and x.document_id = any(array_agg(d.id))) as codes
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'leaseNoticeIn' and d.role = 'own' and d.id <> ${except}
       and d.fields->>'reverses_sn' = ${sn} and d.state not in ('cancelled', 'deleted', 'stopped')
     group by l.line_no`
  return new Map(rows.map(row => [row.line_no, row]))
}

/** The quantity of a line that is booked and that no red notice takes back yet. */
const reversible = (line: StoredLine, announced: Announced): Decimal =>
  subtract(figure(line, 'booked_quantity'), announced.get(line.line_no)?.quantity ?? '0', 3)

/** Which of its pieces. */
const reversibleCodes = (line: StoredLine, announced: Announced): readonly string[] =>
  without(codesOf(line, 'booked_codes'), announced.get(line.line_no)?.codes ?? [])

function refuseBeyond(line: StoredLine, asked: Decimal, left: Decimal): void {
  if (compare(asked, left) <= 0) return
  const msg = `第${line.line_no}行：红冲数量${plain(asked)}超过可红冲数量${plain(left)}（已入库减已红冲）`
  throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'quantity', msg }])
}

/** The pieces of a line that leave again: the scanned ones, or all if none were scanned. */
function partByCode(
  line: StoredLine,
  left: readonly string[],
  said: ReturnType<typeof figuresOf>,
  scanned: readonly string[],
) {
  if (said?.some(each => each.line_no === line.line_no)) {
    const msg = `第${line.line_no}行为一物一码产品，请扫红冲的码`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  }
  const codes = said === null && scanned.length === 0 ? left : left.filter(code => scanned.includes(code))
  return codes.length === 0 ? [] : [{ line, asked: pieces(codes), codes }]
}

/** 红冲入库: creates the red notice over some lines or over everything booked, and submits it to the lessor at once. */
export async function writeRedNotice(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, dialogValues = {} } = ctx
  const said = figuresOf(doc, dialogValues.red_lines)
  const announced = await announcedRed(tx, session.org.id, doc.sn, '0')
  const scanned = scannedCodes(dialogValues.red_codes)
  const open = doc.lines.flatMap(line => reversibleCodes(line, announced))
  refuseUnknown(scanned, open, '不在该通知已入库的货物中，或已红冲')
  const parts = doc.lines.flatMap(line => {
    if (line.unit_codes.length > 0) return partByCode(line, reversibleCodes(line, announced), said, scanned)
    const left = reversible(line, announced)
    const isAll = said === null && scanned.length === 0
    const asked = isAll ? left : (said?.find(each => each.line_no === line.line_no)?.figures[0] ?? '0')
    refuseBeyond(line, asked, left)
    return isPositive(asked) ? [{ line, asked, codes: [] as readonly string[] }] : []
  })
  if (parts.length === 0) throw new BusinessError('rule', '该通知入库的货物已全部红冲，没有可红冲的数量')
  const header = {
    notice_type: 'red',
    reverses_sn: doc.sn,
    rented_area_sn: byName(doc).rented_area_sn,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
    counterparty_sn: doc.counterparty_sn,
    remark: ctx.reason,
  }
  const lines = parts.map(({ line, asked, codes }) => ({
    line_no: line.line_no,
    specification_sn: line.specification_sn,
    lot_no: line.lot_no,
    production_date: line.production_date,
    expiry_date: line.expiry_date,
    location: line.location,
    unit_codes: codes,
    quantity: negate(asked),
    price: perBaseUnit(line),
    tax_rate: line.tax_rate,
  }))
  const red = await createSystemDraft(tx, session, 'leaseNoticeIn', header, lines)
  const all = [byName(doc).red_sns, red].filter(Boolean).join('、').slice(0, 200)
  await patchDocument(tx, session, doc, { red_sns: all }, 'withAction')
  await ctx.runAction('leaseNoticeIn', red, 'submit')
}

/** A red notice takes back no more than its notice brought in, and only goods still stored with the lessor. */
export async function checkRed(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (!byName(doc).reverses_sn) throw new BusinessError('rule', '红冲入库请在原入库通知上点【红冲入库】生成')
  const [row] = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and kind = 'leaseNoticeIn' and role = 'own'
      and sn = ${String(byName(doc).reverses_sn)} for update`
  const [original] = await loadDocuments(tx, session.org.id, row ? [row.id] : [])
  if (!original) throw new BusinessError('rule', `原入库通知${String(byName(doc).reverses_sn)}不存在，不能红冲`)
  const announced = await announcedRed(tx, session.org.id, original.sn, doc.id)
  for (const line of doc.lines) {
    const from = original.lines.find(each => each.line_no === line.line_no)
    if (!from || from.lot_id !== line.lot_id || !isPositive(negate(line.base_quantity)))
      throw new BusinessError('rule', `第${line.line_no}行与原入库通知${original.sn}不符，请作废后重新红冲`)
    refuseBeyond(line, negate(line.base_quantity), reversible(from, announced))
    refuseUnknown(line.unit_codes, reversibleCodes(from, announced), '不在原入库通知已入库的货物中，或已红冲')
  }
  const held = (await heldAt(ctx)).map(each => ({ ...each }))
  for (const line of doc.lines) {
    const there = held.find(each => each.lot_id === line.lot_id)
    const needed = negate(line.base_quantity)
    if (!there || compare(needed, there.available) > 0)
      short(line, line.lot_no ?? '', isPositive(there?.available ?? '0') ? there!.available : '0', needed)
    else there.available = subtract(there.available, needed, 3)
  }
}

/** Nobody may edit a red notice, because it repeats its notice. */
export async function refuseEditOfRed(_tx: Tx, _session: Session, before: StoredDocument): Promise<void> {
  if (isRed(before))
    throw new BusinessError('rule', `红冲入库通知${before.sn}按原入库通知生成，不能修改；请作废后在原通知上重新红冲`)
}

/** At the lessor: everything on the red notice is taken out in one step. */
export async function bookedRed({ tx, session, doc }: ActionContext): Promise<StoredDocument> {
  const lines = doc.lines.map(line => ({
    ...line,
    codes_now: line.unit_codes,
    booked_now: line.base_quantity,
    booked_quantity: line.base_quantity,
    received_quantity: line.base_quantity,
    refused_quantity: '0.000',
  }))
  const patches = lines.map(({ line_no, booked_now, booked_quantity, received_quantity, refused_quantity }) => ({
    line_no,
    values: { booked_now, booked_quantity, received_quantity, refused_quantity },
  }))
  await patchLines(tx, session, doc, patches, 'withAction')
  const values = { received_total: doc.total_quantity, received_by: session.userName, done_at: instant() }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values, lines, state: 'completed' } as StoredDocument
}

const codedOf = ({ lines }: StoredDocument) => ({
  lines: lines.flatMap(line => (line.unit_codes.length > 0 ? line.line_no : [])),
  codes: lines.flatMap(line => line.unit_codes),
})

/** The goods leave the lessor's warehouse from their present places. */
export async function takeOut(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc } = ctx
  const wanted = (line: StoredLine) => ({ quantity: negate(line.base_quantity), codes: line.unit_codes })
  // Pieces are not returned: their receipt is taken back.
  const moves = await leavingMoves(ctx, { step: 'return', traced: false }, wanted)
  await postDocument(tx, session, definition, doc, { moves })
  const original = await noteOnOriginal(tx, session, doc, 'counterparty')
  if (original) await takeBackTrace(tx, session, { by: doc, of: original, ...codedOf(doc) })
}

/** Writes the quantity taken back to each line of the original notice; when nothing is left of it, it is 已红冲. */
async function noteOnOriginal(
  tx: Tx,
  session: Session,
  red: StoredDocument,
  role: 'own' | 'counterparty',
): Promise<StoredDocument | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and kind = 'leaseNoticeIn' and role = ${role}
      and split_part(sn, '/', 1) = ${String(byName(red).reverses_sn)} and state not in ('cancelled', 'deleted')
      and (${role} = 'own' or from_org_id = ${red.from_org_id ?? '0'}::bigint)
     order by id desc limit 1`
  const [original] = await loadDocuments(tx, session.org.id, row ? [row.id] : [])
  if (!original) return null
  const lines = original.lines.map(line => {
    const gone = red.lines.find(each => each.line_no === line.line_no)
    const reversed_quantity = subtract(figure(line, 'reversed_quantity'), gone?.base_quantity ?? '0', 3)
    const reversed_codes = [...codesOf(line, 'reversed_codes'), ...(gone?.unit_codes ?? [])]
    return { ...line, reversed_quantity, reversed_codes }
  })
  const patches = lines.map(({ line_no, reversed_quantity, reversed_codes }) => ({
    line_no,
    values: { reversed_quantity, reversed_codes },
  }))
  await patchLines(tx, session, original, patches, 'derived')
  const reversed_total = sum(
    lines.map(line => figure(line, 'reversed_quantity')),
    3,
  )
  await patchDocument(tx, session, original, { reversed_total }, 'derived')
  const isGone = lines.every(line => compare(figure(line, 'booked_quantity'), figure(line, 'reversed_quantity')) === 0)
  if (isGone && !isZero(reversed_total))
    await transition(tx, session, original, {
      action: 'redNotice',
      label: '红冲入库',
      from: ['completed', 'stopped'],
      to: 'reversed',
      reason: `红冲入库通知${red.sn.split('/')[0]!}`,
    })
  return { ...original, lines, reversed_total } as StoredDocument
}

/**
 * At the tenant: the goods are no longer stored with the lessor; transferred ones are back in the store they came from.
 */
export async function noteTakenOut(tx: Tx, session: Session, red: StoredDocument, from: string): Promise<void> {
  const original = await noteOnOriginal(tx, session, red, 'own')
  const isHome = original !== null && byName(original).notice_type === 'transfer'
  if (original) await takeBackTrace(tx, session, { by: red, of: original, ...codedOf(red) })
  // Pieces that were in transit when they were received are now back in the store that they came from.
  const homeward = isHome ? red.lines.filter(line => line.unit_codes.length > 0) : []
  const moves = red.lines
    .filter(line => !homeward.includes(line))
    .map(
      (line): Move => ({
        line_no: line.line_no,
        step: isHome ? 'transfer_in' : 'return',
        quantity: negate(line.base_quantity),
        traced: false,
        from: consignedAt(from),
        to: isHome ? store(red.warehouse_model_inner_sn, line.location) : outside(from),
        owner: session.org.id,
        quality: 'qualified',
      }),
    )
  const home = await homeMoves(tx, session, red, homeward, line => line.unit_codes, consignedAt(from))
  await postDocument(tx, session, { ...leaseNoticeIn, posting: { stockDirection: 'none' } }, red, {
    moves: [...moves, ...home],
  })
  await transition(tx, session, red, {
    action: 'confirm',
    label: '出租方红冲确认',
    from: ['reviewed', 'partial'],
    to: 'completed',
  })
  const became =
    original !== null && byName(original).notice_type === 'purchase'
      ? await receiptsAfterRed(tx, session, ofKind(leaseNoticeIn, original), red.sn)
      : { sentence: '', sn: null }
  await sendMessage(tx, session.org.id, {
    title: '出租方已红冲入库',
    body: `入库通知${String(byName(red).reverses_sn)}的货物已按红冲入库通知${red.sn}退出${became.sentence}`,
    uri: became.sn === null ? 'leaseNoticeIn' : 'purchaseGrn',
    objectId: became.sn ?? red.sn,
    kind: became.sn === null ? 'leaseNoticeIn' : 'purchaseGrn',
  })
}
