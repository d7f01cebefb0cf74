import { catalogueOf } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import { ASKED, missingOf, similarOf } from '#modules/trade/catalogue/products/release-readiness.server.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const ofSizes = (tx: Tx, what: Fragment): Fragment =>
  tx`(select ${what} from specification s left join registration_certificate c on c.id = s.registration_certificate_id
    where s.product_id = t.id and s.mapped_to_id is null)`

const whilePending = (tx: Tx, what: Fragment): Fragment => tx`case when t.status = 'pending' then ${what} end`

/** How the regulator's published identifiers compare with the sizes: the same, different, or no data. */
const udiCheck = (tx: Tx): Fragment => tx`(
  select left(string_agg(distinct case when u.id is null then '未收录：' || s.udi_di else coalesce(x.said, '一致') end, '；'),
    300)
    from specification s left join udi_device u on u.primary_di = s.udi_di and u.is_current
    left join lateral (select d.said from udi_difference d where d.specification_id = s.id limit 1) x on true
   where s.product_id = t.id and s.mapped_to_id is null and s.udi_di is not null)`

/** The holder of each certificate as published by the regulator, beside the named manufacturer. */
const certificateCheck = (tx: Tx): Fragment => tx`(
  select left(string_agg(distinct case when k.registrant is null then '未收录：' || c.certificate_no
    when k.registrant <> o.name then c.certificate_no || '的注册人为' || k.registrant else '一致' end, '；'), 300)
    from specification s join registration_certificate c on c.id = s.registration_certificate_id
      join organisation o on o.id = t.manufacturer_id
    left join lateral (select u.registrant from udi_device u where u.certificate_no = c.certificate_no and u.is_current
      and u.registrant is not null limit 1) k on true
   where s.product_id = t.id and s.mapped_to_id is null)`

/** Columns of a product's list beside its own fields. */
export const productColumns = (tx: Tx, session: Session): Record<string, Fragment> => ({
  specification_count: ofSizes(tx, tx`count(*)::int`),
  specification_names: ofSizes(tx, tx`nullif(left(string_agg(s.name, '、' order by s.code), 200), '')`),
  packing: tx`(select nullif(left(string_agg(distinct '1' || u.name || '=' || u.base_measure || s.unit_name, '、'),
    120), '')
                from specification s join pack_unit u on u.specification_id = s.id
                  where s.product_id = t.id and s.mapped_to_id is null and u.base_measure > 1)`,
  udi_di: ofSizes(tx, tx`min(s.udi_di)`),
  insurance_code: ofSizes(tx, tx`min(s.insurance_code)`),
  registration_no: ofSizes(tx, tx`min(c.certificate_no)`),
  registration_expiry: ofSizes(tx, tx`min(c.valid_to)`),
  is_picked: tx`exists (select 1 from specification s
    where s.product_id = t.id and s.id in (${catalogueOf(tx, session)}))`,
  // Only the platform and the manufacturer see how many organisations adopted it.
  picked_orgs:
    session.org.type === 'P' || session.org.type === 'V'
      ? tx`case when ${session.org.type === 'P' ? tx`true` : tx`t.manufacturer_id = ${session.org.id}`}
        then (select count(*)::int from product_pick k where k.product_id = t.id) end`
      : tx`null::int`,
  missing: tx`nullif(array_to_string(${missingOf(tx)}, '、'), '')`,
  completeness: tx`((${ASKED}::int - cardinality(${missingOf(tx)}))::numeric / ${ASKED}::int)::numeric(5,2)`,
  days_in_state: tx`(extract(epoch from now() - t.state_since) / 86400)::int`,
  similar_count: tx`case when t.status = 'pending' then (select count(*)::int from (${similarOf(tx)}) x) end`,
  udi_check: whilePending(tx, udiCheck(tx)),
  certificate_check: whilePending(tx, certificateCheck(tx)),
  used_papers: tx`(select count(distinct l.document_id)::int from document_line l
    join specification s on s.id = l.specification_id where l.org_id = ${session.org.id} and s.product_id = t.id)`,
  builder_type: tx`(${tx('to_built_by_sn.system_type')})::text`,
  release_code: tx`(select r.code from product_release_line l join product_release r on r.id = l.product_release_id
    where l.product_id = t.id and r.state <> 'cancelled' order by r.id desc limit 1)`,
  taken: tx`case when t.taken_until > now() then t.taken_by end`,
  matched_name: tx`(select m.name from product m where m.id = t.matched_id)`,
})
