import {
  type Context,
  type Reading,
  refuseLine,
  refuseMadeLater,
  sourceLineOf,
  sourcesOf,
  type StockCorrection,
  withValues,
} from '#modules/goods/corrections/values.server.ts'
import { byName, patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { stockCorrection } from '#modules/goods/corrections/stock-correction.doc.ts'
import { type ActionContext, documentHooks } from '#server/public/hooks.ts'
import { kindsOf } from '#kernel/measure/feeding.ts'
import { canonicalCode } from '#kernel/codes/canonical-code.ts'
import { today } from '#kernel/values/date.ts'
import { type Decimal, isZero, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withPlaces } from '#modules/goods/corrections/places.server.ts'
import {
  bookAgreed,
  hold,
  letGo,
  needsAgreement,
  notifyAgreed,
  refuseUnsettled,
  refuseWaiting,
  unsend,
} from '#modules/goods/corrections/counterparty-agreement.server.ts'
import { createHalf } from '#modules/goods/corrections/counterpart-correction.server.ts'
import {
  accountOf,
  isAnswering,
  isConsigned,
  isOfSale,
  isOtherLot,
  isPending,
} from '#modules/goods/corrections/correction-posting.ts'
import { askAboutUses, saidByOthers, usesOf } from '#modules/goods/corrections/used-lots.server.ts'
import { recalledLots } from '#modules/base/checks/recalled-lots.server.ts'
import { documentOf } from '#kernel/registry.ts'
import { checkPeriodOpen, serialError } from '#server/public/actions.ts'
import { codeKey, keptDates, serialsByCode, setLotDates } from '#server/public/stock.ts'

const isMoney = ({ doc }: Context) => doc.change_type === 'price' || (doc.change_type === 'owner' && !isConsigned(doc))

/** Amounts on invoices, or in a closed month, are not changed afterwards. */
async function refuseLocked(ctx: ActionContext, sources: readonly StoredDocument[]): Promise<void> {
  const { tx, session, doc } = ctx
  const invoiced = await tx<{ document_id: string; line_no: number; taken: Decimal }[]>`
    select document_id, line_no, taken from line_progress
     where org_id = ${session.org.id} and document_id = any(${sources.map(source => source.id)}::bigint[])
       and line_no > 0 and purpose = 'invoice' and taken <> 0`
  const locked = doc.lines.find(line =>
    invoiced.some(row => row.document_id === line.source_document_id && row.line_no === line.source_line_no),
  )
  if (locked) throw refuseLine(locked, '明细已开票，请先红冲发票')
  for (const source of sources) await checkPeriodOpen(tx, session.org.id, source.business_date)
}

/** Receipts for which nobody is paid, except 其他入库, whose price we set ourselves. */
const unpaid = () => kindsOf('unowed').filter(kind => !kindsOf('otherwise_received').includes(kind))

/** Refuses corrections that are impossible on documents of this kind, and says how to correct them instead. */
function refuseUnfit(ctx: Context, sources: readonly StoredDocument[]): void {
  const { doc } = ctx
  const type = doc.change_type
  for (const source of sources) {
    if (source.kind === 'saleOdo' && !['price', 'lot'].includes(String(type)))
      throw new BusinessError('rule', '销售出库单只能更正价格、税率和批号，其他请用销售退货后重新出库')
    if (type === 'price' && source.regime === 'consigned')
      throw new BusinessError('rule', '寄售货物没有货款，结算价请在供应价中调整')
    if (type === 'owner' && source.kind === 'otherGrn')
      throw new BusinessError('rule', '其他入库没有应付，不需要更正供应商')
    if (['price', 'owner'].includes(String(type)) && unpaid().includes(source.kind))
      throw new BusinessError('rule', `${documentOf(source.kind)!.title}没有货款，价格和货主不能在此更正`)
    if (type === 'owner' && source.kind === 'openingStock' && source.regime !== 'consigned')
      throw new BusinessError('rule', '自有期初库存没有供应商，不需要更正')
  }
  if (isOfSale(doc) && type === 'lot') refuseOfSale(doc, isAnswering(doc))
  const sent = doc.lines.find(line => sourceLineOf(sources, line)?.delivery_document_id)
  if (sent && type === 'owner') throw refuseLine(sent, '该单由供应商发货生成，货主以发货方为准，请退货后由对方重新发货')
  if (sent && type === 'price' && sources.some(source => source.kind === 'otherGrn'))
    throw refuseLine(sent, '该单由对方发货生成，没有货款，价格不需要更正')
}

/** The lot of a sale can be restated for goods without codes only; a coded piece identifies its lot wherever it is. */
function refuseOfSale(doc: StockCorrection, answers: boolean): void {
  const same = doc.lines.find(line => !isOtherLot(line))
  if (same) throw refuseLine(same, '销售出库单只更正批号，效期请在批号所在的入库单上更正')
  const coded = doc.lines.find(line => line.unit_codes.length > 0)
  if (coded && !answers) throw refuseLine(coded, '一物一码的货物按码管理，请由客户在入库单上更正批号')
  if (coded && doc.lot_cause === 'shipped') throw refuseLine(coded, '一物一码的货物按码出库，请选择“批号录入错误”')
}

/**
 * Pieces must be in stock to be corrected; pieces used on a patient stay as recorded. Dates belong to the whole lot: if
 * others have other dates, they can be corrected even if every piece was used.
 */
async function refuseGone({ tx, session, doc }: Context): Promise<void> {
  if (!['lot', 'code'].includes(String(doc.change_type)) || isOfSale(doc)) return
  const units = await serialsByCode(
    tx,
    session.org.id,
    doc.lines.flatMap(line => line.unit_codes),
  )
  const said = doc.change_type === 'lot' ? await saidByOthers({ tx, session }, doc.lines) : new Set<string>()
  for (const line of doc.lines.filter(each => isOtherLot(each) || !said.has(each.lot_id ?? '')))
    for (const code of line.unit_codes) {
      const unit = units.get(code)
      if (unit?.status === 'used') throw refuseLine(line, `产品已使用，不能变更批号或效期（${code}）`)
      if (!unit || unit.status !== 'in_stock' || unit.warehouse_id !== doc.warehouse_model_inner_sn)
        throw refuseLine(line, unit ? serialError(unit, code, session) : `院内码${code}不存在，请核对后重新扫描`)
    }
}

const pairs = (doc: StockCorrection) =>
  doc.lines.flatMap(line => line.unit_codes.map((code, at) => ({ line, code, next: (line.new_codes ?? [])[at] ?? '' })))

async function refuseTakenCodes({ tx, session, doc }: Context): Promise<void> {
  if (doc.change_type !== 'code') return
  const keys = pairs(doc).map(({ next }) => codeKey(canonicalCode(next, today()), session.org.id))
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice) throw new BusinessError('duplicate', `院内码${twice.replace(/^\d+:/, '')}在本单中重复`)
  const [known] = await tx<{ bare: string }[]>`select bare from unit_code where code = any(${keys}) limit 1`
  if (known) throw new BusinessError('duplicate', `院内码${known.bare}已存在，请核对后重新扫描`)
}

