import { defineWall } from '#kernel/wall/wall-definition.ts'
import { contractReceipts, contracts } from '#modules/trade/purchasing/contracts/contracts.report.ts'
import { wallScreen } from '#modules/platform/walls/wall-screen.ts'

const inForce = { of: contracts, span: 'now', where: { contract_state: 'in_force' } } as const

/** 合同信息: contracts in force, what is bought under them and beside them, and which run out. */
export const contractsWall = defineWall({
  kind: 'screenContract',
  screen: wallScreen(
    'productContractInfo',
    '合同信息大屏',
    '有效合同、合同金额与执行率、到期分布、超合同价与无合同采购',
  ),
  refresh: 60,
  ofDays: true,
  filters: {},
  cards: [
    {
      name: 'inForce',
      title: '有效合同数',
      at: [0, 0, 6, 3],
      reads: {
        standing: { ...inForce, sums: ['contracts', 'frames'] },
        all: { of: contracts, span: 'now', sums: ['contracts'] },
      },
      draws: {
        form: 'numbers',
        figures: [
          { label: '有效合同', of: 'standing', column: 'contracts' },
          { label: '其中框架合同', of: 'standing', column: 'frames' },
          { label: '全部合同', of: 'all', column: 'contracts' },
        ],
      },
    },
    {
      name: 'executed',
      title: '合同总金额 / 已执行金额',
      at: [6, 0, 6, 3],
      reads: { standing: { ...inForce, sums: ['contract_amount', 'measured_amount', 'contracts'] } },
      draws: {
        form: 'gauge',
        part: { label: '已执行', of: 'standing', column: 'measured_amount' },
        whole: { label: '合同', of: 'standing', column: 'contract_amount' },
        empty: '有效合同都没有金额',
      },
    },
    {
      name: 'uncovered',
      title: '无合同采购',
      at: [12, 0, 6, 3],
      reads: {
        lines: {
          of: contractReceipts,
          span: 'asked',
          sums: ['uncovered_amount', 'amount', 'uncovered', 'lines'],
          rates: { uncovered_rate: ['uncovered_amount', 'amount'] },
        },
      },
      draws: {
        form: 'numbers',
        figures: [
          { label: '金额(元)', of: 'lines', column: 'uncovered_amount' },
          { label: '占入库金额', of: 'lines', column: 'uncovered_rate', hint: '无合同采购金额占采购入库金额的比例' },
          { label: '行数', of: 'lines', column: 'uncovered' },
        ],
      },
    },
    {
      name: 'types',
      title: '合同类型分布',
      at: [18, 0, 6, 4],
      reads: { types: { of: contracts, span: 'now', by: ['contract_type'], sums: ['contracts'] } },
      draws: { form: 'ring', of: 'types', label: 'contract_type', values: ['contracts'] },
    },
    {
      name: 'bands',
      title: '到期分布',
      at: [0, 3, 12, 4],
      reads: { bands: { of: contracts, span: 'now', by: ['band'], sums: ['contracts'] } },
      draws: {
        form: 'columns',
        of: 'bands',
        label: 'band',
        values: ['contracts'],
        tones: { expired: 'danger', month: 'warning', quarter: 'info', open: 'calm' },
        inOrder: true,
      },
    },
    {
      name: 'suppliers',
      title: '供应商合同执行TOP10',
      at: [12, 3, 6, 9],
      reads: {
        suppliers: {
          ...inForce,
          by: ['counterparty_name', 'counterparty_sn'],
          sums: ['executed_amount', 'measured_amount', 'contract_amount', 'contracts'],
          rates: { execution_rate: ['measured_amount', 'contract_amount'] },
          partner: 'counterparty_sn',
          take: 10,
        },
      },
      draws: {
        form: 'bars',
        of: 'suppliers',
        label: 'counterparty_name',
        values: ['executed_amount', 'execution_rate', 'contracts'],
        says: 'second',
        alarms: { of: 'execution_rate', warning: '0.9', danger: '1' },
      },
      leads: { to: 'screenDealer' },
    },
    {
      name: 'dear',
      title: '超合同价采购',
      at: [18, 4, 6, 8],
      reads: {
        rows: {
          of: contractReceipts,
          span: 'asked',
          where: { above: 'true' },
          rows: ['product_name', 'price', 'contract_price', 'document_sn', 'counterparty_sn'],
          partner: 'counterparty_sn',
          take: 40,
        },
      },
      draws: {
        form: 'list',
        of: 'rows',
        columns: ['product_name', 'price', 'contract_price'],
        empty: '没有超合同价的采购',
        counted: true,
      },
    },
    {
      name: 'rows',
      title: '合同明细',
      at: [0, 7, 12, 5],
      reads: {
        rows: {
          of: contracts,
          span: 'now',
          rows: [
            'contract_no',
            'counterparty_name',
            'contract_amount',
            'executed_amount',
            'execution_rate',
            'valid_to',
            'counterparty_sn',
          ],
          partner: 'counterparty_sn',
          take: 60,
        },
      },
      draws: {
        form: 'list',
        of: 'rows',
        columns: [
          'contract_no',
          'counterparty_name',
          'contract_amount',
          'executed_amount',
          'execution_rate',
          'valid_to',
        ],
        empty: '没有合同',
        counted: true,
      },
    },
  ],
})
