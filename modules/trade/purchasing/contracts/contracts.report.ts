import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { contractTypes } from '#modules/trade/purchasing/prices/price-registration.doc.ts'
import { isPositive, subtract, type Decimal } from '#kernel/values/decimal.ts'

const page = { route: '/commonView/inquiryRegistration', title: '询价登记', orgs: 'HDV', menu: '采购管理' } as const

/** The state of a contract today; one that was stopped stays so, whatever its dates are. */
const contractStates = { in_force: '生效', pending: '未生效', expired: '已到期', stopped: '已终止' } as const

/** How many days a contract has left. */
const bands = {
  expired: '已过期',
  month: '30天内',
  quarter: '31-90天',
  half: '91-180天',
  later: '180天以上',
  open: '长期',
} as const

const narrowing = {
  contract_no: f.text('合同编号'),
  counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
} as const

/**
 * 合同执行: one row for each contract with a supplier, which is the registrations of one number. The rate is the purchases
 * under it (bought goods received less returns, consigned goods as settled) over its amount. A framework contract has
 * no amount and no rate; `measured_amount` is the purchases under contracts with an amount. In yuan, tax included.
 */
export const contracts = defineReport({
  kind: 'contractExecution',
  title: '合同执行',
  sqlFile: 'trade/purchasing/contracts/contracts.sql',
  wholeOnly: 'contracts are the whole organisation’s',
  parameters: {
    ...narrowing,
    contract_type: f.pick('合同类型', contractTypes),
    contract_state: f.pick('合同状态', contractStates),
    band: f.pick('到期', bands),
  },
  columns: {
    contract_no: f.text('合同编号', { width: 160 }),
    counterparty_name: f.text('供应商', { width: 200 }),
    contract_type: f.pick('合同类型', contractTypes),
    contract_state: f.pick('合同状态', contractStates),
    contract_amount: f.amount('合同金额', { hint: '合同登记的金额；框架合同没有金额' }),
    executed_amount: f.amount('已执行'),
    measured_amount: f.amount('有金额合同已执行', { hint: '有合同金额的合同已执行的金额，含税：按合同采购入库减退货' }),
    execution_rate: f.rate('执行率'),
    valid_from: f.day('有效期起'),
    valid_to: f.day('有效期止'),
    band: f.pick('到期', bands),
    sizes: f.count('规格数'),
    contracts: f.count('合同', { hint: '与供应商的合同，每个合同编号一份' }),
    in_force: f.count('有效合同'),
    frames: f.count('框架合同', { hint: '没有登记合同金额、只约定价格的合同' }),
  },
  totals: ['contract_amount', 'executed_amount', 'measured_amount', 'contracts', 'in_force', 'frames'],
  alerts: { execution_rate: ({ execution_rate: rate }) => (isOverOne(rate) ? 'danger' : null) },
  drillDown: {
    executed_amount: {
      to: 'contractReceipts',
      with: {
        contract_no: 'contract_no',
        counterparty_sn: 'counterparty_sn',
        begin_date: 'first_day',
        end_date: 'last_day',
        scope: 'scope',
      },
    },
  },
  screens: [
    {
      ...page,
      tab: '合同执行',
      purpose: '各供应商合同的金额、已执行金额与执行率：入库减退货，寄售按结算；框架合同没有金额',
      columns: [
        'contract_no',
        'counterparty_name',
        'contract_type',
        'contract_state',
        'contract_amount',
        'executed_amount',
        'measured_amount',
        'execution_rate',
        'valid_from',
        'valid_to',
        'band',
        'sizes',
        'contracts',
        'in_force',
        'frames',
      ],
      filters: [],
    },
  ],
})

const isOverOne = (rate: unknown): boolean =>
  typeof rate === 'string' && isPositive(subtract(rate as Decimal, '1' as Decimal, 4))

/**
 * 合同采购: lines of receipts of bought goods in the period, the contract that covers each on its day, and whether they
 * cost more than the contract's price. With the scope 合同执行 returns and settlements as well. In yuan, tax included.
 */
export const contractReceipts = defineReport({
  kind: 'contractReceipts',
  title: '合同采购',
  beside: {
    counterparty_sn: f.text('往来单位'),
  },
  sqlFile: 'trade/purchasing/contracts/receipts.sql',
  parameters: {
    begin_date: f.day('开始日期', { required: true }),
    end_date: f.day('结束日期', { required: true }),
    ...narrowing,
    covered: f.pick('合同覆盖', { covered: '合同内', uncovered: '无合同' }),
    above: f.flag('仅超合同价'),
    scope: f.pick('口径', { executed: '入库、退货与结算' }),
  },
  validate: ({ begin_date, end_date }) => (String(begin_date) > String(end_date) ? '开始日期不能大于结束日期' : null),
  columns: {
    day: f.day('日期'),
    document_kind: f.pick('单据类型', {
      purchaseGrn: '采购入库',
      settlementGrn: '结算入库',
      purchaseReturn: '采购退货',
    }),
    document_sn: f.text('单据编号', { width: 150 }),
    contract_no: f.text('合同编号', { width: 160 }),
    counterparty_name: f.text('供应商', { width: 200 }),
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    price: f.price('入库价'),
    contract_price: f.price('合同价'),
    lines: f.count('入库行'),
    uncovered: f.count('无合同行', { hint: '期间内入库时没有有效合同的采购入库明细行' }),
    dear: f.count('超价行'),
    amount: f.amount('入库金额'),
    covered_amount: f.amount('合同内金额'),
    uncovered_amount: f.amount('无合同金额', { hint: '期间内没有有效合同的采购入库金额，含税' }),
  },
  totals: ['lines', 'uncovered', 'dear', 'amount', 'covered_amount', 'uncovered_amount'],
  alerts: { dear: ({ dear }) => (String(dear) === '1' ? 'danger' : null) },
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '合同采购',
      purpose: '期间内采购入库的每一行由哪份合同覆盖、是否高于合同价；没有合同覆盖的列为无合同采购',
      columns: [
        'day',
        'document_kind',
        'document_sn',
        'contract_no',
        'counterparty_name',
        'product_code',
        'product_name',
        'specification_name',
        'price',
        'contract_price',
        'lines',
        'uncovered',
        'dear',
        'amount',
        'covered_amount',
        'uncovered_amount',
      ],
      filters: [],
    },
  ],
})
