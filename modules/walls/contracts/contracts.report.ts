import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { wallDays } from '#modules/walls/wall-days.ts'

/**
 * 合同: the prices that were agreed with suppliers, a row a contract or registration and supplier, with what was received
 * of its goods since it is in force, less what went back. Such contracts say prices and no amount.
 */
export const contracts = defineReport({
  kind: 'wallContracts',
  title: '合同',
  sqlFile: 'walls/contracts/contracts.sql',
  unscoped: 'contracts are the whole hospital’s',
  parameters: {},
  columns: {
    contract_no: f.text('合同编号'),
    counterparty_name: f.text('供应商'),
    price_type: f.pick('类型', { volume: '集采价', awarded: '中标价', agreed: '协议价', temporary: '临时价' }),
    valid_to: f.day('有效期止'),
    band: f.pick('到期', {
      expired: '已过期',
      month: '30天内',
      quarter: '31-90天',
      half: '91-180天',
      later: '180天以上',
      open: '长期',
    }),
    sizes: f.count('规格数'),
    contracts: f.count('合同'),
    in_force: f.count('有效合同'),
    executed_amount: f.amount('已执行'),
  },
  screens: [],
})

/**
 * 合同外采购: lines of receipts of bought goods in the period, whether a contract with the supplier covers them on that
 * day, and whether they cost more than it says. In yuan, tax included.
 */
export const contractReceipts = defineReport({
  kind: 'wallContractReceipts',
  title: '合同采购',
  sqlFile: 'walls/contracts/receipts.sql',
  parameters: { ...wallDays, above: f.flag('仅超合同价') },
  columns: {
    day: f.day('日期'),
    document_sn: f.text('入库单'),
    counterparty_name: f.text('供应商'),
    product_name: f.text('产品'),
    price: f.price('入库价'),
    contract_price: f.price('合同价'),
    lines: f.count('入库行'),
    uncovered: f.count('无合同行'),
    dear: f.count('超价行'),
    amount: f.amount('入库金额'),
    covered_amount: f.amount('合同内金额'),
    uncovered_amount: f.amount('无合同金额'),
  },
  screens: [],
})
