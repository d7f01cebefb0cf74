import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'

/**
 * Follow-up documents of this organisation that are in force; a refusal names them. The red document of a follow-up is
 * no follow-up, and one that was wholly reversed does not count.
 */
async function followUps(
  ctx: ActionContext,
  states: readonly string[],
  lines: readonly number[] | null = null,
): Promise<{ sn: string; state: string }[]> {
  const ofLines = ctx.tx`d.id in (
         select l.document_id from document_line l where l.org_id = ${ctx.session.org.id}
           and l.source_document_id = ${ctx.doc.id}
           ${lines ? ctx.tx`and l.source_line_no = any(${[...lines]})` : ctx.tx``})`
  return ctx.tx<{ sn: string; state: string }[]>`
    select distinct d.sn, d.state from document d
     where d.org_id = ${ctx.session.org.id} and d.role = 'own' and d.state = any(${states as string[]})
       and d.id <> ${ctx.doc.id} and (d.red_of_id is null or d.red_of_id = ${ctx.doc.id})
       and ${
         lines ? ofLines : ctx.tx`(d.source_document_id = ${ctx.doc.id} or d.red_of_id = ${ctx.doc.id} or ${ofLines})`
       }
       and not (d.state in ('draft', 'submitted') and not d.touched and d.created_by = 0)
     order by d.sn limit 5`
}

const alive = ['draft', 'submitted', 'rejected', 'reviewed', 'partial', 'completed']
const names = (rows: readonly { sn: string }[]) => (rows.length > 0 ? `（${rows.map(row => row.sn).join('、')}）` : '')

/** A document with follow-ups cannot be taken back: they must be removed first. */
export async function checkNoFollowUps(ctx: ActionContext): Promise<void> {
  const rows = await followUps(ctx, alive)
  if (rows.length === 0) return
  const { blockedMessage: taken, label } = ctx.spec
  throw new BusinessError(
    'blocked',
    taken ? `${taken}${names(rows)}` : `该单据已有后续单据${names(rows)}，不能${label}`,
  )
}

/**
 * Throws for a state in which the action is not possible: with the kind's own message where the document has
 * progressed, naming its follow-up.
 */
export async function throwWrongState(ctx: ActionContext): Promise<never> {
  const { blockedMessage: taken, from } = ctx.spec
  const gone = from.includes('reviewed') && ['partial', 'completed'].includes(ctx.doc.state)
  if (!taken || !gone) throw new BusinessError('wrongState')
  throw new BusinessError('wrongState', `${taken}${names(await followUps(ctx, alive))}`)
}

/** Stopping ends the rest, of all lines or of some: open follow-ups must be finished or taken back first. */
export async function checkNoOpenFollowUps(ctx: ActionContext, lines: readonly number[] | null = null): Promise<void> {
  const rows = await followUps(ctx, ['draft', 'submitted', 'rejected'], lines)
  if (rows.length > 0)
    throw new BusinessError(
      'blocked',
      `请先处理未完成的后续单据（${rows.map(row => row.sn).join('、')}），再${ctx.spec.label}`,
    )
}
