import { f } from '#kernel/definition/field.ts'
import { defineWall } from '#kernel/wall/wall-definition.ts'
import { departmentFigures } from '#modules/platform/reports/departments/department-figures.report.ts'
import {
  departmentPlaces,
  departmentStock,
  departmentSupply,
  procedures,
  requested,
} from '#modules/platform/walls/departments/departments.report.ts'
import { unreceivedGrants } from '#modules/platform/walls/process/process.report.ts'
import { moneyAndPieces, uses } from '#modules/platform/walls/readings.ts'
import { detailScreen, wallScreen } from '#modules/platform/walls/wall-screen.ts'

const toDetail = { to: 'screenDepartmentDetail', with: { dept: 'department_sn' } } as const

const places = { of: departmentPlaces, span: 'now', by: ['model'], sums: ['places'] } as const
const placesOf = (label: string, model: 'department' | 'ward' | 'cabinet') =>
  ({ label, of: 'places', column: 'places', where: { model } }) as const
/** The rows of 科室库存 that a figure counts: sizes in their stores, or lots. */
const wardStock = (display: 'product' | 'lot', where: Readonly<Record<string, string>> = {}) => ({
  kind: 'departmentInventory',
  with: { department_inner_sn: '=department_inner_sn', display, ...where },
})

/** 科室信息: all departments side by side. */
export const departmentsWall = defineWall({
  kind: 'screenDepartment',
  screen: wallScreen('departmentInfo', '科室信息大屏', '各科室的消耗、库存、申领满足率、退库率与预算执行'),
  refresh: 60,
  ofDays: true,
  filters: {},
  cards: [
    {
      name: 'places',
      title: '科室与二级库',
      at: [0, 0, 5, 3],
      reads: { places },
      draws: {
        form: 'numbers',
        figures: [placesOf('科室', 'department'), placesOf('二级库', 'ward')],
      },
    },
    {
      name: 'ranking',
      title: '科室消耗排行',
      at: [5, 0, 10, 7],
      reads: {
        used: { ...uses, span: 'asked', by: ['department_name', 'department_sn'], against: ['previous'], take: 12 },
      },
      draws: { form: 'bars', of: 'used', label: 'department_name', values: ['amount', 'quantity'] },
      leads: toDetail,
    },
    {
      name: 'supply',
      title: '科室库存与可用天数',
      at: [15, 0, 9, 7],
      reads: {
        supply: {
          of: departmentSupply,
          span: 'now',
          rows: ['department_name', 'quantity', 'amount', 'days', 'department_sn'],
          take: 40,
        },
      },
      draws: {
        form: 'list',
        of: 'supply',
        columns: ['department_name', 'quantity', 'amount', 'days'],
        empty: '科室没有库存',
      },
      leads: toDetail,
    },
    {
      name: 'unreceived',
      title: '未收货发放单（超过24小时）',
      at: [0, 3, 5, 4],
      reads: {
        rows: { of: unreceivedGrants, span: 'now', rows: ['to_name', 'quantity', 'hours', 'document_sn'], take: 30 },
      },
      draws: {
        form: 'list',
        of: 'rows',
        columns: ['to_name', 'quantity', 'hours'],
        empty: '全部已收货',
        counted: true,
      },
    },
    {
      name: 'filled',
      title: '申领满足率',
      at: [0, 7, 7, 5],
      reads: {
        filled: {
          of: requested,
          span: 'asked',
          by: ['department_name', 'department_sn'],
          sums: ['requested', 'received'],
          rates: { fill_rate: ['received', 'requested'] },
          take: 8,
        },
      },
      draws: { form: 'bars', of: 'filled', label: 'department_name', values: ['fill_rate'] },
      leads: toDetail,
    },
    {
      name: 'highValue',
      title: '高值使用科室分布',
      at: [7, 7, 5, 5],
      reads: {
        used: {
          ...uses,
          sums: ['quantity'],
          where: { value_class: 'high' },
          span: 'asked',
          by: ['department_name', 'department_sn'],
          take: 5,
        },
      },
      draws: { form: 'ring', of: 'used', label: 'department_name', values: ['quantity'] },
      leads: toDetail,
    },
    {
      name: 'budget',
      title: '科室预算执行',
      at: [12, 7, 6, 5],
      reads: {
        budget: {
          of: departmentFigures,
          span: 'asked',
          by: ['department_name', 'department_sn'],
          sums: ['used_amount', 'budget'],
          rates: { budget_rate: ['used_amount', 'budget'] },
          take: 8,
        },
      },
      draws: {
        form: 'bars',
        of: 'budget',
        label: 'department_name',
        values: ['budget_rate'],
        alarms: { warning: '0.9', danger: '1' },
        nothing: '未设预算',
      },
      leads: toDetail,
    },
    {
      name: 'returned',
      title: '退库率',
      at: [18, 7, 6, 5],
      reads: {
        returned: {
          of: departmentFigures,
          where: { side: 'grant' },
          span: 'asked',
          by: ['department_name', 'department_sn'],
          sums: ['granted_amount', 'returned_amount'],
          rates: { return_rate: ['returned_amount', 'granted_amount'] },
          take: 8,
        },
      },
      draws: { form: 'bars', of: 'returned', label: 'department_name', values: ['return_rate'] },
      leads: toDetail,
    },
  ],
})

