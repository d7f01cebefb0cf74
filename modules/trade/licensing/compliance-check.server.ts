import { blockOrConfirm } from '#modules/base/checks/block-or-confirm.server.ts'
import { codedQuantity } from '#kernel/codes/pack-code.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { hasPrices } from '#kernel/definition/line-content.ts'
import { type Day, daysBetween } from '#kernel/values/date.ts'
import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { compare, type Decimal, isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { isFromQuotation, packUnits, tradeContext, usesAgreedPrice } from '#server/public/drafts.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'
import { mayBeExpired, type StoredLine } from '#server/public/documents.ts'
import {
  authorisationProblems,
  authorisationsOf,
  licencesOf,
} from '#modules/trade/licensing/supplier-authorisations.server.ts'
import { catalogueProblems } from '#modules/trade/licensing/catalogue-check.server.ts'
import { askScope, checkScope } from '#modules/trade/licensing/business-scope.server.ts'
import { belowLowest } from '#modules/trade/pricing/lowest-price.server.ts'
import { checkListed, isAboveListed, pricePerBase } from '#modules/trade/pricing/price-cap.server.ts'
import { policyForItems } from '#server/public/settings.ts'
import { virtualLocations } from '#server/public/actions.ts'
import { pipelined } from '#server/public/database.ts'
import { checkPartner, partnerOf, relyOn } from '#modules/trade/licensing/partner-licences.server.ts'
import { type SpecificationFacts, specificationFacts } from '#modules/base/items/item-data.server.ts'

const ofGoods = (line: number, msg: string): Problem => ({
  field: 'specification_sn',
  line,
  msg: `第${line}行：${msg}`,
})

/** A registration certificate that expired before the day. */
function checkRegistration({ doc, definition }: ActionContext, facts: SpecificationFacts, line: number): Problem[] {
  if (facts.certificate_valid_to === null || facts.certificate_valid_to >= doc.business_date) return []
  const what = definition.compliance.verb ?? '操作'
  const msg = definition.compliance.dateField
    ? `${facts.product_name} ${facts.name}注册证于${facts.certificate_valid_to}到期，${what}不通过`
    : `【${facts.product_name}】注册证${facts.certificate_no}已过期，不能${what}`
  return [ofGoods(line, msg)]
}

function checkProduct({ definition, session }: ActionContext, facts: SpecificationFacts, line: number): Problem[] {
  const what = definition.compliance.verb ?? '操作'
  const problem = (msg: string) => ofGoods(line, msg)
  // A product that was stopped cannot be ordered any more; existing orders and stock are used up.
  const begins = definition.sourcing.isOrder === true
  if (begins && [facts.product_status, facts.status].some(status => status === 'withdrawn' || status === 'disabled'))
    return [problem(`产品已停用：【${facts.product_name}】${facts.name}，不能${what}`)]
  if (session.org.type === 'H' && definition.compliance.party === 'supplier' && facts.admission_state !== 'admitted')
    return [problem(`【${facts.product_name}】${facts.name}未准入，不能采购`)]
  if (begins && facts.was_in_catalogue && !facts.in_catalogue && session.org.type !== 'V')
    return [problem(`【${facts.product_name}】${facts.name}已在本机构产品目录中停用，不能${what}`)]
  if (!facts.was_in_catalogue && !facts.in_catalogue && session.org.type !== 'V')
    return [problem(`【${facts.product_name}】不在本机构产品目录中，请先引入`)]
  return []
}

/**
 * All queries of the compliance check and the posting soon after it, sent together; each answer is kept for the
 * transaction.
 */
function askGate(given: ActionContext) {
  const ctx = onItsDay(given)
  const { tx, session, doc, definition } = ctx
  const judged = onLatestDay(ctx)
  return pipelined([
    specificationFacts(
      tx,
      doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : [])),
      tradeContext(definition, session, doc),
    ),
    packUnits(
      tx,
      doc.lines.flatMap(line => (line.unit_inner_sn ? [line.unit_inner_sn] : [])),
    ),
    partnerOf(judged),
    authorisationsOf(judged),
    definition.posting.postings ? virtualLocations(tx, session.org.id) : null,
    definition.compliance.party === 'supplier' ? askScope(judged) : null,
  ])
}

/** Goods that arrived on another day than the document's are checked by that day. */
function onItsDay(ctx: ActionContext): ActionContext {
  const { definition, doc } = ctx
  const day =
    definition.compliance.dateField === undefined ? null : doc[definition.compliance.dateField as keyof typeof doc]
  return day ? { ...ctx, doc: { ...doc, business_date: day as string } } : ctx
}

/**
 * Licences and certificates are checked on the same day as shelf life: an earlier date on a document makes none valid
 * again.
 */