async function refuseUnknownCertificates({ tx, doc }: Context): Promise<void> {
  if (doc.change_type !== 'certificate') return
  const wanted = doc.lines.map(line => String(line.new_registration_no ?? ''))
  const rows = await tx<{ certificate_no: string }[]>`
    select certificate_no from registration_certificate where certificate_no = any(${wanted})`
  const line = doc.lines.find(each => !rows.some(row => row.certificate_no === each.new_registration_no))
  if (line) throw refuseLine(line, `注册证【${String(line.new_registration_no)}】未登记，请先在注册证中登记`)
}

/** A recall holds goods under the lot that it names: with another lot they would be free. */
async function refuseRecalled({ tx, session, doc }: Context): Promise<void> {
  const moved = doc.change_type === 'lot' ? doc.lines.filter(isOtherLot) : []
  const recalled = await recalledLots(
    tx,
    session.org.id,
    moved.map(line => line.lot_id),
  )
  const line = moved.find(each => recalled.has(each.lot_id ?? ''))
  if (line) throw refuseLine(line, `批号${line.lot_no ?? ''}已召回，召回关闭前不能更正为其他批号`)
}

async function checked(ctx: Context): Promise<void> {
  const sources = await sourcesOf(ctx)
  refuseUnfit(ctx, sources)
  refuseMadeLater(ctx.doc, sources)
  await refuseWaiting(ctx)
  await refuseRecalled(ctx)
  if (await needsAgreement(ctx, sources)) await refuseUnsettled(ctx, sources)
  if (isMoney(ctx)) await refuseLocked(ctx, sources)
  await refuseGone(ctx)
  await refuseTakenCodes(ctx)
  await refuseUnknownCertificates(ctx)
}

/** Refuses a price correction that changes neither the stock's value nor a debt. */
function refuseWithoutEffect({ doc }: Context): void {
  const stock = doc.lines.some(line => !isZero((line.stock_amount as Decimal | undefined) ?? '0'))
  const owed = accountOf(doc) !== null && doc.lines.some(line => !isZero(line.taxed_amount))
  if (doc.change_type === 'price' && !stock && !owed)
    throw new BusinessError('rule', '货物已全部出库或金额没有变化，没有可更正的金额')
}

