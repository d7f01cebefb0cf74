import { type Day, isExpired } from '#kernel/values/date.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { mayBeExpired, type StoredLine } from '#server/public/documents.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'
import { cachedInTx } from '#server/public/database.ts'

/** True for documents that receive goods, and for kinds that state that they do not accept expired goods. */
const judges = ({ definition, doc }: ActionContext): boolean => {
  const comes = definition.posting.stockDirection === 'in'
  return (comes || definition.compliance.allowsExpired === false) && !mayBeExpired(definition, doc)
}

/** The expiry dates that the organisation stores for its lots: for goods on hand, the date on a line does not count. */
const keptDays = ({ tx, session, doc }: ActionContext): Promise<ReadonlyMap<string, Day | null>> =>
  cachedInTx(tx, `lotDays/${doc.id}`, async () => {
    const lots = [...new Set(doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : [])))]
    const rows = await tx<{ lot_id: string; expiry_date: Day | null }[]>`
      select lot_id, expiry_date::text as expiry_date from stock_lot
       where org_id = ${session.org.id} and lot_id = any(${lots}::bigint[])`
    return new Map(rows.map(row => [row.lot_id, row.expiry_date]))
  })

const verbs = { in: '入库', out: '出库', named: '收货', none: '操作' } as const

async function refuseExpired(ctx: ActionContext): Promise<void> {
  if (!judges(ctx)) return
  const { definition, doc } = ctx
  const { stockDirection } = definition.posting
  const day = shelfLifeDay(doc)
  const kept = stockDirection === 'in' ? null : await keptDays(ctx)
  const last = (line: StoredLine): Day | null => kept?.get(line.lot_id ?? '') ?? line.expiry_date
  const verb = stockDirection === 'in' ? verbs.in : (definition.compliance.verb ?? verbs[stockDirection])
  const problems = doc.lines
    .filter(line => !isZero(line.base_quantity) && isExpired(last(line), day))
    .map((line): Problem => {
      const what = `第${line.line_no}行【${line.product_name ?? ''}】批号${line.lot_no ?? ''}`
      const msg = `${what}已过期，不能${verb}${stockDirection === 'named' ? '，实收数量请填0，由发放仓库收回' : ''}`
      return { field: 'expiry_date', line: line.line_no, msg }
    })
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}

/**
 * Expired goods cannot be received, whatever date the document has; `unfitCheck` checks goods that leave a store. One
 * statement for any number of lines.
 */
export const expiryCheck: ActionCheck = {
  prefetch: ctx => (judges(ctx) && ctx.definition.posting.stockDirection !== 'in' ? keptDays(ctx) : null),
  check: refuseExpired,
}
