import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { plain } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { configValue } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Level = {
  readonly users: number | null
  readonly stores: number | null
  readonly products: number | null
  readonly calls: number | null
  readonly messages: number | null
  readonly storage_gb: string | null
}

/** An organisation's current service level; an expired one counts as the free one. */
async function levelOf(tx: Tx, org: string): Promise<Level | undefined> {
  const [level] = await tx<Level[]>`
    select v.user_limit as users, v.warehouse_limit as stores, v.product_limit as products, v.call_limit as calls,
      v.sms_limit as messages, v.storage_gb::text as storage_gb
      from organisation o join vip_level v on v.system_type = o.system_type and v.status = 'enabled'
       and v.code = case when o.vip_until is null or o.vip_until >= ${today()} then o.vip_level else 0 end
     where o.id = ${org}`
  return level
}

const counts = {
  user: (tx: Tx, org: string) =>
    tx`select count(*)::int as n from app_user u where u.org_id = ${org} and u.status = 'enabled'`,
  warehouse: (tx: Tx, org: string) =>
    tx`select count(*)::int as n from warehouse w where w.org_id = ${org} and w.status = 'enabled'
      and w.model not in ('transit', 'consumed', 'stopSale')`,
  product: (tx: Tx, org: string) =>
    tx`select (select count(*) from hospital_product h where h.org_id = ${org} and h.status = 'enabled')::int
            + (select count(*) from dealer_product d where d.org_id = ${org} and d.status = 'enabled')::int
            + (select count(*) from product p where p.manufacturer_id = ${org} and p.status <> 'withdrawn')::int as n`,
} as const
const limits = {
  user: ['users', '用户数'],
  warehouse: ['stores', '仓库数'],
  product: ['products', '产品数'],
} as const

/**
 * Refuses one more of a kind than the service level of the organisation allows, as far as the level limits it. A limit
 * lowered below the current count allows nothing new.
 */
export async function refuseBeyondVip(tx: Tx, session: Session, what: keyof typeof counts): Promise<void> {
  const [field, name] = limits[what]
  const most = (await levelOf(tx, session.org.id))?.[field]
  if (most === null || most === undefined) return
  const [row] = (await counts[what](tx, session.org.id)) as unknown as { n: number }[]
  if ((row?.n ?? 0) >= most) throw new BusinessError('rule', `${name}已达上限(${most})，请升级VIP等级`)
}

const GIGABYTE = 1024 ** 3

/** Refuses a file that exceeds the organisation's storage space. */
export async function refuseFullStore(tx: Tx, session: Session, bytes: number): Promise<void> {
  const most = (await levelOf(tx, session.org.id))?.storage_gb
  if (most === null || most === undefined) return
  const [row] = await tx<{ used: string }[]>`
    select coalesce(sum(size), 0)::text as used from stored_file where org_id = ${session.org.id} and came_from is null`
  if (parseInteger(row?.used ?? 0) + bytes > inexact(String(most)) * GIGABYTE)
    throw new BusinessError('rule', `附件空间已用满(${plain(String(most))}GB)，请清理附件或升级VIP等级`)
}

/** The error for a call to another system that exceeds the organisation's quota; null: it may go. */
export async function beyondCalls(tx: Tx, org: string, system: string): Promise<string | null> {
  const level = await levelOf(tx, org)
  if (system === 'sms') {
    const own = inexact((await configValue(tx, org, 'sms_quota')) as number)
    const most = own > 0 ? own : level?.messages
    if (most === null || most === undefined) return null
    const [row] = await tx<{ n: number }[]>`
      select count(*)::int as n from outbound_call where org_id = ${org} and system = 'sms' and state = 'succeeded'
         and at >= date_trunc('month', ${today()}::date)::timestamp at time zone 'Asia/Shanghai'`
    return row!.n < most ? null : `短信额度已用完(${most}条/月)，请升级VIP等级`
  }
  const most = level?.calls
  if (most === null || most === undefined) return null
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from outbound_call where org_id = ${org} and system <> 'sms' and state = 'succeeded'
       and at >= (${today()}::date)::timestamp at time zone 'Asia/Shanghai'`
  return row!.n < most ? null : `接口调用额度已用完(${most}次/日)，请升级VIP等级`
}