/** 影响分析: later documents of these lots and pieces, and how much of them is still in stock. */
async function analyse({ tx, session, doc }: Context): Promise<void> {
  const lots = doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : []))
  const sources = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  const later = await tx<{ sn: string; kind: string; quantity: Decimal; documents: number }[]>`
    select d.sn, d.kind, sum(m.quantity)::numeric(18,3) as quantity, count(*) over ()::int as documents
      from stock_move m join document d on d.org_id = m.org_id and d.id = m.document_id
     where m.org_id = ${session.org.id} and m.lot_id = any(${lots}::bigint[])
       and m.document_id <> all(${sources}::bigint[])
       and m.at >= (select min(o.at) from stock_move o
         where o.org_id = m.org_id and o.document_id = any(${sources}::bigint[]))
     group by d.id, d.sn, d.kind order by max(m.at) desc limit 20`
  const [left] = await tx<{ quantity: Decimal | null }[]>`
    select sum(b.quantity)::numeric(18,3) as quantity from stock_balance b join warehouse w on w.org_id = b.org_id
      and w.id = b.warehouse_id and w.model <> 'consumed'
     where b.org_id = ${session.org.id} and b.lot_id = any(${lots}::bigint[])`
  const docs = later.map(row => `${documentOf(row.kind)?.title ?? row.kind}${row.sn}（${plain(row.quantity)}）`)
  const count = later[0]?.documents ?? 0
  const followed =
    count === 0 ? '没有后续单据' : `后续单据${count}张：${docs.join('、')}${count > docs.length ? '等' : ''}`
  const dated = doc.change_type === 'lot' ? doc.lines.filter(line => !isOtherLot(line) && line.lot_id !== null) : []
  const used = await usesOf(
    { tx, session },
    dated.map(line => ({ lot_id: line.lot_id!, after: null })),
  )
  const kept = used.length === 0 ? '' : '；已使用的，使用单据保留使用时登记的效期'
  const note = `${followed}；现有库存${plain(left?.quantity ?? '0')}${kept}`
  await patchDocument(tx, session, doc, { impact_note: note }, 'withAction')
}

/** Dates apply to the whole lot in the organisation: the lines' new dates, or those the lots had before. */
async function writeDates({ tx, session, doc }: Reading, back = false): Promise<void> {
  const lines = doc.lines.filter(each => doc.change_type === 'lot' && !isOtherLot(each))
  if (lines.length === 0) return
  const org = session.org.id
  const kept = await keptDates(
    tx,
    org,
    lines.flatMap(line => line.lot_id ?? []),
  )
  const dated = lines.map(line => {
    const made = (back ? null : line.new_production_date) ?? line.production_date
    return {
      lot_id: line.lot_id,
      production_date: made ?? kept.get(line.lot_id ?? '')?.production_date ?? null,
      expiry_date: (back ? null : line.new_expiry_date) ?? line.expiry_date,
    }
  })
  await setLotDates(tx, org, dated)
}

const writeNames = (ctx: Reading): Promise<void> => (ctx.doc.change_type === 'code' ? rename(ctx) : writeDates(ctx))

type Former = {
  readonly bare: string
  readonly was: string
  readonly code: string
  readonly kind: string
  readonly issuer: string | null
}

/** Pieces get their right codes; the document keeps the codes as registered. */
async function rename({ tx, session, doc }: Reading): Promise<void> {
  const org = session.org.id
  const names = pairs(doc).map(({ code, next }) => ({ was: code, ...canonicalCode(next, today()) }))
  const rows = names.map(name => ({ ...name, code: codeKey(name, org) }))
  const former = await tx<Former[]>`
    select c.bare, c.code, c.kind, c.issuer_org_id as issuer, k.bare as was
      from jsonb_to_recordset(${tx.json(rows)}) as k(was text, bare text)
      join unit_code c on c.bare = k.was
      join unit u on u.lot_id = c.lot_id and u.id = c.unit_id and u.holder_org_id = ${org}
        and u.lot_id = any(${doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : []))}::bigint[])`
  await tx`
    update unit_code c set code = k.code, bare = k.bare, kind = k.kind, issuer_org_id = ${org}::bigint
      from jsonb_to_recordset(${tx.json(rows)}) as k(was text, bare text, kind text, code text)
     where c.code = any(${former.map(row => row.code)}) and c.bare = k.was`
  await patchDocument(tx, session, doc, { former_codes: former }, 'withAction')
}

