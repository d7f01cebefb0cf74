import { f } from '#kernel/definition/field.ts'
import { defineWall } from '#kernel/wall/wall-definition.ts'
import { expiryOrder } from '#modules/platform/reports/moves/expiry-order.report.ts'
import { inventoryDetail } from '#modules/platform/reports/stock/inventory-detail.report.ts'
import {
  attributes,
  catalogueSizes,
  certificates,
  certifiedLots,
  lotFlow,
  lotOrganisations,
  origins,
  recalledLots,
} from '#modules/platform/walls/goods/goods.report.ts'
import { moneyAndPieces, stock, uses } from '#modules/platform/walls/readings.ts'
import { wallScreen } from '#modules/platform/walls/wall-screen.ts'
import { openWarnings } from '#modules/platform/walls/warnings/warnings.report.ts'

const lots = { lots: 'specification_sn+lot_no' } as const
const bandTones = { expired: 'danger', month: 'warning', quarter: 'info', half: 'brand', later: 'calm' } as const

const catalogueOf = (where: Readonly<Record<string, string>>) => ({ kind: 'hospitalProduct', with: where })

/** 产品信息: what goods the hospital keeps. A size counts once, whatever certificates it has. */
export const productWall = defineWall({
  kind: 'screenProduct',
  screen: wallScreen('productInfo', '产品信息大屏', '品种与规格、管理类别、产品属性、产地与使用量排行'),
  refresh: 60,
  ofDays: true,
  filters: {},
  cards: [
    {
      name: 'sizes',
      title: '品种与规格',
      at: [0, 0, 8, 3],
      reads: {
        all: {
          of: catalogueSizes,
          span: 'now',
          sums: ['sizes', 'admitted', 'stopped'],
          counts: { product_count: 'product_sn' },
        },
      },
      draws: {
        form: 'numbers',
        figures: [
          { label: '在用规格', of: 'all', column: 'sizes', list: catalogueOf({ status: 'enabled' }) },
          {
            label: '品种',
            of: 'all',
            column: 'product_count',
            as: 'count',
            hint: '医院目录中的产品，一个产品的各规格算一个',
            list: catalogueOf({ stands_for_product: 'true' }),
          },
          { label: '本月新准入', of: 'all', column: 'admitted', list: catalogueOf({ is_new: 'true' }) },
          { label: '停用规格', of: 'all', column: 'stopped', list: catalogueOf({ status: 'disabled' }) },
        ],
      },
    },
    {
      name: 'attributes',
      title: '产品属性（规格，库存件数）',
      at: [8, 0, 16, 3],
      reads: { all: { of: attributes, span: 'now', by: ['attribute'], sums: ['sizes', 'quantity'] } },
      draws: { form: 'tiles', of: 'all', label: 'attribute', values: ['sizes', 'quantity'], inOrder: true },
    },
    {
      name: 'deviceClasses',
      title: '管理类别',
      at: [0, 3, 6, 4],
      reads: { all: { of: catalogueSizes, span: 'now', by: ['device_class'], sums: ['sizes'] } },
      draws: {
        form: 'ring',
        of: 'all',
        label: 'device_class',
        values: ['sizes'],
        tones: { I: 'calm', II: 'info', III: 'brand' },
      },
    },
    {
      name: 'origins',
      title: '国产/进口（使用金额）',
      at: [6, 3, 6, 4],
      reads: { all: { of: origins, span: 'asked', by: ['origin'], sums: moneyAndPieces } },
      draws: { form: 'ring', of: 'all', label: 'origin', values: moneyAndPieces },
    },
    {
      name: 'regimes',
      title: '买断/寄售（库存）',
      at: [0, 7, 6, 5],
      reads: { all: { ...stock, by: ['ownership'] } },
      draws: { form: 'ring', of: 'all', label: 'ownership', values: moneyAndPieces },
    },
    {
      name: 'classes',
      title: '2017分类目录分布',
      at: [6, 7, 6, 5],
      reads: { all: { of: catalogueSizes, span: 'now', by: ['class_name'], sums: ['sizes'], take: 24 } },
      draws: { form: 'areas', of: 'all', label: 'class_name', values: ['sizes'] },
    },
    {
      name: 'used',
      title: '使用量TOP20',
      at: [12, 3, 8, 9],
      reads: {
        used: { ...uses, span: 'asked', by: ['product_name', 'specification_name', 'specification_sn'], take: 20 },
      },
      draws: { form: 'bars', of: 'used', label: 'product_name', values: moneyAndPieces, says: 'second' },
      leads: { to: 'screenBatch', with: { specification_sn: 'specification_sn' } },
    },
    {
      name: 'idle',
      title: '呆滞品种',
      at: [20, 3, 4, 9],
      reads: {
        idle: {
          of: openWarnings,
          span: 'now',
          where: { type: 'PRODUCTINVENTORY', band: 'idle' },
          rows: ['object_name', 'place', 'quantity'],
          take: 60,
        },
      },
      draws: { form: 'list', of: 'idle', columns: ['object_name', 'quantity'], empty: '没有呆滞的品种', counted: true },
      leads: { to: 'screenWarning' },
    },
  ],
})