const onLatestDay = (ctx: ActionContext): ActionContext => {
  const { definition, doc } = ctx
  const business_date = definition.compliance.dateField ? doc.business_date : shelfLifeDay(doc)
  return { ...ctx, doc: { ...doc, business_date } }
}

/** The compliance check at submit and review: expired licences, products not admitted, prices above the agreement. */
async function decide(given: ActionContext): Promise<void> {
  const ctx = onItsDay(given)
  const { doc, definition, settings } = ctx
  if (!definition.compliance.party) return
  const judged = onLatestDay(ctx)
  const [facts, packs, partner, authorised] = await askGate(ctx)
  const [others, registrations]: [Problem[], Problem[]] = [[], []]
  const seen = new Set<string>()
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (!fact) continue
    if (!seen.has(fact.id)) {
      seen.add(fact.id)
      const lapsedDocument = checkRegistration(judged, fact, line.line_no)
      registrations.push(...lapsedDocument)
      if (lapsedDocument.length === 0) others.push(...checkProduct(ctx, fact, line.line_no))
    }
    const perBase = pricePerBase(line, packs)
    const off = fact.agreed_price === null ? null : offAgreed(ctx, line, perBase, fact.agreed_price)
    if (off)
      others.push({ field: 'price', line: line.line_no, msg: `第${line.line_no}行：【${fact.product_name}】${off}` })
    if (definition.compliance.party === 'customer' && hasPrices(definition))
      others.push(...belowLowest({ line_no: line.line_no, price: perBase }, fact))
  }
  others.push(...(await catalogueProblems(ctx, facts)), ...(await changedPrices(ctx)))
  await ctx.hold(() => {
    if (others.length > 0) throw new BusinessError('rule', others[0]!.msg, others)
  })
  await ctx.hold(() => checkAboveListed(ctx, facts, packs))
  const licences = checkPartner(judged, partner, new Set([...facts.values()].map(fact => fact.device_class)))
  await ctx.hold(() =>
    stopLapsed(ctx, [...licences.refused, ...authorisationProblems(judged, authorised, 'refuse')], 'refuse'),
  )
  stopLapsed(ctx, [...licences.asked, ...authorisationProblems(judged, authorised, 'warn')], 'warn')
  if (definition.compliance.party === 'supplier') await ctx.hold(() => checkScope(judged))
  if (ctx.action === 'review') await relyOn(judged, [...licences.relied, ...licencesOf(authorised)])
  const { registration_check: own } = settings
  await ctx.hold(() => stopLapsed(ctx, registrations, own === 'same' ? settings.certificate_check : own))
}

/**
 * Prices above the agreement are refused. A hospital's order uses exactly the agreed price, unless it was made from
 * a quotation: prices change by price documents.
 */
function offAgreed(
  { session, definition }: ActionContext,
  line: StoredLine,
  price: Decimal,
  agreed: Decimal,
): string | null {
  if (definition.compliance.party !== 'supplier') return null
  const than = compare(price, agreed)
  if (than > 0) return `采购单价高于协议价${plain(agreed)}（单价${plain(price)}）`
  const isFixed = usesAgreedPrice(definition, session) && !isFromQuotation(line, session)
  return than < 0 && isFixed
    ? `单价${plain(price)}低于协议价${plain(agreed)}，请按协议价下单，价格有变请先办理调价`
    : null
}

/**
 * 挂网价: a hospital's price above it is refused or needs a confirmation, depending on its rule; by class of goods if
 * so set.
 */
async function checkAboveListed(
  ctx: ActionContext,
  facts: ReadonlyMap<string, SpecificationFacts>,
  packs: Awaited<ReturnType<typeof packUnits>>,
): Promise<void> {
  const { session, definition, doc } = ctx
  if (session.org.type !== 'H' || definition.compliance.party !== 'supplier') return
  const found = doc.lines.flatMap(line => {
    const fact = facts.get(line.specification_sn ?? '')
    const perBase = pricePerBase(line, packs)
    if (!fact || !isAboveListed(perBase, fact)) return []
    const msg = `第${line.line_no}行：【${fact.product_name}】单价${plain(perBase)}高于挂网价${plain(fact.listed_price)}`
    return [{ specification: fact.id, problem: { field: 'price', line: line.line_no, msg } }]
  })
  await checkListed(ctx, found)
}

const placeOf = ({ session, doc }: ActionContext) => ({
  org: session.org.id,
  warehouse: doc.warehouse_model_inner_sn,
  department: doc.department_inner_sn,
})

/** Expired licences block the action or need a confirmation, depending on the organisation's setting. */
const stopLapsed = (ctx: ActionContext, licences: readonly Problem[], how: string): void =>
  blockOrConfirm(ctx, how, 'certificate', licences, { reason: 'expiredLicence', ask: msg => msg })

