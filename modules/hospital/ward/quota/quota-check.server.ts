import { add, compare, type Decimal, isPositive, least, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { atLeastNothing } from '#modules/hospital/ward/quota/month-quota.server.ts'
import { inClass, inForce, quotaUsed } from '#modules/hospital/ward/quota/quota-use.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Place = { readonly department: string; readonly day: string; readonly except: string }
type Goods = readonly { readonly specification_sn: string | null; readonly base_quantity: Decimal }[]

type Standing = {
  readonly department: string
  readonly class: string | null
  readonly amount: Decimal
  readonly used: Decimal
  readonly asked: Decimal
}

/** Until the action is over nobody else judges by these quotas: two requisitions do not both find the same rest. */
const lockQuotas = (tx: Tx, session: Session, { department, day }: Place) => tx`
  select q.id from department_quota q
   where q.org_id = ${session.org.id} and q.department_id = ${department} and ${inForce(tx, day)}
   order by q.id for update`

/** A department's quotas of the month, what was used of each, and what these goods would use of it. */
async function standings(
  tx: Tx,
  session: Session,
  { department, day, except }: Place,
  lines: Goods,
): Promise<readonly Standing[]> {
  const org = session.org.id
  const [sizes, quantities] = [lines.map(line => line.specification_sn), lines.map(line => line.base_quantity)]
  return tx<Standing[]>`
    select x.name as department, c.name as class, q.amount, ${quotaUsed(tx, org, day, except)} as used,
           (select coalesce(sum(round(n.quantity * h.purchase_price, 2)), 0)::numeric(18,2)
              from unnest(${sizes}::bigint[], ${quantities}::numeric[]) n(size, quantity)
              join hospital_product h on h.org_id = ${org} and h.specification_id = n.size
             where ${inClass(tx, org, tx`q.custom_type_id`, tx`n.size`)}) as asked
      from department_quota q
      join department x on x.org_id = q.org_id and x.id = q.department_id
      left join custom_type c on c.org_id = q.org_id and c.id = q.custom_type_id
     where q.org_id = ${org} and q.department_id = ${department} and ${inForce(tx, day)}
     order by q.custom_type_id nulls first`
}

/** 科室额度: the goods that a department requests in a month, or is issued without a request, stay within its quotas. */
export async function checkDepartmentQuota(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, settings } = ctx
  if (settings.claim_quota === 'off' || !doc.department_inner_sn) return
  const place = { department: doc.department_inner_sn, day: doc.business_date, except: doc.id }
  if ((await lockQuotas(tx, session, place)).length === 0) return
  for (const quota of await standings(tx, session, place, doc.lines)) {
    if (!isPositive(quota.asked) || compare(add(quota.used, quota.asked, 2), quota.amount) <= 0) continue
    const left = atLeastNothing(subtract(quota.amount, quota.used, 2))
    const msg = `科室【${quota.department}】${quota.class ?? ''}本月领用额度不足，剩余${plain(left)}元`
    if (settings.claim_quota === 'refuse') throw new BusinessError('rule', msg)
    ctx.warnings.push({ rule: 'claimQuota', msg: `${msg}，是否继续？` })
  }
}

/** The rest of the tightest quota of a department for these goods; null where no quota is for them. */
export async function quotaLeft(tx: Tx, session: Session, place: Place, lines: Goods): Promise<Decimal | null> {
  const lefts = (await standings(tx, session, place, lines)).flatMap(quota =>
    isPositive(quota.asked) ? [subtract(quota.amount, quota.used, 2)] : [],
  )
  const [first, ...others] = lefts
  return first === undefined ? null : least(first, ...others)
}