/** 批次信息: the lots of the hospital, when they expire, where they are stored, and what became of one of them. */
export const batchWall = defineWall({
  kind: 'screenBatch',
  screen: wallScreen('productBatchInfo', '批次信息大屏', '在库批次的效期、质量状态、去向与召回'),
  refresh: 60,
  ofDays: false,
  filters: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    product: f.text('产品名称', { max: 60 }),
    specification_sn: f.ref('规格型号', 'specification'),
    lot_no: f.lot('批号'),
  },
  cards: [
    {
      name: 'lots',
      title: '在库批次',
      at: [0, 0, 6, 3],
      reads: { all: { of: inventoryDetail, span: 'now', sums: ['quantity', 'amount'], counts: lots } },
      draws: {
        form: 'numbers',
        figures: [
          { label: '批次', of: 'all', column: 'lots', as: 'count', hint: '在库的规格与批号，不含在途' },
          { label: '件数', of: 'all', column: 'quantity' },
          { label: '金额(元)', of: 'all', column: 'amount' },
        ],
      },
    },
    {
      name: 'bands',
      title: '效期分布（批次）',
      at: [6, 0, 12, 5],
      reads: {
        bands: { of: inventoryDetail, span: 'now', by: ['expiry_band'], sums: ['quantity', 'amount'], counts: lots },
      },
      draws: {
        form: 'columns',
        of: 'bands',
        label: 'expiry_band',
        values: ['lots', 'quantity'],
        tones: bandTones,
        inOrder: true,
      },
      leads: { to: 'screenWarning' },
    },
    {
      name: 'quality',
      title: '质量状态',
      at: [18, 0, 6, 5],
      reads: { quality: { of: inventoryDetail, span: 'now', by: ['quality_state'], sums: ['quantity'] } },
      draws: { form: 'ring', of: 'quality', label: 'quality_state', values: ['quantity'] },
    },
    {
      name: 'certified',
      title: '合格证明覆盖率',
      at: [0, 3, 3, 4],
      reads: { lots: { of: certifiedLots, span: 'now', sums: ['certified', 'lots'] } },
      draws: {
        form: 'gauge',
        part: { label: '有合格证', of: 'lots', column: 'certified' },
        whole: { label: '在库批次', of: 'lots', column: 'lots' },
        empty: '—',
      },
    },
    {
      name: 'order',
      title: '先进先出执行率',
      at: [3, 3, 3, 4],
      reads: { lines: { of: expiryOrder, span: 'month', sums: ['in_order', 'out_lines'] } },
      draws: {
        form: 'gauge',
        part: { label: '近效期先出', of: 'lines', column: 'in_order' },
        whole: { label: '30天出库行', of: 'lines', column: 'out_lines' },
        empty: '—',
      },
    },
    {
      name: 'near',
      title: '近效期TOP20',
      at: [6, 5, 18, 4],
      reads: {
        near: {
          of: inventoryDetail,
          span: 'now',
          rows: [
            'product_name',
            'specification_name',
            'lot_no',
            'expiry_date',
            'days_left',
            'quantity',
            'warehouse_name',
          ],
          order: 'expiry_date',
          take: 20,
        },
      },
      draws: {
        form: 'list',
        of: 'near',
        columns: [
          'product_name',
          'specification_name',
          'lot_no',
          'expiry_date',
          'days_left',
          'quantity',
          'warehouse_name',
        ],
        empty: '没有库存',
      },
      leads: { to: 'screenBatch', with: { lot_no: 'lot_no' } },
    },
    {
      name: 'flow',
      title: '批次去向',
      at: [0, 7, 6, 3],
      reads: { flow: { of: lotFlow, span: 'now', by: ['side'], sums: ['quantity'] } },
      draws: {
        form: 'bars',
        of: 'flow',
        label: 'side',
        values: ['quantity'],
        tones: { difference: 'danger', used: 'info', returned: 'calm', lost: 'warning' },
        inOrder: true,
        nothing: '选择一个批号',
      },
    },
    {
      name: 'organisations',
      title: '批次机构分布',
      at: [6, 9, 18, 3],
      reads: {
        nodes: {
          of: lotOrganisations,
          span: 'now',
          network: true,
          by: ['node'],
          sums: ['quantity', 'whole'],
          rates: { share: ['quantity', 'whole'] },
          take: 12,
        },
      },
      draws: {
        form: 'bars',
        of: 'nodes',
        label: 'node',
        values: ['quantity', 'share'],
        says: 'second',
        nothing: '选择一个批号',
      },
    },
    {
      name: 'recalled',
      title: '召回批次',
      at: [0, 10, 6, 2],
      reads: {
        recalled: {
          of: recalledLots,
          span: 'now',
          rows: ['product_name', 'lot_no', 'on_hand', 'used', 'returned'],
          take: 12,
        },
      },
      draws: {
        form: 'list',
        of: 'recalled',
        columns: ['product_name', 'lot_no', 'on_hand'],
        empty: '没有召回中的批次',
        counted: true,
      },
    },
  ],
})

