import type { Tx } from '#server/public/database.ts'

/** Normalises names of both sides: without case, width, spaces and punctuation. */
const alike = (tx: Tx, text: ReturnType<Tx>) => tx`
  regexp_replace(lower(normalize(${text}, nfkc)), '[[:space:]()\\[\\]{}_/·.,;:，。、；：*×+-]+', '', 'g')`

/**
 * 自动对照: for chargeable goods that nobody matched, in this order: the same 医保耗材编码, the same HIS编码, the same UDI-DI,
 * equal names, models and makers. A later criterion chooses among the candidates of an earlier one; if several remain,
 * people decide.
 */
export async function proposeMatches(tx: Tx, org: string): Promise<{ proposed: number; several: number }> {
  const [counted] = await tx<{ proposed: number; several: number }[]>`
    with open as (
      select h.id, h.specification_id, left(h.insurance_code, 20) as insurance_code,
             coalesce(h.his_code, s.his_code) as material_code, s.udi_di,
             ${alike(tx, tx`concat_ws('|', p.name, s.name, o.name)`)} as named
        from hospital_product h join specification s on s.id = h.specification_id
        join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id
        left join his_match m on m.org_id = h.org_id and m.id = h.id
       where h.org_id = ${org} and h.status = 'enabled' and h.is_chargeable
         and coalesce(m.match_state, 'none') = 'none'
    ), item as (
      select i.id, left(i.insurance_code, 20) as insurance_code, i.material_code, i.udi_di,
             ${alike(tx, tx`concat_ws('|', i.item_name, i.his_specification, i.manufacturer)`)} as named
        from his_item i where i.org_id = ${org} and i.is_active
    ), hit as (
      select o.id, i.id as his_item_id, 8 as weight, '医保耗材编码' as basis
        from open o join item i on i.insurance_code = o.insurance_code
      union all select o.id, i.id, 4, 'HIS编码' from open o join item i on i.material_code = o.material_code
      union all select o.id, i.id, 2, 'UDI-DI' from open o join item i on i.udi_di = o.udi_di
      union all select o.id, i.id, 1, '名称、规格和厂家' from open o join item i on i.named = o.named
    ), candidate as (
      select id, his_item_id, sum(weight) as score, (array_agg(basis order by weight desc))[1] as basis
        from hit group by id, his_item_id
    ), best as (
      select c.*, count(*) over (partition by c.id) as equals
        from (select x.*, max(x.score) over (partition by x.id) as highest from candidate x) c
       where c.score = c.highest
    ), proposed as (
      insert into his_match as m (org_id, id, specification_id, match_state, his_item_id, basis)
      select ${org}, b.id, o.specification_id, 'proposed', b.his_item_id, b.basis
        from best b join open o on o.id = b.id where b.equals = 1
      on conflict (org_id, id) do update set match_state = 'proposed', his_item_id = excluded.his_item_id,
        basis = excluded.basis, factor = 1, version = m.version + 1
      returning m.id
    )
    select (select count(*)::int from proposed) as proposed,
           (select count(distinct id)::int from best where equals > 1) as several`
  return counted!
}
