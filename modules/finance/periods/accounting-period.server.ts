import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { type MonthCategory, monthCategories } from '#modules/base/vocabulary/month-categories.ts'
import { lockPeriods, periodId } from '#server/public/actions.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Months are closed in order, so that the closed ones are contiguous from the beginning. */
async function refuseGap(tx: Tx, session: Session, period: string): Promise<void> {
  const [open] = await tx<{ period: string }[]>`
    select period from accounting_month where org_id = ${session.org.id} and id < ${periodId(period)}
      and state = 'open' order by id limit 1`
  if (open) throw new BusinessError('rule', `请先结账会计期间【${open.period}】`)
}

type Standing = {
  readonly category: MonthCategory
  readonly control: 'refuse' | 'warn'
  readonly n: number
  readonly amount: Decimal
}

/** The open items of a period that matter to its closing, summed by category; those that forbid it first. */
const standingOf = (tx: Tx, session: Session, period: string) => tx<Standing[]>`
  select category, control, sum(uses)::int as n, sum(amount)::numeric(18,2) as amount
    from month_standing(${session.org.id}, ${period}) where control <> 'off'
   group by category, control order by control, category`

const said = ({ category, n, amount }: Standing): string => `${monthCategories[category]}${n}笔，共${amount}元`

/** As many documents are named in a sentence; all are on the page of what stands open. */
const NAMED = 3

/** Drafts and submitted documents of the month by their numbers, and what is done with them. */
async function unreviewedSentence(tx: Tx, session: Session, period: string): Promise<string> {
  const open = await tx<{ title: string; sn: string }[]>`
    select document_title(s.document_kind) as title, s.document_no as sn
      from month_standing(${session.org.id}, ${period}) s where s.category = 'unreviewed' and s.control = 'refuse'
     order by s.happened_on, s.document_no`
  const named = open.slice(0, NAMED).map(({ title, sn }) => `${title}${sn}`)
  const all = `${named.join('、')}${open.length > NAMED ? '等' : ''}`
  return `本期存在${open.length}张未审核单据，不能结账：${all}，请在【月末检查】逐张审核，或修改业务日期，不需要的删除`
}

/** Refuses to close while items are open that must be settled first; returns the others in words. */
async function openAtClosing(tx: Tx, session: Session, period: string): Promise<readonly string[]> {
  const standing = await standingOf(tx, session, period)
  const [first] = standing.filter(({ control }) => control === 'refuse')
  if (first?.category === 'unreviewed') throw new BusinessError('rule', await unreviewedSentence(tx, session, period))
  if (first)
    throw new BusinessError('rule', `会计期间【${period}】有${said(first)}，不能结账，请先在【月末检查】逐笔处理`)
  return standing.map(said)
}

/** The computed list row is stored from the first action on it. */
const keep = (tx: Tx, session: Session, row: Readonly<RecordRow>) => tx`
  insert into accounting_period (org_id, id) values (${session.org.id}, ${String(row.accounting_period_sn)})
    on conflict (org_id, id) do nothing`

export const accountingPeriodRules: RecordRules = {
  kind: 'accountingPeriod',
  table: 'accounting_period',
  mayWrite(_session, action) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '会计期间按月自动产生，只能结账或反结账')
  },
  async asks(tx, session, action, row) {
    if (action !== 'closePeriod' || row.state === 'closed') return []
    const period = String(row.period)
    await refuseGap(tx, session, period)
    return (await openAtClosing(tx, session, period)).map(msg => ({
      rule: 'closePeriod',
      msg: `${msg}，是否仍要结账？请填写原因`,
    }))
  },
  actions: {
    async closePeriod(tx, session, row, reason) {
      const period = String(row.period)
      if (row.state === 'closed') throw new BusinessError('wrongState', `会计期间【${period}】已结账`)
      await refuseGap(tx, session, period)
      await lockPeriods(tx, session.org.id)
      await keep(tx, session, row)
      const open = await openAtClosing(tx, session, period)
      if (open.length > 0 && !reason) {
        const msg = `会计期间【${period}】还有未处理的事项，仍要结账请填写原因`
        throw new BusinessError('invalid', msg, [{ field: 'reason', msg }])
      }
      return {
        state: 'closed',
        closed_by: session.userName,
        closed_at: instant(),
        close_note: open.join('；') || null,
        close_reason: open.length > 0 ? reason : null,
      }
    },
    async reopenPeriod(tx, session, row, reason) {
      const period = String(row.period)
      if (row.state !== 'closed') throw new BusinessError('wrongState', `会计期间【${period}】未结账，不需要反结账`)
      const [later] = await tx<{ period: string }[]>`
        select period from accounting_month where org_id = ${session.org.id} and id > ${periodId(period)}
          and state = 'closed' order by id desc limit 1`
      if (later) throw new BusinessError('rule', `只能反结账最近一个已结账期间，请先反结账【${later.period}】`)
      return {
        state: 'open',
        reopened_by: session.userName,
        reopened_at: instant(),
        reopen_reason: reason,
      }
    },
  },
}
