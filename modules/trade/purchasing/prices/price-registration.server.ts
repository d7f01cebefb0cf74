import {
  contractTypes,
  priceRegistration,
  priceTypes,
} from '#modules/trade/purchasing/prices/price-registration.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  patchDocument,
  replaceLines,
  type StoredLine,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { addDays, today } from '#kernel/values/date.ts'
import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  isZero,
  plain,
  subtract,
  multiply,
} from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { limitOf } from '#modules/base/settings/hospital-policies.ts'
import { belowLowest, refuseBelowLowest } from '#modules/trade/pricing/lowest-price.server.ts'
import { type AboveListed, checkListed } from '#modules/trade/pricing/price-cap.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { measureOfLine } from '#kernel/rules/line-measure.ts'

type Context = ContextOf<typeof priceRegistration>
type PriceRegistration = TypedDocument<typeof priceRegistration>
type Line = TypedLine<typeof priceRegistration>

const sidesOf = ({ session, doc }: Context): readonly [seller: string, buyer: string] =>
  doc.price_side === 'sell' ? [session.org.id, doc.counterparty_sn!] : [doc.counterparty_sn!, session.org.id]
const perBase = (line: StoredLine): Decimal => divide(line.price, measureOfLine(line), 4)

/** Adds to each price the previous one and the change. */
async function withChanges(ctx: Context): Promise<PriceRegistration> {
  const { tx, session, definition, doc } = ctx
  const direction = doc.price_side === 'sell' ? ('sell' as const) : ('buy' as const)
  const trade = { org: session.org.id, counterparty: doc.counterparty_sn, direction, day: today() }
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    trade,
  )
  const lines = doc.lines.map(line => {
    const before = facts.get(line.specification_sn ?? '')?.agreed_price ?? null
    if (before === null || isZero(before)) return { ...line, old_price: null, change_rate: null } as Line
    const change = divide(subtract(perBase(line), before, 4), before, 4)
    const old = multiply(before, measureOfLine(line), 4)
    return { ...line, old_price: old, change_rate: change } as Line
  })
  const rates = lines.flatMap(line => (line.change_rate ? [line.change_rate as Decimal] : []))
  const change_rate =
    rates.length === 0
      ? null
      : divide(
          rates.reduce((total, rate) => add(total, rate, 4)),
          String(rates.length),
          4,
        )
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(tx, session, doc, { change_rate }, 'withAction')
  return { ...doc, lines, change_rate }
}

/** Prices are agreed with a supplier or a customer of ours. */
async function refuseOutsider({ tx, session, doc }: Context): Promise<void> {
  const types = doc.price_side === 'sell' ? [1, 2] : [2, 3]
  const [partner] = await tx`
    select 1 from org_relation r join organisation o on o.id = r.partner_id
     where r.org_id = ${session.org.id} and r.partner_id = ${doc.counterparty_sn} and r.status = 'enabled'
       and o.system_type = any(${types}::int[]) limit 1`
  if (partner) return
  const msg = doc.price_side === 'sell' ? '请选择启用中的客户' : '请选择启用中的供应商'
  throw new BusinessError('rule', msg, [{ field: 'counterparty_sn', msg }])
}

/**
 * A contract belongs to one partner and has one type: the number of another contract is refused. Reviews of one
 * organisation check it one after another.
 */
async function refuseForeignNumber({ tx, session, doc }: Context): Promise<void> {
  const no = doc.contract_no as string | null
  if (!no) return
  const org = session.org.id
  await tx`select pg_advisory_xact_lock(hashtextextended('contract_number', ${org}::bigint))`
  const [other] = await tx<{ name: string; contract_type: string; is_same: boolean }[]>`
    select o.name, d.fields ->> 'contract_type' as contract_type, d.counterparty_id = ${doc.counterparty_sn} as is_same
      from document d join organisation o on o.id = d.counterparty_id
     where d.org_id = ${org} and d.kind = 'priceRegistration' and d.role = 'own' and d.id <> ${doc.id}
       and d.state in ('submitted', 'reviewed', 'stopped') and d.fields ->> 'price_side' = ${String(doc.price_side)}
       and (d.fields ->> 'contract_no' = ${no} or d.sn = ${no} and coalesce(d.fields ->> 'contract_no', '') = '')
       and (d.counterparty_id <> ${doc.counterparty_sn} or d.fields ->> 'contract_type' <> ${String(doc.contract_type)})
     order by is_same, d.id limit 1`
  if (other === undefined) return
  const type = contractTypes[other.contract_type as keyof typeof contractTypes] ?? ''
  const msg = other.is_same
    ? `合同${no}已登记为${type}，请选择相同的合同类型或另填合同编号`
    : `合同编号${no}已用于${other.name}，请另填合同编号`
  throw new BusinessError('rule', msg, [{ field: 'contract_no', msg }])
}

