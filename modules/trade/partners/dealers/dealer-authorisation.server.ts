import { VENDOR_BUYS } from '#kernel/values/organisation-type.ts'
import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  type Authorised,
  authorisedIn,
  divisionOf,
  heldFor,
  isCovered,
  problemsOfGoods,
} from '#modules/trade/licensing/authorisation-coverage.server.ts'
import { relationOf } from '#modules/trade/partners/dealers/dealer.server.ts'
import { sendAuthorisations } from '#modules/trade/licensing/authorisation-sync.server.ts'
import { parseDivisions, isWithin } from '#server/public/organisations.ts'
import type { Change, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * A manufacturer may grant for its own products; a dealer for products granted to it or, if none were, for those that a
 * live supplier offers.
 */
export async function isOursToGive(tx: Tx, session: Session, asked: Authorised): Promise<boolean> {
  if (session.org.type === 'V') {
    if (asked.product === null) return asked.maker === session.org.id
    const [own] = await tx`select 1 from product where id = ${asked.product} and manufacturer_id = ${session.org.id}`
    return own !== undefined
  }
  const held = await heldFor(tx, session.org.id, asked)
  if (held.length > 0) return isCovered(tx, held, asked)
  const [given] = await tx`
    select 1 from dealer_product p join specification s on s.id = p.specification_id
      join product g on g.id = s.product_id
      join org_relation r on r.org_id = ${session.org.id} and r.partner_id = p.supplier_id and r.status = 'enabled'
        and r.relation <> ${VENDOR_BUYS}
     where p.org_id = ${session.org.id}
       and speaks_of(${asked.product}, ${asked.maker}, ${asked.class}, g.id, g.manufacturer_id, g.class_code,
       g.class_code_2002) and p.status = 'enabled'
       and (r.valid_from is null or r.valid_from <= ${asked.from})
         and (r.valid_to is null or r.valid_to >= ${asked.to}) limit 1`
  return given !== undefined
}

/** The reason why we may not grant it: the upper authorisation does not allow passing on, or does not cover it. */
async function whyNotOurs(tx: Tx, session: Session, asked: Authorised): Promise<string> {
  const held = session.org.type === 'V' ? [] : await heldFor(tx, session.org.id, asked)
  const within = await isCovered(
    tx,
    held.map(one => ({ ...one, may_pass_on: true })),
    asked,
  )
  return within ? '上级授权书不允许转授权' : '授权范围超出上级授权'
}

/** An exclusive authorisation is the only one for its product, hospital and period. */
async function exclusiveRival(tx: Tx, session: Session, change: Change, asked: Authorised): Promise<string | null> {
  const rivals = await tx<
    { dealer: string; goods: string; hospital: string | null; hospital_id: string | null; area_codes: string[] }[]
  >`
    select o.name as dealer, case when a.product_id = ${asked.product}::bigint then '该产品'
      else concat('【', goods_name(a.product_id, a.manufacturer_id, a.class_code), '】') end as goods,
      h.name as hospital, a.hospital_id, a.area_codes from dealer_authorisation a
      join org_relation r on r.id = a.dealer_id join organisation o on o.id = r.partner_id
      left join organisation h on h.id = coalesce(a.hospital_id, ${asked.hospital})
     where a.org_id = ${session.org.id}
       and goods_meet(a.product_id, a.manufacturer_id, a.class_code, ${asked.product}, ${asked.maker}, ${asked.class})
       and a.dealer_id <> ${String(change.after.dealer_sn)} and a.status = 'enabled'
       and a.id is distinct from ${change.id}::bigint
       and (a.is_exclusive or ${change.after.is_exclusive === true})
       and (a.hospital_id is null or ${asked.hospital}::bigint is null or a.hospital_id = ${asked.hospital})
       and a.valid_from <= ${asked.to} and a.valid_to >= ${asked.from}
     order by a.id`
  const place = await divisionOf(tx, asked.hospital)
  const here = asked.hospital === null ? asked.areas : place
  const rival = rivals.find(one => one.hospital_id !== null || overlaps(here, one.area_codes))
  return rival ? `【${rival.hospital ?? '全部医院'}】${rival.goods}已独家授权给【${rival.dealer}】` : null
}

const overlaps = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === 0 || other.length === 0 || one.some(a => other.some(b => a.startsWith(b) || b.startsWith(a)))

/** A manufacturer that names no product grants everything it makes; others name the goods. */
async function goodsNamed(tx: Tx, session: Session, after: RecordRow) {
  if (!after.product_sn && !after.manufacturer_sn && session.org.type === 'V') after.manufacturer_sn = session.org.id
  if (!after.product_sn && !after.manufacturer_sn && !after.class_code)
    return [{ field: 'product_sn', msg: '请选择授权产品；授权全部产品时选择生产厂家，或填写产品类别' }]
  return problemsOfGoods(tx, after)
}

export const dealerAuthorisationRules: RecordRules = {
  kind: 'dealerAuthorisation',
  columns: tx => ({
    dealer_name: tx`(select o.name from organisation o where o.id = ${tx('to_dealer_sn.partner_id')})`,
  }),
  mayWrite(_session, action) {
    if (action === 'del') throw new BusinessError('blocked', '授权已发给经销商，不能删除，请停用')
  },
  async check(tx, session, change) {
    const area = parseDivisions(String(change.after.area ?? ''))
    if (area.unknown.length > 0)
      return [{ field: 'area', msg: `没有找到行政区划【${area.unknown[0]}】，请填写省、市或县的全称` }]
    change.after.area = area.names.length > 0 ? area.names.join('、') : null
    const wrong = await goodsNamed(tx, session, change.after)
    if (wrong.length > 0) return wrong
    const asked = authorisedIn(change)
    const [dealer] = await tx<{ name: string; status: string }[]>`
      select o.name, r.status from org_relation r join organisation o on o.id = r.partner_id
        where r.org_id = ${session.org.id} and r.id = ${String(change.after.dealer_sn)}
        and r.relation = ${relationOf(session)}`
    if (!dealer) return [{ field: 'dealer_sn', msg: '请选择相关机构。' }]
    if (asked.hospital !== null) {
      const [hospital] = await tx`select 1 from organisation where id = ${asked.hospital} and system_type = 1`
      if (!hospital) return [{ field: 'hospital_sn', msg: '授权医院应为医院' }]
      if (!isWithin(await divisionOf(tx, asked.hospital), asked.areas))
        return [{ field: 'area', msg: '授权医院不在授权区域内' }]
    }
    // A stopped authorisation does not block others.
    if (change.after.status === 'disabled') return []
    if (dealer.status === 'ended')
      return [{ field: 'dealer_sn', msg: `与【${dealer.name}】的合作已终止，请先恢复合作` }]
    if (!(await isOursToGive(tx, session, asked)))
      return [{ field: 'product_sn', msg: await whyNotOurs(tx, session, asked) }]
    const rival = await exclusiveRival(tx, session, change, asked)
    return rival ? [{ field: 'is_exclusive', msg: rival }] : []
  },
  // The driver writes arrays as they are; the type of the additionally written columns has plain values only.
  alsoWrites: async (_tx, _session, change) => ({ area_codes: authorisedIn(change).areas as unknown as string }),
  afterwards: (sql: Sql, session) => sendAuthorisations(sql, session.org.id),
}

export const heldAuthorisationRules: RecordRules = {
  kind: 'heldAuthorisation',
  columns: (tx, session) => ({
    held_state: tx`case when t.status <> 'enabled' then 'disabled' when t.valid_to < ${today()} then 'expired'
      when t.valid_from > ${today()} then 'waiting'
      when t.valid_to <= ${today()}::date + licence_lead(${session.org.id}, t.licence_type) then 'expiring'
        else 'valid' end`,
  }),
}
