import { BusinessError } from '#kernel/rules/errors.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { storeItems } from '#modules/hospital/charges/matching/dictionary.server.ts'
import { askHis, connectedHis, hisSender, type HisItemOrder } from '#server/public/outbound.ts'
import type { ListActionHandler } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const SENDER = 'catalogueItem'

/** A row of the catalogue as it is sent to the HIS; its reference is the row's id. */
async function composeItem(tx: Tx, org: string, id: string): Promise<HisItemOrder | null> {
  const [row] = await tx<(HisItemOrder & { readonly price: Decimal | null })[]>`
    select s.code as specification_code, p.name as item_name, s.name as specification, s.unit_name as unit,
           h.charge_price::text as price, o.name as manufacturer, h.insurance_code, s.udi_di
      from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id
     where h.org_id = ${org} and h.id = ${id} and h.status = 'enabled'`
  return row ?? null
}

/** 推送HIS: stores the HIS's item for the row in our copy of its dictionary. */
export const catalogueItemSender = hisSender<'publishItem'>({
  name: SENDER,
  write: 'publishItem',
  compose: composeItem,
  accepted: async (tx, org, _reference, item) => void (await storeItems(tx, org, [item])),
})

/** Sends the ticked rows; each is sent once in each of its states, and its answer is stored in its row. */
export const publishRows: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  if ((await connectedHis(tx, org)) === null) throw new BusinessError('rule', '本机构未接通HIS接口，不能推送产品目录')
  const rows = await tx<{ id: string; version: number; code: string }[]>`
    select h.id, h.version, s.code from hospital_product h join specification s on s.id = h.specification_id
     where h.org_id = ${org} and h.id::text = any(${ids as string[]}) and h.status = 'enabled' order by h.id`
  if (rows.length < ids.length) throw new BusinessError('notFound', '有的产品不存在或已停用，请刷新后重新勾选')
  let sent = 0
  for (const { id, version, code } of rows) {
    const key = `${SENDER}:${id}:${version}`
    if (await askHis(tx, org, { sender: SENDER, key, title: '产品目录推送', reference: id, objectNo: code })) sent += 1
  }
  await tx`
    insert into his_match as m (org_id, id, specification_id, push_call_id)
    select h.org_id, h.id, h.specification_id, c.id
      from hospital_product h
      join outbound_call c on c.org_id = h.org_id and c.call_key = ${SENDER} || ':' || h.id || ':' || h.version
     where h.org_id = ${org} and h.id = any(${rows.map(row => row.id)}::bigint[])
    on conflict (org_id, id) do update set push_call_id = excluded.push_call_id`
  return { said: `已推送${sent}个规格，${rows.length - sent}个自上次推送后没有变化` }
}
