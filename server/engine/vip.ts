import { today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** What an organisation may have at its level of service, as far as the level says so. */
export async function refuseBeyondVip(tx: Tx, session: Session, what: 'user' | 'warehouse'): Promise<void> {
  const [level] = await tx<{ users: number | null; stores: number | null; has_users: number; has_stores: number }[]>`
    select v.user_limit as users, v.warehouse_limit as stores,
           (select count(*)::int from app_user u where u.org_id = o.id and u.status = 'enabled') as has_users,
           (select count(*)::int from warehouse w where w.org_id = ${session.org.id} and w.status = 'enabled' and w.model not in ('transit', 'consumed', 'stopSale')) as has_stores
      from organisation o join vip_level v on v.system_type = o.system_type and v.status = 'enabled'
       and v.code = case when o.vip_until is null or o.vip_until >= ${today()} then o.vip_level else 0 end
     where o.id = ${session.org.id}`
  const [most, used, name] =
    what === 'user' ? [level?.users, level?.has_users, '用户数'] : [level?.stores, level?.has_stores, '仓库数']
  if (most !== null && most !== undefined && (used ?? 0) >= most)
    throw new Refusal('rule', `${name}已达上限(${most})，请升级VIP等级`)
}