/**
 * True for a sale of goods used in an operation: they are sold at the price agreed with the hospital, whatever price
 * the hospital's record has.
 */
const isPricedAnew = ({ definition, doc }: ActionContext): boolean =>
  ([sourceTypes.ORTHOPAEDIC, sourceTypes.BONE_PRESALE] as readonly number[]).includes(doc.source_type) &&
  definition.sourcing.sources?.find(take => take.sourceType === doc.source_type)?.dropsFields?.includes('price') ===
    true

/** If prices may not be changed, a line made from another document keeps that document's price. */
async function changedPrices(ctx: ActionContext): Promise<Problem[]> {
  const { tx, session, doc, settings } = ctx
  const isFixed = usesAgreedPrice(ctx.definition, session)
  if (settings.price_editable && !isFixed) return []
  if (isPricedAnew(ctx)) return []
  const rows = await tx<{ line_no: number; price: string }[]>`
    select l.line_no, s.price::text as price from document_line l
      join document_line s on s.org_id = l.org_id and s.document_id = l.source_document_id
        and s.line_no = l.source_line_no
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and s.price > 0 and l.price <> s.price
       and l.unit_id is not distinct from s.unit_id
       -- Of the agreed price's sources those from an offer alone: a plan's price is a guess.
       and (not ${isFixed} or l.source_org_id <> l.org_id)
     order by l.line_no`
  return rows.map(({ line_no: line, price }) => ({
    field: 'price',
    line,
    msg: `第${line}行：本机构不允许修改单价，应为来源单的${plain(price)}`,
  }))
}

/** Receipts: lots and dates complete and plausible, nothing expired, enough shelf life left. */
async function checkArrivals(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, definition, settings } = ctx
  if (definition.posting.stockDirection !== 'in') return
  const facts = await specificationFacts(
    tx,
    doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : [])),
    tradeContext(definition, session, doc),
  )
  const problems: Problem[] = []
  const own = await policyForItems(tx, placeOf(ctx), 'minShelfLife', [...facts.keys()])
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    // A line refused at receipt brings no goods in, and one below zero takes out goods of an earlier receipt.
    if (!fact || !isPositive(line.base_quantity)) continue
    const notify = (field: string, msg: string) =>
      void problems.push({ field, line: line.line_no, msg: `第${line.line_no}行【${fact.product_name}】${msg}` })
    const lotNeeded = fact.lot_required || fact.is_sterile || fact.device_class !== 'I'
    if (lotNeeded && !line.lot_no) notify('lot_no', '请填写批号')
    if (fact.expiry_required && !line.expiry_date) notify('expiry_date', '请填写有效期至')
    if (line.production_date && line.expiry_date && line.expiry_date <= line.production_date)
      notify('expiry_date', '有效期至必须晚于生产日期')
    if (line.unit_codes.length > 0 && compare(line.base_quantity, codedQuantity(line)) !== 0)
      notify('unit_codes', `数量${plain(line.base_quantity)}与院内码数量${plain(codedQuantity(line))}不一致`)
    await ctx.hold(() =>
      askLife(ctx, line.line_no, fact, line.production_date, line.expiry_date, { ...settings, ...own(fact.id) }),
    )
  }
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}

/** Hospitals require days, dealers a third of the shelf life. */
function askLife(
  ctx: ActionContext,
  line: number,
  fact: SpecificationFacts,
  produced: Day | null,
  expiry: Day | null,
  { receipt_days_left: days, short_life }: Pick<ActionContext['settings'], 'receipt_days_left' | 'short_life'>,
): void {
  const { doc, session, definition } = ctx
  const day = shelfLifeDay(doc)
  if (mayBeExpired(definition, doc) || short_life === 'off' || !expiry || expiry < day) return
  const left = daysBetween(day, expiry)
  const whole = produced ? daysBetween(produced, expiry) : (fact.shelf_life_months ?? 0) * 30
  const short = session.org.type === 'H' ? left < days : whole > 0 && left < whole / 3
  if (!short) return
  const limit = session.org.type === 'H' ? `${days}天` : '三分之一'
  const msg = `第${line}行【${fact.product_name}】剩余效期不足${limit}（仅剩${left}天）`
  if (short_life === 'refuse') throw new BusinessError('rule', msg, [{ field: 'expiry_date', line, msg }])
  ctx.warnings.push({ rule: 'shortLife', line, msg: `${msg}，是否继续？` })
}

/** The checks at submit and review: licences, certificates, agreed and listed prices, shelf life. */
export const complianceChecks: readonly ActionCheck[] = [
  { prefetch: ctx => (ctx.definition.compliance.party ? askGate(ctx) : null), check: decide },
  { check: checkArrivals },
]
