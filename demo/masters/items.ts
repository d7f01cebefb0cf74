import { parseInteger } from '#kernel/values/integer.ts'
import { multiply } from '#kernel/values/decimal.ts'
import type { TransactionSql } from 'postgres'
import { loadCatalogueLife } from '#demo/masters/catalogue.ts'
import { loadCodes } from '#demo/masters/codes.ts'
import type { Organisations } from '#demo/masters/organisations.ts'
import type { Masters } from '#demo/masters/masters.ts'
import { idOf, idOrNull, insertRows, newIds, type TableRow } from '#demo/rows.ts'
import { type DemoRow, demoTable } from '#demo/tables.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'

export type Goods = Pick<Masters, 'products' | 'specifications'>

/** Certificates, products, specifications with their packs, price agreements and each organisation's catalogue. */
export async function loadGoods(tx: TransactionSql, orgs: Organisations): Promise<Goods> {
  const { organisations } = orgs
  const certificates = await loadCertificates(tx, organisations)
  const products = await loadProducts(tx, organisations)
  const specifications = await loadSpecifications(tx, products, certificates)
  await loadPacks(tx, specifications)
  await loadAgreements(tx, organisations, specifications)
  await loadHospitalProducts(tx, orgs, specifications)
  await loadDealerProducts(tx, orgs, specifications)
  await loadCodes(tx, organisations, specifications)
  await loadCatalogueLife(tx)
  return { products, specifications }
}

const flag = (cell: string | null | undefined): boolean => cell === '1'
const productStates: Readonly<Record<string, string>> = {
  已发布: 'released',
  待审核: 'pending',
  未发布: 'unreleased',
  停用: 'withdrawn',
  自建: 'self_built',
}
const stateOf = (row: DemoRow): string => productStates[row.state ?? ''] ?? 'released'

async function loadCertificates(tx: TransactionSql, orgs: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const rows = demoTable('registration_certificates')
  const ids = await newIds(
    tx,
    rows.map(row => row.certificate_no ?? ''),
  )
  await insertRows(
    tx,
    'registration_certificate',
    rows.map(row => ({
      id: idOf(ids, row.certificate_no),
      certificate_no: row.certificate_no ?? '',
      certificate_kind: row.certificate_kind === '备案凭证' ? 'filing' : 'registration',
      product_name: row.product_name ?? '',
      holder_org_id: idOf(orgs, row.org_code),
      registrant_name: row.registrant_name ?? null,
      agent_name: row.agent_name ?? null,
      country: row.country ?? null,
      production_address: row.production_address ?? null,
      device_class: row.device_class ?? '',
      class_code: row.class_code ?? null,
      approval_department: row.approval_department ?? null,
      approved_on: row.approved_on ?? null,
      valid_from: row.valid_from ?? '',
      valid_to: row.valid_to ?? null,
      previous_certificate_no: row.previous_certificate_no ?? null,
      renewal_state: row.renewal_state ?? null,
      structure: row.structure ?? null,
      scope: row.scope ?? null,
    })),
  )
  return ids
}

async function loadProducts(tx: TransactionSql, orgs: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const rows = demoTable('products')
  const ids = await newIds(
    tx,
    rows.map(row => row.product_code ?? ''),
  )
  await insertRows(
    tx,
    'product',
    rows.map(row => ({
      id: idOf(ids, row.product_code),
      code: row.product_code ?? '',
      name: row.name ?? '',
      generic_name: row.generic_name ?? null,
      english_name: row.english_name ?? null,
      brand: row.brand ?? null,
      manufacturer_id: idOf(orgs, row.org_code),
      registrant_name: row.registrant_name ?? null,
      country: row.country ?? null,
      device_class: row.device_class ?? '',
      class_code: row.class_2017 ?? null,
      class_code_2002: row.class_2002 ?? null,
      custom_type: row.custom_type ?? null,
      is_high_value: flag(row.is_high_value),
      is_implant: flag(row.is_implant),
      is_interventional: flag(row.is_interventional),
      is_sterile: flag(row.is_sterile),
      is_single_use: flag(row.is_single_use),
      is_reagent: flag(row.is_reagent),
      is_cold_chain: flag(row.is_cold_chain),
      is_unit_coded: flag(row.is_unit_coded),
      storage_condition: row.storage_condition ?? null,
      sterilisation: row.sterilisation ?? null,
      temperature_low: row.temperature_min ?? null,
      temperature_high: row.temperature_max ?? null,
      is_collective: flag(row.is_centralised),
      shelf_life_months: row.shelf_life_months ?? null,
      base_unit: row.base_unit ?? '',
      tax_rate: parseInteger(row.tax_rate),
      scope: row.scope ?? null,
      structure: row.structure ?? null,
      pinyin: pinyinInitials(row.name ?? ''),
      status: stateOf(row),
      built_by_id: idOrNull(orgs, row.built_by),
    })),
  )
  return ids
}