/** 最低限价: refuses prices for a customer below the seller's own limit. */
async function refuseBelowOwnLimit({ tx, session, doc }: Context): Promise<void> {
  if (doc.price_side !== 'sell') return
  const trade = { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'sell', day: today() } as const
  const models = doc.lines.map(line => line.specification_sn!)
  const facts = await specificationFacts(tx, models, trade)
  refuseBelowLowest(
    doc.lines.flatMap(line =>
      belowLowest({ line_no: line.line_no, price: perBase(line) }, facts.get(line.specification_sn!)),
    ),
  )
}

/** A change beyond the organisation's limit needs a reason. */
function refuseSilentChange({ doc, settings }: Context): void {
  const limit = limitOf(settings.price_change_limit)
  if (doc.change_reason || limit === null) return
  const large = doc.lines.find(line => line.change_rate && compare(absolute(line.change_rate as Decimal), limit) > 0)
  if (!large) return
  const msg = `价格变动幅度超过${plain(String(settings.price_change_limit))}%，请填写原因`
  throw new BusinessError('rule', msg, [{ field: 'change_reason', msg }])
}

/** 挂网价: a hospital's agreed price above it is refused or asked about, depending on its rule. */
async function checkAgreed(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (session.org.type !== 'H') return
  const models = doc.lines.map(line => line.specification_sn!)
  const trade = { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'buy', day: today() } as const
  const facts = await specificationFacts(tx, models, trade)
  const found = doc.lines.flatMap((line): AboveListed[] => {
    const listed = facts.get(line.specification_sn ?? '')?.listed_price ?? null
    if (listed === null || compare(perBase(line), listed) <= 0) return []
    const msg = `第${line.line_no}行：协议价${plain(perBase(line))}高于挂网价${plain(listed)}`
    return [{ specification: line.specification_sn!, problem: { field: 'price', line: line.line_no, msg } }]
  })
  await checkListed(ctx, found)
}

type Standing = { id: string; specification_id: string; valid_from: string; product: string; name: string }

/** Prices of the same type that overlap our period. */
const standingBeside = (ctx: Context) => {
  const { tx, session, doc } = ctx
  const [seller, buyer] = sidesOf(ctx)
  return tx<Standing[]>`
    select g.id, g.specification_id, g.valid_from, p.name as product, s.name
      from price_agreement g join specification s on s.id = g.specification_id join product p on p.id = s.product_id
     where g.org_id = ${session.org.id} and g.seller_id = ${seller} and g.buyer_id = ${buyer}
       and g.price_type = ${String(doc.price_type)} and g.status = 'enabled'
       and g.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])
         and g.document_id is distinct from ${doc.id}
       and g.valid_from <= ${(doc.valid_to as string | null) ?? '9999-12-31'}
         and (g.valid_to is null or g.valid_to >= ${String(doc.valid_from)})
     order by g.specification_id, g.valid_from`
}

/**
 * An older price ends on the day before if the reviewer confirms; one that begins on our first day or later blocks
 * the review.
 */
async function askOverlap(ctx: Context): Promise<void> {
  const { doc, warnings: questions } = ctx
  const beside = await standingBeside(ctx)
  const first = String(doc.valid_from)
  const later = beside.find(row => row.valid_from >= first)
  if (later) throw new BusinessError('rule', `该往来单位的${later.product} ${later.name}在所选期间已有有效价格`)
  if (beside.length === 0) return
  const word = priceTypes[doc.price_type as keyof typeof priceTypes] ?? ''
  questions.push({
    rule: 'overlap',
    msg: `${beside.length}个规格已有有效的${word}，审核后原价格顺延结束于${addDays(first, -1)}，是否继续？`,
  })
}

