import type { Day } from '#kernel/values/date.ts'
import { addDays, compactDay, daysBetween } from '#kernel/values/date.ts'
import type { Masters } from '#demo/masters/masters.ts'
import { FULL_PACE, OPENING } from '#demo/simulation/calendar.ts'
import { idOf } from '#demo/rows.ts'
import { type DemoRow, demoTable } from '#demo/tables.ts'
import type { Regime } from '#kernel/definition/document.ts'
import { inexact } from '#kernel/values/inexact.ts'

/** A specification as known to those who make and trade it. */
export type Good = {
  readonly code: string
  readonly id: string
  readonly product: string
  readonly maker: string
  readonly di: string | null
  readonly isUnitCoded: boolean
  readonly isHighValue: boolean
  readonly isImplant: boolean
  readonly isFirst: boolean
  readonly shelfMonths: number
  /** A location in a store with the required temperature; frozen goods have none in the demo. */
  readonly place: string | null
  readonly pack: number
  readonly makerPrice: string
  /** The last day on which it may be ordered and received. */
  readonly tradableUntil: Day | null
}

/** A line of a hospital's catalogue: owner, supplier, store, and how much of it is used. */
export type Stocked = {
  readonly hospital: string
  readonly good: Good
  readonly supplier: string
  readonly regime: Regime
  readonly store: string
  readonly isUnitCoded: boolean
  readonly weekly: number
  readonly minimum: number
  readonly price: string
}

/** One ward's weekly use of one specification, and the stock it keeps. */
export type WardUse = {
  readonly ward: string
  readonly supply: string
  readonly good: Good
  readonly weekly: number
  /** The approximate cost of a week's use, to distinguish dear goods from cheap ones. */
  readonly worth: number
  readonly trend: number
  readonly maximum: number
  readonly byPatient: boolean
  readonly isUnitCoded: boolean
}

/** One specification of one operation. */
export type SurgeryItem = { readonly good: Good; readonly quantity: number; readonly way: '库存' | '寄售' | '跟台' }
export type Surgery = {
  readonly row: DemoRow
  readonly hospital: string
  readonly day: Day
  readonly done: boolean
  readonly items: readonly SurgeryItem[]
  readonly patient: DemoRow | undefined
}

export type Catalogue = {
  readonly goods: ReadonlyMap<string, Good>
  readonly stocked: readonly Stocked[]
  readonly wards: readonly WardUse[]
  readonly surgeries: readonly Surgery[]
  readonly patients: readonly DemoRow[]
  /** Pieces of a specification that a hospital's operations need between two days. */
  readonly surgeryNeed: (hospital: string, code: string, from: Day, to: Day) => number
}

const flag = (cell: string | null | undefined): boolean => cell === '1'
const number = (cell: string | null | undefined): number => inexact(cell ?? 0)

function loadGoods(masters: Masters): Map<string, Good> {
  const products = new Map(demoTable('products').map(row => [row.product_code, row]))
  const certificates = demoTable('registration_certificates')
  const lastDay = (no: string | null | undefined): Day | null => {
    const renewed = certificates.find(
      row => row.previous_certificate_no === no && no !== null && row.renewal_state !== '已受理',
    )
    return ((renewed ?? certificates.find(row => row.certificate_no === no))?.valid_to as Day | null) ?? null
  }
  const seen = new Set<string>()
  return new Map(
    demoTable('specifications')
      .filter(row => row.state === '已发布')
      .map(row => {
        const product = products.get(row.product_code ?? '')!
        const isFirst = !seen.has(row.product_code ?? '')
        seen.add(row.product_code ?? '')
        const good: Good = {
          code: row.specification_code ?? '',
          id: idOf(masters.specifications, row.specification_code),
          product: row.product_code ?? '',
          maker: product.org_code ?? '',
          di: row.udi_di ?? null,
          isUnitCoded: flag(product.is_unit_coded),
          isHighValue: flag(product.is_high_value),
          isImplant: flag(product.is_implant),
          isFirst,
          shelfMonths: number(product.shelf_life_months) || 36,
          place: placeFor(product),
          pack: number(row.pack1_measure) || 1,
          makerPrice: row.price_vendor_dealer ?? '1',
          tradableUntil: lastDay(row.certificate_no),
        }
        return [good.code, good]
      }),
  )
}

function placeFor(product: DemoRow): string | null {
  if (product.storage_condition?.includes('冷冻')) return null
  return flag(product.is_cold_chain) ? 'C-01-01-01' : 'A-02-01-01'
}

function loadWards(goods: ReadonlyMap<string, Good>): WardUse[] {
  const listed = new Map(
    demoTable('hospital_products').map(row => [`${row.hospital_code}/${row.specification_code}`, row]),
  )
  return demoTable('consumption_profile').flatMap((row): WardUse[] => {
    const good = goods.get(row.specification_code ?? '')
    const item = listed.get(`${row.hospital_code}/${row.specification_code}`)
    return good
      ? [
          {
            ward: row.warehouse_code ?? '',
            supply: row.supply_warehouse ?? '',
            good,
            weekly: number(row.weekly_average),
            worth: number(row.weekly_average) * number(item?.purchase_price ?? good.makerPrice),
            trend: number(row.trend_percent_per_month) / 100,
            maximum: number(row.maximum),
            byPatient: row.use_mode?.startsWith('患者') ?? false,
            isUnitCoded: item?.management_mode === '一物一码',
          },
        ]
      : []
  })
}

