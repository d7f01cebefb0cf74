import { addDays, type Day, isDay, today } from '#kernel/values/date.ts'
import { isNegative, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { chargeable, linesOf } from '#modules/finance/service-charges/charge-figures.server.ts'
import { serviceCharge } from '#modules/finance/service-charges/service-charge.doc.ts'
import type { Tx } from '#server/public/database.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'

type Body = Readonly<Record<string, unknown>>
type Period = { readonly begin: Day; readonly end: Day }

/** Days to pay where the rate says none. */
const USUAL_DAYS = 30

const refuse = (field: string, msg: string): never => {
  throw new BusinessError('invalid', undefined, [{ field, msg }])
}

/** The named days; without them the last whole month. */
function periodOf({ begin_date: begin, end_date: end }: Body): Period {
  if (!begin && !end) {
    const first = `${today().slice(0, 7)}-01` as Day
    const last = addDays(first, -1)
    return { begin: `${last.slice(0, 7)}-01` as Day, end: last }
  }
  if (!isDay(begin)) return refuse('begin_date', '请填写结算期间')
  if (!isDay(end)) return refuse('end_date', '请填写结算期间')
  return begin > end ? refuse('end_date', '结算期间止不能早于期间起') : { begin, end }
}

function supplierOf({ counterparty_sn }: Body): string | null {
  const named = String(counterparty_sn ?? '')
  if (named !== '' && !/^\d{1,18}$/.test(named)) refuse('counterparty_sn', '请选择供应商')
  return named === '' ? null : named
}

/** Names of suppliers, for the answer. */
async function namesOf(tx: Tx, ids: readonly string[]): Promise<string> {
  const rows = await tx<{ name: string }[]>`
    select name from organisation where id = any(${[...ids]}::bigint[]) order by id limit 10`
  return rows.map(({ name }) => name).join('、')
}

/** A draft for a supplier; saved, it takes its settlements by itself. */
async function draft(tx: Tx, session: Session, body: Body, { begin, end }: Period, supplier: string, days: number) {
  const [own] = await tx<{ name: string; bank_name: string | null; bank_account: string | null }[]>`
    select name, bank_name, bank_account from organisation where id = ${session.org.id}`
  const isOurs = body.collector !== 'platform'
  const header = {
    counterparty_sn: supplier,
    collector: isOurs ? 'own' : 'platform',
    begin_date: begin,
    end_date: end,
    collect_method: body.collect_method === 'deduct' ? 'deduct' : 'alone',
    ...(isOurs ? { payee_name: own!.name, payee_bank: own!.bank_name, payee_account: own!.bank_account } : {}),
    due_date: addDays(today(), days),
  }
  const built = await buildDraft(tx, session, serviceCharge, header, [])
  return saveDraft(tx, session, serviceCharge, built, 'draft')
}

/**
 * 生成服务费: one draft for each supplier over the confirmed settlements up to the end of the period that no live bill
 * names. A supplier whose fees sum up below 0 has no bill: what came back is carried into the next. One without any
 * rate has none either, and is named in the answer.
 */
export async function generate(tx: Tx, session: Session, body: Body): Promise<Record<string, unknown>> {
  const org = session.org.id
  const period = periodOf(body)
  if (body.collector === 'platform' && body.collect_method === 'deduct')
    refuse('collect_method', '平台收取的服务费须单独收取，不能从货款抵扣')
  const { ready, rates, waiting, hasRate } = await chargeable(tx, org, supplierOf(body), period.end, null)
  const made: string[] = []
  const [carried, without]: [string[], string[]] = [[], []]
  for (const [supplier, all] of Map.groupBy(ready, each => each.supplier)) {
    if (!all.some(hasRate)) {
      without.push(supplier)
      continue
    }
    const lines = await linesOf(tx, org, { supplier, ...period, but: null }, all)
    const whole = sum(
      lines.map(line => line.taxed_amount),
      2,
    )
    if (isNegative(whole)) {
      carried.push(supplier)
      continue
    }
    const own = rates.filter(rate => rate.supplier === supplier)
    const days = own.reduce((most, rate) => Math.max(most, rate.payment_days ?? 0), 0)
    made.push(await draft(tx, session, body, period, supplier, days || USUAL_DAYS))
  }
  const received = waiting.slice(0, 10).map(each => each.sn)
  const notes = [
    made.length > 0 ? `已生成${made.length}张服务费单` : '',
    without.length > 0 ? `未设置费率：${await namesOf(tx, without)}` : '',
    carried.length > 0 ? `退回大于本期，结转下期：${await namesOf(tx, carried)}` : '',
    received.length > 0 ? `按入库金额计费、尚未结算入库：${received.join('、')}` : '',
  ].filter(Boolean)
  if (made.length === 0) throw new BusinessError('rule', ['本期间没有可生成服务费的结算单', ...notes].join('；'))
  return { ...(made.length === 1 ? { sn: made[0], version: 1 } : {}), charges: made, result: notes.join('；') }
}