/** The prices are valid from their first day; the prices that they replace end on the day before. */
async function writePrices(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const org = session.org.id
  const [seller, buyer] = sidesOf(ctx)
  const older = (await standingBeside(ctx)).map(row => row.id)
  await tx`
    update price_agreement set was_valid_to = valid_to, valid_to = ${addDays(String(doc.valid_from), -1)},
      ended_by_id = ${doc.id}, version = version + 1
     where org_id = ${org} and id = any(${older}::bigint[])`
  const rows = doc.lines.map(line => ({
    specification_id: line.specification_sn,
    price: perBase(line),
    tax_rate: line.tax_rate,
    min_order: line.min_order ?? null,
  }))
  await tx`
    insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, tax_rate, price_type,
      valid_from, valid_to, document_id, min_order, contract_no)
    select d.org_id, ${seller}::bigint, ${buyer}::bigint, k.specification_id, k.price, k.tax_rate,
      ${String(doc.price_type)}, ${String(doc.valid_from)}::date, ${(doc.valid_to as string | null) ?? null}::date,
           d.id, k.min_order, ${(doc.contract_no || doc.document_no || null) as string | null}
      from document d cross
        join jsonb_to_recordset(${tx.json(rows)}) as k(specification_id bigint, price numeric,
        tax_rate smallint, min_order numeric)
     where d.org_id = ${org} and d.id = ${doc.id}`
}

/** 终止: today is the last day of the prices; those not begun yet never take effect. */
async function endPrices({ tx, session, doc }: ActionContext): Promise<void> {
  const last = addDays(today(), -1)
  await tx`
    update price_agreement set status = case when valid_from > ${last} then 'disabled' else status end,
      valid_to = case when valid_from > ${last} then valid_to
      else least(coalesce(valid_to, ${last}::date), ${last}::date) end, version = version + 1
     where org_id = ${session.org.id} and document_id = ${doc.id}`
}

/** A price that an order may have used is history: it can be ended, not undone. */
async function refuseUsed({ tx, session, doc, spec }: Context): Promise<void> {
  const kind = doc.price_side === 'sell' ? 'salesOrder' : 'purchaseOrder'
  const used = await tx<{ sn: string }[]>`
    select distinct d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = ${kind} and d.role = 'own'
       and d.counterparty_id = ${doc.counterparty_sn} and d.state not in ('draft', 'rejected', 'cancelled', 'deleted')
       and d.created_at >= ${doc.reviewed_at} and d.business_date >= ${String(doc.valid_from)}
         and l.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])
     order by 1 limit 3`
  if (used.length > 0)
    throw new BusinessError('blocked', `${spec.blockedMessage}（${used.map(row => row.sn).join('、')}）`)
}

/** Restores the previous state: prices that ended because of ours continue. */
async function takeBack({ tx, session, doc }: ActionContext): Promise<void> {
  const org = session.org.id
  await tx`delete from price_agreement where org_id = ${org} and document_id = ${doc.id}`
  await tx`
    update price_agreement set valid_to = was_valid_to, was_valid_to = null, ended_by_id = null, version = version + 1
      where org_id = ${org} and ended_by_id = ${doc.id}`
}

async function refuseReviewed({ doc }: ActionContext): Promise<void> {
  if (doc.state === 'reviewed') throw new BusinessError('wrongState', '已审核的价格请终止，不能作废')
}

export const priceRegistrationRules = documentHooks(priceRegistration, {
  prepare: { submit: withChanges },
  validate: {
    submit: [refuseOutsider, refuseForeignNumber, refuseSilentChange, checkAgreed, refuseBelowOwnLimit],
    review: [refuseForeignNumber, refuseBelowOwnLimit, checkAgreed, askOverlap],
    unreview: refuseUsed,
    cancel: refuseReviewed,
  },
  afterAction: { review: writePrices, unreview: takeBack, stop: endPrices },
})