/** 科室信息明细: one department in depth, reached from the others. Procedures are named, nobody else is. */
export const departmentDetailWall = defineWall({
  kind: 'screenDepartmentDetail',
  screen: detailScreen('departmentInfoDetail', '科室信息明细大屏', '一个科室的消耗、库存、申领与手术'),
  refresh: 60,
  ofDays: true,
  filters: { dept: f.ref('科室', 'department', { required: true }) },
  narrows: { dept: 'department_inner_sn' },
  overview: 'screenDepartment',
  cards: [
    {
      name: 'overview',
      title: '本期消耗',
      at: [0, 0, 12, 3],
      reads: {
        used: { ...uses, span: 'asked', against: ['previous'] },
        stock: {
          of: departmentStock,
          span: 'now',
          sums: ['amount', 'quantity', 'sizes', 'low', 'near'],
        },
        places,
      },
      draws: {
        form: 'numbers',
        figures: [
          { label: '使用金额(元)', of: 'used', column: 'amount', changes: true },
          {
            label: '库存金额(元)',
            of: 'stock',
            column: 'amount',
            list: wardStock('lot', { ownership: 'own' }),
          },
          { label: '品种数', of: 'stock', column: 'sizes', list: wardStock('product') },
          { label: '低于下限', of: 'stock', column: 'low', list: wardStock('product', { stock_state: 'low' }) },
          {
            label: '近效期批次',
            of: 'stock',
            column: 'near',
            list: wardStock('lot', { expiry_state: 'near,expired' }),
          },
          placesOf('二级库', 'ward'),
          placesOf('智能柜', 'cabinet'),
        ],
      },
    },
    {
      name: 'days',
      title: '日消耗趋势（30天）',
      at: [12, 0, 12, 3],
      reads: { used: { ...uses, span: 'month', step: ['used_on', 'day'] } },
      draws: { form: 'lines', series: [{ label: '使用金额', of: 'used', value: 'amount' }] },
    },
    {
      name: 'products',
      title: '品种消耗TOP15',
      at: [0, 3, 8, 9],
      reads: {
        products: { ...uses, span: 'asked', by: ['product_name', 'specification_name', 'specification_sn'], take: 15 },
      },
      draws: { form: 'bars', of: 'products', label: 'product_name', values: ['amount', 'quantity'] },
    },
    {
      name: 'classes',
      title: '高值/低值/试剂',
      at: [8, 3, 6, 4],
      reads: { classes: { ...uses, span: 'asked', by: ['value_class'] } },
      draws: { form: 'ring', of: 'classes', label: 'value_class', values: moneyAndPieces },
    },
    {
      name: 'requested',
      title: '申领与收货（30天，件）',
      at: [14, 3, 10, 4],
      reads: {
        lines: { of: requested, span: 'month', step: ['day', 'day'], sums: ['requested', 'received'] },
      },
      draws: {
        form: 'lines',
        series: [
          { label: '申领', of: 'lines', value: 'requested' },
          { label: '收货', of: 'lines', value: 'received' },
        ],
      },
    },
    {
      name: 'procedures',
      title: '手术例数与例均耗材',
      at: [8, 7, 6, 5],
      reads: {
        procedures: {
          of: procedures,
          span: 'asked',
          by: ['procedure_name'],
          sums: ['cases', 'amount'],
          rates: { amount_per_case: ['amount', 'cases'] },
          take: 6,
        },
      },
      draws: {
        form: 'bars',
        of: 'procedures',
        label: 'procedure_name',
        values: ['cases', 'amount_per_case'],
        says: 'second',
      },
    },
    {
      name: 'stock',
      title: '库存明细',
      at: [14, 7, 10, 5],
      reads: {
        stock: {
          of: departmentStock,
          span: 'now',
          rows: ['product_name', 'lot_no', 'expiry_date', 'quantity', 'min_quantity', 'status'],
          take: 60,
        },
      },
      draws: {
        form: 'list',
        of: 'stock',
        columns: ['product_name', 'lot_no', 'expiry_date', 'quantity', 'min_quantity', 'status'],
        empty: '科室没有库存',
      },
    },
  ],
})