/** Restores each code as it was registered before. */
async function renameBack({ tx, session, doc }: Context): Promise<void> {
  const former = (byName(doc).former_codes as readonly Former[] | undefined) ?? []
  await tx`
    update unit_code c set code = k.code, bare = k.bare, kind = k.kind, issuer_org_id = k.issuer
      from jsonb_to_recordset(${tx.json(former)}) as k(was text, bare text, kind text,
        code text, issuer bigint)
     where c.bare = k.was and c.issuer_org_id = ${session.org.id}`
}

/**
 * Takes effect: names are written, or the counterparty's answer is awaited; an answer to the counterparty is sent to
 * it.
 */
async function putInForce(ctx: Context): Promise<'partial' | void> {
  if (isPending(ctx.doc)) return hold(ctx)
  await writeNames(ctx)
  if (isAnswering(ctx.doc)) await notifyAgreed(ctx, true)
}

/** Refusing the counterparty's request ends it; an internal refusal goes back to its author. */
async function sendBack(ctx: Context): Promise<'cancelled' | void> {
  if (!isAnswering(ctx.doc)) return
  await notifyAgreed(ctx, false)
  return 'cancelled'
}

/** The document as it will be checked, with the information whether the counterparty has to be asked. */
async function asItWillBe(ctx: Context): Promise<StockCorrection> {
  const doc = await withValues(ctx)
  const asked = await needsAgreement({ ...ctx, doc }, await sourcesOf({ ...ctx, doc }))
  const placed = await withPlaces({ ...ctx, doc: { ...doc, answer_state: asked ? '1' : '0' } })
  const isGone = (line: (typeof placed.lines)[number]) => !isOtherLot(line) && (line.stored ?? []).length === 0
  const only_dates = placed.change_type === 'lot' && !isOfSale(placed) && placed.lines.every(isGone) ? 'true' : null
  await patchDocument(ctx.tx, ctx.session, placed, { only_dates }, 'withAction')
  return placed
}

/** When withdrawn, names are restored: posting would have refused it if anything had been booked under the new ones. */
async function takeNamesBack(ctx: Context): Promise<void> {
  if (await unsend(ctx)) return
  const { tx, doc } = ctx
  if (isOfSale(doc)) return
  if (doc.change_type === 'code') return renameBack(ctx)
  await writeDates(ctx, true)
  const moved = doc.lines.filter(line => doc.change_type === 'lot' && isOtherLot(line))
  if (moved.length === 0) return
  await tx`
    update unit_code c set lot_id = u.former_lot_id, unit_id = u.former_unit_id
      from unit u join lot t on t.id = u.lot_id
     where t.specification_id = any(${moved.map(line => line.specification_sn!)}::bigint[])
       and t.lot_no = any(${moved.map(line => String(line.new_lot_no))})
       and u.status = 'void' and u.former_unit_id is not null and c.lot_id = u.lot_id and c.unit_id = u.id`
}

/** If the value that the goods carry since the correction moved on with them, another correction is needed. */
async function refuseMovedOn({ tx, session, doc }: Context): Promise<void> {
  if (doc.change_type !== 'price') return
  const [later] = await tx<{ sn: string }[]>`
    select d.sn from stock_move o
      join stock_move m on m.org_id = o.org_id and m.lot_id = o.lot_id and m.warehouse_id = o.warehouse_id
        and m.location = o.location
       and m.owner_id = o.owner_id and m.quality_state = o.quality_state and m.at > o.at
         and m.document_id <> o.document_id
      join document d on d.org_id = m.org_id and d.id = m.document_id
     where o.org_id = ${session.org.id} and o.document_id = ${doc.id} order by m.at limit 1`
  if (later) throw new BusinessError('blocked', `货物已有后续业务（${later.sn}），不能反审核，请再做一张变更单`)
}

/** An analysis is valid only for the lines it was made from. */
async function forgetAnalysis(
  tx: ActionContext['tx'],
  session: ActionContext['session'],
  before: StoredDocument,
): Promise<void> {
  await patchDocument(tx, session, before, { impact_note: null }, 'withAction')
}

export const stockCorrectionRules = documentHooks(stockCorrection, {
  prepare: {
    impact: withValues,
    submit: withValues,
    review: asItWillBe,
  },
  validate: { submit: [checked, askAboutUses], review: [checked, refuseWithoutEffect], unreview: refuseMovedOn },
  afterEdit: forgetAnalysis,
  afterAction: { impact: analyse, review: putInForce, reject: sendBack, unreview: takeNamesBack },
  onReceived: createHalf,
  onPartnerAction: { agreed: bookAgreed(writeNames), declined: letGo },
})