const statusTones = { valid: 'brand', quarter: 'info', month: 'warning', expired: 'danger' } as const

/** 产品证照: registration certificates of the goods in the catalogue. A renewed one counts once, by the newest. */
export const certificateWall = defineWall({
  kind: 'screenCertificate',
  screen: wallScreen('productCelInfo', '产品证照信息大屏', '在用产品注册证的有效、到期、延续与缺失'),
  refresh: 60,
  ofDays: false,
  filters: {},
  cards: [
    {
      name: 'all',
      title: '注册证',
      at: [0, 0, 8, 3],
      reads: {
        all: { of: certificates, span: 'now', sums: ['certificates'] },
        unscanned: { of: certificates, span: 'now', where: { scan: 'none' }, sums: ['certificates'] },
      },
      draws: {
        form: 'numbers',
        figures: [
          { label: '注册证总数', of: 'all', column: 'certificates' },
          {
            label: '缺扫描件',
            of: 'unscanned',
            column: 'certificates',
            hint: '在用产品的注册证中没有上传扫描件的',
          },
        ],
      },
    },
    {
      name: 'status',
      title: '证照状态',
      at: [8, 0, 8, 4],
      reads: { status: { of: certificates, span: 'now', by: ['status'], sums: ['certificates'] } },
      draws: {
        form: 'ring',
        of: 'status',
        label: 'status',
        values: ['certificates'],
        tones: statusTones,
        inOrder: true,
      },
      leads: { to: 'screenWarningDetail' },
    },
    {
      name: 'origins',
      title: '国产/进口/备案',
      at: [16, 0, 8, 4],
      reads: { origins: { of: certificates, span: 'now', by: ['origin'], sums: ['certificates'] } },
      draws: { form: 'ring', of: 'origins', label: 'origin', values: ['certificates'] },
    },
    {
      name: 'renewal',
      title: '延续进度',
      at: [0, 3, 8, 4],
      reads: { renewal: { of: certificates, span: 'now', by: ['renewal'], sums: ['certificates'] } },
      draws: {
        form: 'bars',
        of: 'renewal',
        label: 'renewal',
        values: ['certificates'],
        tones: { renewed: 'brand', none: 'warning', later: 'calm' },
        inOrder: true,
      },
    },
    {
      name: 'quality',
      title: '合格证明覆盖率',
      at: [0, 7, 8, 5],
      reads: { lots: { of: certifiedLots, span: 'now', sums: ['certified', 'lots'] } },
      draws: {
        form: 'gauge',
        part: { label: '有合格证', of: 'lots', column: 'certified' },
        whole: { label: '在库批次', of: 'lots', column: 'lots' },
        empty: '—',
      },
    },
    {
      name: 'next',
      title: '到期的注册证',
      at: [8, 4, 16, 8],
      reads: {
        next: {
          of: certificates,
          span: 'now',
          rows: ['product_name', 'certificate_no', 'valid_to', 'days_left', 'status', 'renewal', 'stock_quantity'],
          take: 60,
        },
      },
      draws: {
        form: 'list',
        of: 'next',
        columns: ['product_name', 'certificate_no', 'valid_to', 'days_left', 'status', 'renewal', 'stock_quantity'],
        empty: '没有注册证',
      },
    },
  ],
})
