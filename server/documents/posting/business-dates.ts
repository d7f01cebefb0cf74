import { headerField } from '#kernel/definition/common-fields.ts'
import { dayOf, daysBetween, today } from '#kernel/values/date.ts'
import { countsLate } from '#kernel/rules/month.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { dateOf, lastClosed, reversalDate } from '#server/documents/posting/period.ts'
import { may } from '#server/access/session.ts'

type Written = { readonly field: string; readonly label: string; readonly day: string }

/** The dates by which a document is booked and judged, as far as people write them. */
function writtenDates({ definition, doc }: ActionContext, also: readonly string[] = []): Written[] {
  const { dateField, happenedAt } = definition.compliance
  return ['business_date', dateField, happenedAt, ...also].flatMap((field): Written[] => {
    const spec = field === undefined ? undefined : definition.header[field]
    const value = field === undefined ? undefined : doc[field as keyof typeof doc]
    if (!field || !spec || spec.readOnly || typeof value !== 'string' || value === '') return []
    const day = spec.as === 'instant' ? dayOf(new Date(value)) : value
    return [{ field, label: headerField(definition, field)?.label ?? '', day }]
  })
}

/** A reversal has its original's date, unless it is given one of its own. */
function datesOf(ctx: ActionContext): Written[] {
  if (ctx.action === 'submit') return writtenDates(ctx)
  if (ctx.spec.effect !== 'reverse' || !ctx.body.business_date) return []
  return [{ field: 'business_date', label: '红冲日期', day: reversalDate(ctx) }]
}

const refuse = (field: string, msg: string): never => {
  throw new BusinessError('rule', msg, [{ field, msg }])
}

/**
 * Refuses dates too far from today; the organisation sets how far. Nobody may go beyond that into the future. A user
 * with the right may go further into the past, once the user confirmed it. The system's documents have the date of
 * their event.
 */
export function checkDates(ctx: ActionContext): void {
  const { session, settings } = ctx
  if (session.userId === '0') return
  for (const { field, label, day } of datesOf(ctx)) {
    const ahead = daysBetween(today(), day)
    const { date_back_days: back, date_ahead_days: most } = settings
    if (ahead > most)
      refuse(
        field,
        most === 0 ? `${label}${day}晚于今天，请修改日期` : `${label}${day}晚于今天${most}天以上，请修改日期`,
      )
    if (-ahead <= back) continue
    const early = back === 0 ? `${label}${day}早于今天` : `${label}${day}早于今天${back}天以上`
    if (!may(session, 'backdate')) refuse(field, `${early}，请修改日期，或由有“补录更早日期”权限的人提交`)
    ctx.warnings.push({ rule: 'backdated', msg: `${early}，是否补录？` })
  }
}

const books = new Set<unknown>(['post', 'review', 'reverse'])

/**
 * Says to which month a posting counts that comes after its own month was closed: today's, that of what it reverses, of
 * the moment at which it happened or of the invoice that it is about.
 */
export async function noteLate(ctx: ActionContext): Promise<void> {
  if (!books.has(ctx.spec.effect)) return
  const last = await lastClosed(ctx)
  if (last === null) return
  const months = [today(), ...writtenDates(ctx, ['invoice_date']).map(({ day }) => day)].map(day => day.slice(0, 7))
  if (months.some(month => month <= last)) ctx.notes.set(countsLate(last, dateOf(ctx).slice(0, 7)), [])
}
