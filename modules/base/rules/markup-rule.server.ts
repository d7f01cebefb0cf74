import { compactDay, isDay, today } from '#kernel/values/date.ts'
import { compare, type Decimal, isPositive, multiply, plain, round } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { markupMethods } from '#modules/trade/pricing/markup.ts'
import { computed, goodsOf } from '#modules/trade/pricing/charge-prices.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { ListActionHandler, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** 试算: what a product would be charged at, and by which rule. */
const trial: ListActionHandler = async ({ tx, session, asked }) => {
  const [good] = await goodsOf(tx, session.org.id, String(asked.specification_sn))
  if (!good) throw new BusinessError('rule', '该产品不在医院产品目录中')
  const cost = asked.cost && isPositive(asked.cost as Decimal) ? (asked.cost as Decimal) : good.cost
  const [found] = await computed(tx, session.org.id, today(), [{ ...good, cost }])
  const { rule, charge } = found!
  const how = good.is_collective
    ? '集采产品执行零加成'
    : rule === null
      ? '没有适用的规则，零加成'
      : `按规则${rule.code}（${markupMethods[rule.method]}` + `${rateOf(rule)}）`
  return { said: `${good.name}：进价${money(cost)}元，${how}，收费价${money(charge)}元` }
}

const money = (value: Decimal): string => round(value, 2)

type Applied = NonNullable<Awaited<ReturnType<typeof computed>>[number]['rule']>

/** The markup of a rule in words; empty where its method needs no figure. */
function rateOf({ method, rate, cap, fixed_amount: fixed }: Applied): string {
  if (method === 'band') return `${plain(multiply(rate ?? '0', '100', 4))}%${cap ? `，封顶${plain(cap)}元` : ''}`
  return method === 'fixed' ? `${plain(fixed ?? '0')}元` : ''
}

/**
 * 应用生成调价单: one draft with all products whose computed charge differs from today's; prices change only by its review.
 */
const apply: ListActionHandler = async ({ tx, session, asked }) => {
  const day = isDay(asked.effective_on) ? asked.effective_on : today()
  if (day < today()) throw new BusinessError('rule', '生效日期不能早于当前日期')
  const goods = (await goodsOf(tx, session.org.id, null)).filter(good => !good.is_busy && isPositive(good.cost))
  const changed = (await computed(tx, session.org.id, day, goods)).filter(
    ({ good, charge }) => good.charge === null || compare(good.charge, charge) !== 0,
  )
  if (changed.length === 0) throw new BusinessError('rule', '没有收费价需要调整的产品')
  const sn = await createSystemDraft(
    tx,
    session,
    'priceAdjustment',
    { adjust_type: 'charge', adjust_reason: 'markup', effective_on: day, remark: '由加价率设置生成' },
    changed.map(({ good, rule, charge }) => ({
      specification_sn: good.specification_id,
      old_charge: good.charge,
      old_price: good.cost,
      new_charge: charge,
      remark: rule === null ? '零加成' : `规则${rule.code}`,
    })),
  )
  return { said: `已生成调价单${sn}，共${changed.length}个产品，请提交审核后生效` }
}

/** Two rules of one scope may not cover the same price on the same day. */
async function overlaps(tx: Tx, session: Session, id: string | null, row: Readonly<RecordRow>): Promise<boolean> {
  const [found] = await tx`
    select 1 from markup_rule where org_id = ${session.org.id} and id is distinct
      from ${id} and scope = ${String(row.scope)}
       and custom_type_id is not distinct from ${(row.scope === 'class' ? row.custom_type_sn : null) as string}
         and specification_id is not distinct from ${(row.scope === 'single' ? row.specification_sn : null) as string}
       and valid_from <= ${(row.valid_to as string | null) ?? '9999-12-31'}
         and (valid_to is null or valid_to >= ${String(row.valid_from)})
       and coalesce(price_from, 0) < coalesce(${row.price_to as string}::numeric, 'Infinity')
         and coalesce(price_to, 'Infinity') > coalesce(${row.price_from as string}::numeric, 0) limit 1`
  return found !== undefined
}

/** True if a rule would add anything to a price. */
const adds = (row: Readonly<RecordRow>): boolean =>
  (row.method === 'band' && isPositive(String(row.rate ?? '0') as Decimal)) ||
  (row.method === 'fixed' && isPositive(String(row.fixed_amount ?? '0') as Decimal))

async function refuseMarkup(tx: Tx, session: Session, row: Readonly<RecordRow>) {
  if (!adds(row)) return []
  const [organisation] = await tx<
    { nature: string | null }[]
  >`select nature from organisation where id = ${session.org.id}`
  const field = row.method === 'band' ? 'rate' : 'fixed_amount'
  if (organisation?.nature?.startsWith('公立')) return [{ field, msg: '公立医院耗材零差率销售' }]
  if (row.scope !== 'single') return []
  const [good] = await goodsOf(tx, session.org.id, String(row.specification_sn))
  const [product] = await tx<{ is_collective: boolean }[]>`
    select p.is_collective from specification s join product p on p.id = s.product_id
      where s.id = ${String(row.specification_sn)}`
  return good?.is_collective || product?.is_collective ? [{ field: 'specification_sn', msg: '集采产品执行零加成' }] : []
}

export const markupRuleRules: RecordRules = {
  kind: 'markupRule',
  readFlag: 'page:/hospital/premiumPrice',
  columns: (tx, session) => ({
    target_name: tx`case t.scope when 'house' then '全院' when 'class'
      then (select c.name from custom_type c where c.org_id = ${session.org.id} and c.id = t.custom_type_id)
      else (select p.name || ' ' || s.name from specification s join product p on p.id = s.product_id
        where s.id = t.specification_id) end`,
    precedence: tx`case t.scope when 'single' then 1 when 'class' then 2 else 3 end`,
    rule_state: tx`case when t.valid_from > ${today()}::date then 'waiting' when t.valid_to < ${today()}::date
      then 'ended' else 'valid' end`,
  }),
  mayWrite(_session, action, row) {
    const isPassed = row?.audit_state === 'passed'
    if (['edit', 'del', 'review'].includes(action) && isPassed)
      throw new BusinessError('wrongState', '规则已审核，请先反审核')
    if (action === 'unreview' && !isPassed) throw new BusinessError('wrongState', '规则未审核')
  },
  async check(tx, session, { id, before, after }) {
    if (after.scope !== 'class') after.custom_type_sn = null
    if (after.scope !== 'single') after.specification_sn = null
    const refused = await refuseMarkup(tx, session, after)
    if (refused.length > 0) return refused
    if (await overlaps(tx, session, id, after)) return [{ field: 'price_from', msg: '价格区间重叠' }]
    if (before) return []
    const [next] = await tx<{ n: string }[]>`select nextval('row_id_seq') as n`
    after.code = `JJ${compactDay(today())}${next?.n}`
    after.created_by = session.userName
    return []
  },
  actions: {
    async review(tx, session, row) {
      const [refused] = await refuseMarkup(tx, session, row)
      if (refused) throw new BusinessError('rule', refused.msg)
      return { audit_state: 'passed', reviewed_by: session.userName }
    },
    unreview: async () => ({ audit_state: 'pending', reviewed_by: null }),
  },
  calls: { trial, apply },
}
