import type { BoardLevel, BoardReading } from '#kernel/wall/board-definition.ts'
import { receivablePayableSummary } from '#modules/platform/reports/accounts/receivable-payable-summary.report.ts'
import { departmentFigures } from '#modules/platform/reports/departments/department-figures.report.ts'
import { issuedLines } from '#modules/platform/reports/moves/issued-lines.report.ts'
import { settlementDetails } from '#modules/platform/reports/settlements/settlement-details.report.ts'
import { inventoryDetail } from '#modules/platform/reports/stock/inventory-detail.report.ts'
import { supplierSales } from '#modules/platform/reports/trade/supplier-sales.report.ts'
import { goodsFlow } from '#modules/platform/reports/trade/goods-flow.report.ts'
import { grants, receipts, uses } from '#modules/platform/walls/readings.ts'
import { networkFlow, stockHealth } from '#modules/platform/walls/board/board.report.ts'

const level = (label: string, name: string, key: string, filter: string): BoardLevel => ({ label, name, key, filter })

/** Goods, from their class down to the specification. */
export const goodsLevels = [
  level('产品分类', 'class_name', 'class_sn', 'custom_type_sn'),
  level('产品', 'product_name', 'product_code', 'product'),
  level('规格', 'specification_name', 'specification_sn', 'specification_sn'),
] as const
/** The same by the national catalogue: the platform has no classes of its own. */
export const networkLevels = [
  level('产品分类', 'class_name', 'class_key', 'class_key'),
  goodsLevels[1],
  goodsLevels[2],
] as const
export const byClass = goodsLevels[0]
export const byCatalogue = level('分类目录', 'catalogue_name', 'class_key', 'class_key')
export const byDepartment = level('科室', 'department_name', 'department_sn', 'department_inner_sn')
export const bySupplier = level('供应商', 'counterparty_name', 'counterparty_sn', 'supplier_sn')
export const byReceiver = level('客户', 'receiver_name', 'counterparty_sn', 'counterparty_sn')
export const byHospital = level('医院', 'hospital_name', 'counterparty_sn', 'counterparty_sn')
export const ofSupplier = level('供应商', 'supplier_name', 'supplier_sn', 'supplier_sn')
export const ofDealer = level('经销商', 'dealer_name', 'dealer_sn', 'counterparty_sn')
export const byGiver = level('发出机构', 'giver_name', 'giver_sn', 'party_sn')
export const byTaker = level('收货机构', 'taker_name', 'taker_sn', 'party_sn')
export const byBand = level('效期段', 'expiry_band', 'expiry_band', 'expiry_band')
export const bySpecification = level('产品规格', 'goods_name', 'specification_sn', 'specification_sn')

/** A supplier whom the reader clicked on is the partner of receipts and settlements; a customer is not. */
const fromSuppliers = { supplier_sn: 'counterparty_sn', counterparty_sn: null } as const

/** 采购额 as on the home page: what became ours, by receipt or by settlement, less what went back. */
export const bought = {
  of: supplierSales,
  sums: ['amount', 'quantity'],
  takes: fromSuppliers,
} as const satisfies BoardReading
/** Arrivals, as the walls show them. */
export const arrived = { ...receipts, takes: fromSuppliers } as const satisfies BoardReading
export const used = { ...uses } as const satisfies BoardReading
/** 耗占比: what was used of what departments brought in. */
export const shareOfIncome = {
  of: departmentFigures,
  sums: ['used_amount', 'income'],
  rates: { income_share: ['used_amount', 'income'] },
} as const satisfies BoardReading
export const granted = { ...grants } as const satisfies BoardReading
export const settled = {
  of: settlementDetails,
  sums: ['amount', 'quantity'],
  takes: { supplier_sn: 'counterparty_sn' },
} as const satisfies BoardReading
export const sold = { of: issuedLines, sums: ['amount', 'quantity'] } as const satisfies BoardReading
export const earned = { of: issuedLines, sums: ['profit', 'quantity'] } as const satisfies BoardReading
export const shipped = {
  of: issuedLines,
  where: { issue_type: 'saleOdo' },
  sums: ['amount', 'quantity'],
} as const satisfies BoardReading
export const returned = {
  of: issuedLines,
  where: { issue_type: 'saleOdo' },
  sums: ['returned_quantity', 'issued_quantity'],
  rates: { return_rate: ['returned_quantity', 'issued_quantity'] },
} as const satisfies BoardReading
export const stocked = { of: inventoryDetail, sums: ['amount', 'quantity'] } as const satisfies BoardReading
export const turned = {
  of: stockHealth,
  sums: ['stock_days', 'out_quantity', 'opening_quantity', 'closing_quantity'],
  rates: { turnover: ['stock_days', 'out_quantity'] },
} as const satisfies BoardReading
/** 流向: a maker's goods through dealers to hospitals; the dealer is his customer. */
export const flowed = {
  of: goodsFlow,
  sums: ['quantity'],
  takes: { counterparty_sn: 'dealer_sn' },
} as const satisfies BoardReading
export const moved = { of: networkFlow, sums: ['quantity'] } as const satisfies BoardReading

const account = (direction: 'payable' | 'receivable'): BoardReading => ({
  of: receivablePayableSummary,
  where: { direction },
  sums: ['closing_amount', 'settled_amount', 'raised_amount'],
  rates: { collection_rate: ['settled_amount', 'raised_amount'] },
  takes: direction === 'payable' ? fromSuppliers : {},
})
export const payable = account('payable')
export const receivable = account('receivable')
