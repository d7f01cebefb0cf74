import { defineWall } from '#kernel/wall/wall-definition.ts'
import { contractReceipts, contracts } from '#modules/walls/contracts/contracts.report.ts'
import { wallScreen } from '#modules/walls/wall-screen.ts'

/** 合同信息: contracts in force, what is bought under them and beside them, and which run out. */
export const contractsWall = defineWall({
  kind: 'screenContract',
  screen: wallScreen('productContractInfo', '合同信息大屏', '有效合同、到期分布、合同执行与合同外采购'),
  refresh: 60,
  ofDays: true,
  filters: {},
  cards: [
    {
      name: 'inForce',
      title: '有效合同',
      at: [0, 0, 6, 3],
      reads: {
        all: { of: contracts, span: 'now', sums: ['in_force', 'contracts', 'executed_amount'] },
      },
      draws: {
        form: 'numbers',
        figures: [
          { label: '有效合同', of: 'all', column: 'in_force' },
          { label: '全部合同', of: 'all', column: 'contracts' },
          { label: '已执行(元)', of: 'all', column: 'executed_amount' },
        ],
      },
    },
    {
      name: 'covered',
      title: '本期合同内采购',
      at: [6, 0, 6, 3],
      reads: {
        lines: { of: contractReceipts, span: 'asked', sums: ['covered_amount', 'amount', 'uncovered_amount'] },
      },
      draws: {
        form: 'gauge',
        part: { label: '合同内', of: 'lines', column: 'covered_amount' },
        whole: { label: '入库', of: 'lines', column: 'amount' },
        empty: '—',
      },
    },
    {
      name: 'uncovered',
      title: '无合同采购',
      at: [12, 0, 6, 3],
      reads: { lines: { of: contractReceipts, span: 'asked', sums: ['uncovered_amount', 'uncovered', 'lines'] } },
      draws: {
        form: 'numbers',
        figures: [
          { label: '金额(元)', of: 'lines', column: 'uncovered_amount' },
          { label: '行数', of: 'lines', column: 'uncovered' },
          { label: '全部入库行', of: 'lines', column: 'lines' },
        ],
      },
    },
    {
      name: 'types',
      title: '合同类型分布',
      at: [18, 0, 6, 4],
      reads: { types: { of: contracts, span: 'now', by: ['price_type'], sums: ['contracts'] } },
      draws: { form: 'ring', of: 'types', label: 'price_type', values: ['contracts'] },
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
          of: contracts,
          span: 'now',
          by: ['counterparty_name', 'counterparty_sn'],
          sums: ['executed_amount', 'contracts'],
          partner: 'counterparty_sn',
          take: 10,
        },
      },
      draws: {
        form: 'bars',
        of: 'suppliers',
        label: 'counterparty_name',
        values: ['executed_amount', 'contracts'],
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
            'price_type',
            'sizes',
            'executed_amount',
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
        columns: ['contract_no', 'counterparty_name', 'price_type', 'sizes', 'executed_amount', 'valid_to'],
        empty: '没有合同',
        counted: true,
      },
    },
  ],
})
