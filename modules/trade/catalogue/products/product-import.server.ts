import { BusinessError } from '#kernel/rules/errors.ts'
import { today } from '#kernel/values/date.ts'
import { countLights } from '#modules/trade/licensing/dealer-lights.server.ts'
import { noteStep } from '#modules/trade/catalogue/release/product-step.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { configValue } from '#server/public/settings.ts'
import { refuseBeyondVip } from '#modules/base/settings/plan-limits.server.ts'
import type { RecordAction, RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** 引入: a released product with its sizes is added to the caller's own catalogue. */
export const pick: RecordAction = async (tx, session, row) => {
  const product = String(row.product_sn)
  if (typeof row.withdrawn_on === 'string' && row.withdrawn_on <= today())
    throw new BusinessError('rule', `产品已停用：${String(row.name)}`)
  await refuseBeyondVip(tx, session, 'product')
  if (session.org.type === 'H' && (await configValue(tx, session.org.id, 'admission_required')) === true)
    return applyFor(tx, session, row)
  const coded = (await configValue(tx, session.org.id, 'unit_coded')) === true
  const added =
    session.org.type === 'H'
      ? await tx`
      insert into hospital_product (org_id, specification_id, admission_state, is_unit_coded, tax_rate, insurance_code)
      select ${session.org.id}, s.id, 'not_admitted', p.is_unit_coded or ${coded}, s.tax_rate,
        left(s.insurance_code, 20)
        from specification s join product p on p.id = s.product_id
          where s.product_id = ${product} and s.status = 'released'
      on conflict (org_id, specification_id) do nothing returning id`
      : await tx`
      insert into dealer_product (org_id, specification_id, is_unit_coded, tax_rate)
      select ${session.org.id}, s.id, p.is_unit_coded or ${coded}, s.tax_rate
        from specification s join product p on p.id = s.product_id
          where s.product_id = ${product} and s.status = 'released'
      on conflict (org_id, specification_id) do nothing returning id`
  if (added.length === 0) throw new BusinessError('duplicate', '产品已在本机构目录中')
  await tx`insert into product_pick (product_id, picker_id) values (${product}, ${session.org.id}) on conflict
    do nothing`
  if (session.org.type === 'D') await countLights(tx, session.org.id, [product])
}

/** Creates an application for admission of the picked product if the organisation requires one. */
async function applyFor(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const sizes = await tx<{ id: string }[]>`
    select s.id from specification s where s.product_id = ${String(row.product_sn)} and s.status = 'released'
       and not exists (select 1 from hospital_product h
         where h.org_id = ${session.org.id} and h.specification_id = s.id and h.admission_state = 'admitted')
       and not exists (select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
                        where d.org_id = ${session.org.id} and d.kind = 'admission'
                          and d.state in ('draft', 'submitted', 'rejected') and l.specification_id = s.id)
     order by s.code`
  if (sizes.length === 0) throw new BusinessError('duplicate', '产品已在本机构目录中，或已有在途准入申请')
  await createSystemDraft(
    tx,
    session,
    'admission',
    { remark: `引入${String(row.name)}` },
    sizes.map(({ id }) => ({ specification_sn: id })),
  )
}

/** 复制: a draft copy, including sizes and packs, without the identifiers that name the original. */
export const copyProduct: RecordAction = async (tx, session, row) => {
  const product = String(row.product_sn)
  if (session.org.type === 'V') await refuseBeyondVip(tx, session, 'product')
  const [made] = await tx<{ id: string }[]>`
    insert into product (code, name, generic_name, english_name, brand, manufacturer_id, registrant_name, country,
      device_class, class_code, class_code_2002, custom_type,
           is_high_value, is_implant, is_interventional, is_sterile, is_single_use, is_reagent, is_cold_chain,
             is_unit_coded, sterilisation, temperature_low, temperature_high,
           storage_condition, shelf_life_months, base_unit, tax_rate, scope, structure, pinyin, status, built_by_id)
    select ${session.org.type === 'P' || session.org.type === 'V' ? 'P' : 'T'} || nextval('reference_id_seq'),
      left(name || '（副本）', 100), generic_name, english_name, brand,
           manufacturer_id, registrant_name, country, device_class, class_code, class_code_2002, custom_type,
           is_high_value, is_implant, is_interventional, is_sterile, is_single_use, is_reagent, is_cold_chain,
             is_unit_coded, sterilisation, temperature_low, temperature_high,
           storage_condition, shelf_life_months, base_unit, tax_rate, scope, structure, pinyin,
             ${session.org.type === 'P' ? 'unreleased' : 'self_built'}, ${session.org.id}
      from product p where p.id = ${product}
       and not exists (select 1 from product o where o.manufacturer_id = p.manufacturer_id and o.name =
         left(p.name || '（副本）', 100) and o.built_by_id = ${session.org.id})
    returning id`
  if (!made) throw new BusinessError('duplicate', `产品名称【${String(row.name)}（副本）】已存在，请先修改该产品的名称`)
  await tx`
    insert into specification (code, product_id, name, model, registration_certificate_id, unit_name,
      minimum_sales_unit, price, tax_rate, lot_required, serial_required, expiry_required, status)
    select n.code || '-' || lpad((row_number() over (order by s.code))::text, 2, '0'), n.id, s.name, s.model,
      s.registration_certificate_id, s.unit_name, s.minimum_sales_unit,
           s.price, s.tax_rate, s.lot_required, s.serial_required, s.expiry_required, n.status
      from specification s join product n on n.id = ${made.id}
        where s.product_id = ${product} and s.mapped_to_id is null`
  await noteStep(tx, session, made.id, {
    action: '复制',
    from: null,
    to: 'self_built',
    note: `来自${String(row.code)}`,
  })
}