/**
 * Operations of the demo's first half, half a year earlier, on another patient of the same hospital, ward and sex:
 * every second one of the table, and all of the second hospital, which has few.
 */
function earlierOperations(rows: readonly DemoRow[]): DemoRow[] {
  const patients = demoTable('patients')
  const alike = ({ hospital_code, department_code, sex }: DemoRow) => `${hospital_code}/${department_code}/${sex}`
  return rows
    .filter((row, at) => row.status === '已完成' && (at % 2 === 0 || row.hospital_code === 'H02'))
    .map(row => {
      const one = patients.find(patient => patient.patient_code === row.patient_code)
      const others = patients.filter(patient => one && alike(patient) === alike(one))
      const other = others[(others.indexOf(one!) + 1) % others.length] ?? one
      return {
        ...row,
        surgery_date: addDays(row.surgery_date as Day, FULL_PACE - OPENING),
        his_surgery_no: `${row.his_surgery_no}E`,
        patient_code: other?.patient_code ?? null,
        admission_no: other?.admission_no ?? null,
      }
    })
}

function loadSurgeries(goods: ReadonlyMap<string, Good>): Surgery[] {
  const items = Map.groupBy(demoTable('surgery_items'), row => row.surgery_code)
  const patients = new Map(demoTable('patients').map(row => [row.patient_code, row]))
  const rows = demoTable('surgeries')
  return [...earlierOperations(rows), ...rows].map(row => ({
    row,
    hospital: row.hospital_code ?? '',
    day: row.surgery_date as Day,
    done: row.status === '已完成',
    patient: patients.get(row.patient_code ?? ''),
    items: (items.get(row.surgery_code ?? '') ?? []).flatMap((item): SurgeryItem[] => {
      const good = goods.get(item.specification_code ?? '')
      return good ? [{ good, quantity: number(item.quantity), way: item.stock_source as SurgeryItem['way'] }] : []
    }),
  }))
}

/** Reads the tables once, before the clock is set back. */
export function loadCatalogue(masters: Masters): Catalogue {
  const goods = loadGoods(masters)
  const wards = loadWards(goods)
  const surgeries = loadSurgeries(goods)
  const operated = new Set(
    surgeries.flatMap(surgery => surgery.items.map(item => `${surgery.hospital}/${item.good.code}`)),
  )
  const weekly = Map.groupBy(wards, use => `${use.ward.slice(0, 3)}/${use.good.code}`)
  const stocked = demoTable('hospital_products').flatMap((row): Stocked[] => {
    const good = goods.get(row.specification_code ?? '')
    const hospital = row.hospital_code ?? ''
    const key = `${hospital}/${row.specification_code}`
    const wanted = good && (good.isFirst || operated.has(key) || weekly.has(key))
    if (!good || !wanted || row.admission_state !== '已准入' || row.state !== '启用') return []
    return [
      {
        hospital,
        good,
        supplier: row.supplier_org ?? '',
        regime: row.ownership === '寄售' ? 'consigned' : 'purchased',
        store: row.default_warehouse ?? '',
        isUnitCoded: row.management_mode === '一物一码',
        weekly: (weekly.get(key) ?? []).reduce((sum, use) => sum + use.weekly, 0),
        minimum: number(row.minimum),
        price: row.purchase_price ?? '0',
      },
    ]
  })
  const surgeryNeed = (hospital: string, code: string, from: Day, to: Day): number =>
    surgeries
      .filter(surgery => surgery.hospital === hospital && surgery.day >= from && surgery.day <= to)
      .reduce(
        (sum, surgery) =>
          sum + surgery.items.filter(item => item.good.code === code).reduce((count, item) => count + item.quantity, 0),
        0,
      )
  return { goods, stocked, wards, surgeries, patients: demoTable('patients'), surgeryNeed }
}

/** The number of the lot of a specification made on a day. */
export const lotNo = (good: Good, made: Day): string =>
  `${compactDay(made)}${good.code.slice(1, 4)}${good.code.slice(-2)}`
export const expiryOf = (good: Good, made: Day): Day => {
  const date = new Date(`${made}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + good.shelfMonths)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10) as Day
}
/** Codes of pieces of a lot, starting at the first one. */
export const codesOf = (good: Good, lot: string, count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, at) => `(01)${good.di}(21)${lot}${String(from + at).padStart(4, '0')}`)
/** Rounded to whole packs where a pack is not more than what is wanted. */
export const inPacks = (good: Good, quantity: number): number =>
  good.pack > 1 && quantity >= good.pack ? Math.ceil(quantity / good.pack) * good.pack : Math.ceil(quantity)
export const mayTrade = (good: Good, on: Day): boolean =>
  good.tradableUntil === null || daysBetween(on, good.tradableUntil) > 6
