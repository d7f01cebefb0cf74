import { byName, loadDocuments, type StoredLine } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { add, compare, type Decimal, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { PlanRow } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'

/** Quantities and pieces by specification and lot; instruments are counted without a lot. */
class Goods {
  readonly #quantities = new Map<string, Decimal>()
  readonly #codes = new Map<string, Set<string>>()

  add(line: StoredLine): void {
    const key = keyOf(line)
    this.#quantities.set(key, add(this.#quantities.get(key) ?? '0.000', line.base_quantity, 3))
    this.#codes.set(key, new Set([...(this.#codes.get(key) ?? []), ...line.unit_codes]))
  }

  quantityOf(line: StoredLine): Decimal {
    return this.#quantities.get(keyOf(line)) ?? this.#quantities.get(withoutLot(line)) ?? '0.000'
  }

  /** The first piece of the line that is not among those that were counted one by one. */
  missing(line: StoredLine): string | undefined {
    const codes = this.#codes.get(keyOf(line))
    return codes && codes.size > 0 ? line.unit_codes.find(code => !codes.has(code)) : undefined
  }
}
const withoutLot = (line: StoredLine): string => `${line.specification_sn ?? ''}/`
const keyOf = (line: StoredLine): string => `${withoutLot(line)}${line.lot_no ?? ''}`

async function linesOf({ tx, session, doc }: ActionContext, plan: PlanRow, kind: 'counted' | 'sent') {
  const org = session.org.id
  const rows = await (kind === 'counted'
    ? tx<{ id: string }[]>`
        select id from document where org_id = ${org} and kind = 'bonePreAcceptance' and role = 'counterparty'
           and from_org_id = ${plan.from_org_id} and fields->>'plan_sn' = ${plan.sn.split('/')[0]!}
           and state in ('reviewed', 'partial', 'completed')`
    : tx<{ id: string }[]>`
        select id from document where org_id = ${org} and kind = 'bonePresale' and role = 'own'
           and source_document_id = ${plan.id} and id <> ${doc.id}
           and state in ('reviewed', 'partial', 'completed', 'stopped')`)
  const documents = await loadDocuments(
    tx,
    org,
    rows.map(row => row.id),
  )
  return documents.flatMap(each => each.lines)
}

/**
 * Refuses to send other goods for an operation than those that the hospital counted there and found good, line by line
 * and piece by piece: the rest never left, and stays in the supplier's store until the supplier corrects the document
 * or records a loss.
 */
export async function refuseUncounted(ctx: ActionContext, plan: PlanRow): Promise<void> {
  const [good, sent] = [new Goods(), new Goods()]
  const counted = await linesOf(ctx, plan, 'counted')
  for (const line of counted) if (byName(line).conclusion !== 'failed') good.add(line)
  for (const line of await linesOf(ctx, plan, 'sent')) sent.add(line)
  for (const line of ctx.doc.lines) {
    sent.add(line)
    const refuse = (why: string) => {
      const msg = `第${line.line_no}行：${line.product_name ?? ''}批号${line.lot_no ?? '—'}${why}，请撤回提交后按预验收结果修改`
      return new BusinessError('rule', msg, [{ line: line.line_no, field: 'quantity', msg }])
    }
    const [counts, leaves] = [good.quantityOf(line), sent.quantityOf(line)]
    if (compare(leaves, counts) > 0) throw refuse(`医院预验收合格${plain(counts)}，出库${plain(leaves)}`)
    const missing = good.missing(line)
    if (missing !== undefined) throw refuse(`单品码${missing}不在医院预验收合格的物品中`)
  }
}
