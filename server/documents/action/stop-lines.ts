import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { checkNoOpenFollowUps } from '#server/documents/action/follow-up-checks.ts'
import { sendStop } from '#server/documents/intercompany/outbox.ts'
import { markStopped } from '#server/documents/intercompany/stopped-lines.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'

/** The lines that the dialog names; refused where one is not there, is stopped already, or is named by no number. */
function namedLines({ doc, dialogValues }: ActionContext): number[] {
  const named = [...new Set((dialogValues?.stop_lines as readonly string[] | undefined) ?? [])]
  const refuse = (msg: string): never => {
    throw new BusinessError('invalid', msg, [{ field: 'stop_lines', msg }])
  }
  if (named.length === 0) refuse('请选择要终止的行')
  return named.map(text => {
    const line = doc.lines.find(each => each.line_no === parseInteger(text))
    if (!line) refuse(`没有第${text.slice(0, 10)}行，请重新选择要终止的行`)
    if (line!.stop_reason) refuse(`第${text}行已终止，请选择其他行`)
    return line!.line_no
  })
}

/**
 * 终止行: what is neither under way nor done of these lines will not be executed. It is free again on the lines' sources,
 * and everyone with a copy is told in the same transaction. With the last open line the document ends as well.
 */
export async function stopLines(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, reason } = ctx
  const lines = namedLines(ctx)
  await checkNoOpenFollowUps(ctx, lines)
  const stopped = await markStopped(tx, session, doc, lines, reason!)
  const idle = lines.find(no => !stopped.some(row => row.line_no === no && isPositive(row.quantity)))
  if (idle !== undefined) {
    const msg = `第${idle}行已全部发货或执行，没有可以终止的数量`
    throw new BusinessError('blocked', msg, [{ field: 'stop_lines', msg }])
  }
  const [now] = await tx<{ state: string }[]>`
    select state from document where org_id = ${session.org.id} and id = ${doc.id}`
  await sendStop(tx, session, doc, reason, now!.state === 'stopped' ? undefined : lines)
}

/** An order of which lines were stopped is not what was ordered any more: it is not taken back, it is stopped. */
export function refuseStoppedLines(doc: StoredDocument, label: string): void {
  const stopped = doc.lines.filter(line => line.stop_reason)
  if (stopped.length === 0) return
  const numbers = stopped.map(line => line.line_no).join('、')
  throw new BusinessError('blocked', `第${numbers}行已终止，不能${label}；其余不再执行的请终止单据`)
}