async function loadSpecifications(
  tx: TransactionSql,
  products: ReadonlyMap<string, string>,
  certificates: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const rows = demoTable('specifications')
  const ids = await newIds(
    tx,
    rows.map(row => row.specification_code ?? ''),
  )
  await insertRows(
    tx,
    'specification',
    rows.map(row => ({
      id: idOf(ids, row.specification_code),
      code: row.specification_code ?? '',
      product_id: idOf(products, row.product_code),
      name: row.specification ?? '',
      model: row.model ?? null,
      udi_di: row.udi_di ?? null,
      registration_certificate_id: idOrNull(certificates, row.certificate_no),
      unit_name: row.base_unit ?? '',
      minimum_sales_unit: row.minimum_sales_unit ?? null,
      price: row.price_dealer_hospital ?? row.price_vendor_dealer ?? '0',
      tax_rate: parseInteger(row.tax_rate),
      insurance_code: row.insurance_code_27 ?? null,
      lot_required: flag(row.lot_required),
      serial_required: flag(row.serial_required),
      expiry_required: flag(row.expiry_required),
      status: stateOf(row),
    })),
  )
  return ids
}

/** "1 pack = measure x 1 smaller unit": the first pack holds base units, the second holds first packs. */
async function loadPacks(tx: TransactionSql, specifications: ReadonlyMap<string, string>): Promise<void> {
  const rows = demoTable('specifications').filter(row => row.pack1_unit)
  const firsts = await newIds(
    tx,
    rows.map(row => row.specification_code ?? ''),
  )
  await insertRows(
    tx,
    'pack_unit',
    rows.map(row => ({
      id: idOf(firsts, row.specification_code),
      specification_id: idOf(specifications, row.specification_code),
      parent_id: null,
      name: row.pack1_unit ?? '',
      measure: parseInteger(row.pack1_measure),
      udi_di: row.pack1_udi_di ?? null,
      base_measure: parseInteger(row.pack1_measure),
    })),
  )
  await insertRows(
    tx,
    'pack_unit',
    rows
      .filter(row => row.pack2_unit)
      .map(row => ({
        specification_id: idOf(specifications, row.specification_code),
        parent_id: idOf(firsts, row.specification_code),
        name: row.pack2_unit ?? '',
        measure: parseInteger(row.pack2_measure),
        udi_di: row.pack2_udi_di ?? null,
        base_measure: parseInteger(row.pack1_measure) * parseInteger(row.pack2_measure),
      })),
  )
}

/** An agreement is recorded in the books of both sides. */
async function loadAgreements(
  tx: TransactionSql,
  orgs: ReadonlyMap<string, string>,
  specifications: ReadonlyMap<string, string>,
): Promise<void> {
  await insertRows(
    tx,
    'price_agreement',
    demoTable('price_agreements').flatMap(row =>
      [row.seller_org, row.buyer_org].map(
        (org): TableRow => ({
          org_id: idOf(orgs, org),
          seller_id: idOf(orgs, row.seller_org),
          buyer_id: idOf(orgs, row.buyer_org),
          specification_id: idOf(specifications, row.specification_code),
          price: row.price_taxed ?? '0',
          tax_rate: parseInteger(row.tax_rate),
          contract_no: row.contract_no ?? null,
          lead_days: row.lead_days ?? null,
          is_preferred: flag(row.is_preferred),
          valid_from: row.valid_from ?? '',
          valid_to: row.valid_to ?? null,
        }),
      ),
    ),
  )
}

