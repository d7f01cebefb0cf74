import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { configNumberSql } from '#server/public/settings.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { ListActionHandler } from '#server/public/records.ts'
import { inOrganisation } from '#server/public/database.ts'

/** 催用提醒: reminds the holders of consigned goods close to expiry to use them first; once per lot, holder and day. */
export const remind: ListActionHandler = async ({ tx, session, ids }) => {
  const near = await tx<{ lot_id: string }[]>`
    select e.lot_id from stock_everywhere e
     where e.org_id = ${session.org.id} and e.id = any(${ids as string[]}) and e.place_kind = 'consigned_out'
       and e.expiry_date <= ${today()}::date + ${configNumberSql(tx, session.org.id, 'expiry_warning_days')}`
  if (near.length < ids.length)
    throw new BusinessError('rule', '只能对在外寄售的近效期批次催用，请只勾选存放类型为【在外寄售】、快到期的行')
  const asked = await tx`
    insert into use_reminder (org_id, customer_id, lot_id, day, specification_id, expiry_date, quantity, asked_by)
    select e.org_id, e.keeper_org_id, e.lot_id, ${today()}, e.specification_id, e.expiry_date, e.quantity,
      ${session.userName}
      from stock_everywhere e
     where e.org_id = ${session.org.id} and e.id = any(${ids as string[]}) and e.place_kind = 'consigned_out'
     order by 2, 3
    on conflict (org_id, customer_id, lot_id, day) do nothing returning lot_id`
  if (asked.length === 0) throw new BusinessError('rule', '今日已发送过催用提醒')
  const before = ids.length - asked.length
  return { said: `已提醒${asked.length}个批次的保管方${before > 0 ? `，${before}个批次今日已发送过催用提醒` : ''}` }
}

type Waiting = {
  org_id: string
  customer_id: string
  lot_id: string
  day: string
  owner: string
  product: string
  specification: string
  lot_no: string
  expiry_date: string
  quantity: Decimal
}

/**
 * Notifies the holders of their owners' reminders: each in a transaction of the holder, and marks the owner's row
 * afterwards.
 */
export async function notifyReminders(_app: Sql, owner: Sql): Promise<number> {
  const waiting = await owner<Waiting[]>`
    select r.org_id, r.customer_id, r.lot_id, r.day, o.name as owner, p.name as product, s.name as specification,
      t.lot_no, r.expiry_date, r.quantity
      from use_reminder r
      join organisation o on o.id = r.org_id
      join specification s on s.id = r.specification_id join product p on p.id = s.product_id
      join lot t on t.id = r.lot_id
     where r.notified_at is null order by r.org_id, r.day limit 200`
  for (const row of waiting) {
    const id = `${row.lot_id}-${row.day}`
    await inOrganisation(owner, row.customer_id, '0', async tx => {
      const [notified] = await tx`
        select 1 from message where org_id = ${row.customer_id} and from_org_id = ${row.org_id}
          and extra ->> 'reminds' = ${id} limit 1`
      if (notified) return
      await sendMessage(tx, row.customer_id, {
        title: '寄售货物请优先使用',
        body:
          `${row.owner}提醒：${row.product} ${row.specification} 批号${row.lot_no}有效期至${row.expiry_date}，现存` +
          `${plain(row.quantity)}，请优先使用`,
        uri: `/commonView/inventory?lot_no=${encodeURIComponent(row.lot_no)}`,
        objectId: row.lot_no,
        kind: 'stockBalance',
        extra: { reminds: id },
        from: { org: row.org_id, kind: 'stockLocator', id: row.lot_id },
      })
    })
    await inOrganisation(
      owner,
      row.org_id,
      '0',
      tx => tx`
      update use_reminder set notified_at = now()
       where org_id = ${row.org_id} and customer_id = ${row.customer_id} and lot_id = ${row.lot_id}
         and day = ${row.day}`,
    )
  }
  return waiting.length
}