async function loadHospitalProducts(
  tx: TransactionSql,
  orgs: Organisations,
  specifications: ReadonlyMap<string, string>,
): Promise<void> {
  await insertRows(
    tx,
    'hospital_product',
    demoTable('hospital_products').map(row => ({
      org_id: idOf(orgs.organisations, row.hospital_code),
      specification_id: idOf(specifications, row.specification_code),
      admission_no: row.admission_no ?? null,
      admission_state: row.admission_state === '已准入' ? 'admitted' : 'not_admitted',
      admitted_on: row.admitted_on ?? null,
      regime: row.ownership === '寄售' ? 'consigned' : 'purchased',
      is_unit_coded: row.management_mode === '一物一码',
      supplier_id: idOrNull(orgs.organisations, row.supplier_org),
      purchase_price: row.purchase_price ?? '0',
      tax_rate: parseInteger(row.tax_rate),
      markup_rate: row.markup_rate ?? '0',
      charge_price: row.charge_price ?? null,
      is_chargeable: flag(row.is_chargeable),
      his_code: row.his_code ?? null,
      his_charge_code: row.his_charge_code ?? null,
      insurance_code: row.insurance_code_20 ?? null,
      listing_code: row.listing_code ?? null,
      listed_price: row.listing_code ? multiply(String(row.purchase_price), '1.3', 2) : null,
      collective_batch: row.centralised_batch ?? null,
      collective_from: row.centralised_from ?? null,
      collective_to: row.centralised_to ?? null,
      agreed_quantity: row.agreed_quantity ?? null,
      open_vial_days: row.open_vial_days ?? null,
      tests_per_kit: row.tests_per_kit ?? null,
      minimum: row.minimum ?? null,
      maximum: row.maximum ?? null,
      expiry_warning_days: parseInteger(row.expiry_warning_days ?? 180),
      default_warehouse_id: idOrNull(orgs.warehouses, row.default_warehouse),
      accounting_class: row.accounting_class ?? null,
      status: 'enabled',
    })),
  )
}

/**
 * A dealer's catalogue is what it buys or sells; a maker's is what it makes. Prices come from the agreements in
 * effect.
 */
async function loadDealerProducts(
  tx: TransactionSql,
  orgs: Organisations,
  specifications: ReadonlyMap<string, string>,
): Promise<void> {
  const agreements = demoTable('price_agreements').filter(row => row.state === '生效')
  const makers = new Map(demoTable('products').map(row => [row.product_code, row.org_code]))
  const unitCoded = new Map(demoTable('products').map(row => [row.product_code, flag(row.is_unit_coded)]))
  const traders = [...orgs.organisations.keys()].filter(org => org.startsWith('D') || org.startsWith('V'))
  const rows = traders.flatMap(org =>
    demoTable('specifications').flatMap((row): TableRow[] => {
      const bought = agreements.find(
        agreement => agreement.buyer_org === org && agreement.specification_code === row.specification_code,
      )
      const sold = agreements.find(
        agreement => agreement.seller_org === org && agreement.specification_code === row.specification_code,
      )
      const isMaker = makers.get(row.product_code ?? '') === org
      if (!bought && !sold && !isMaker) return []
      return [
        {
          org_id: idOf(orgs.organisations, org),
          specification_id: idOf(specifications, row.specification_code),
          supplier_id: idOrNull(orgs.organisations, bought?.seller_org),
          purchase_price: bought?.price_taxed ?? '0',
          sale_price: sold?.price_taxed ?? row.price_vendor_dealer ?? '0',
          tax_rate: parseInteger(row.tax_rate),
          default_warehouse_id: idOrNull(orgs.warehouses, `${org}-W01`),
          is_unit_coded: unitCoded.get(row.product_code ?? '') ?? false,
        },
      ]
    }),
  )
  await insertRows(tx, 'dealer_product', rows)
}
