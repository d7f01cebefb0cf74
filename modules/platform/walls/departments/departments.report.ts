import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { wallDays } from '#modules/platform/walls/wall-days.ts'

const department = { department_inner_sn: f.ref('科室', 'department') } as const

const placeModels = { model: f.pick('类型', { department: '科室', ward: '二级库', cabinet: '智能柜' }) } as const

/** 科室与二级库: the enabled departments with their enabled stores and cabinets, a row each. */
export const departmentPlaces = defineReport({
  kind: 'wallDepartmentPlaces',
  title: '科室与二级库',
  sqlFile: 'platform/walls/departments/places.sql',
  parameters: { ...department, ...placeModels },
  columns: {
    ...placeModels,
    name: f.text('名称'),
    department_name: f.text('科室'),
    places: f.count('个数', { hint: '启用的科室、科室仓库或智能柜' }),
  },
  totals: ['places'],
  screens: [
    {
      route: '/hospital/departmentPlaces',
      title: '科室与二级库',
      orgs: 'H',
      menu: '科室管理',
      hidden: true,
      purpose: '启用的科室，及其启用的仓库与智能柜',
      columns: ['department_name', 'model', 'name', 'places'],
      filters: [],
    },
  ],
})

/**
 * 科室库存: the stock of each department's stores, in base units and at cost, and the days it lasts at the use of the last
 * thirty; without use it lasts for ever.
 */
export const departmentSupply = defineReport({
  kind: 'wallDepartmentSupply',
  title: '科室库存',
  beside: {
    department_sn: f.text('科室'),
  },
  sqlFile: 'platform/walls/departments/supply.sql',
  parameters: {},
  columns: {
    department_name: f.text('科室'),
    quantity: f.quantity('库存件数'),
    amount: f.cost('库存金额'),
    days: f.text('可用天数'),
  },
  screens: [],
})

/** 申领与收货: lines of reviewed requisitions by the day of review, and how much of each the ward has received. */
export const requested = defineReport({
  kind: 'wallRequested',
  title: '申领与收货',
  beside: {
    department_sn: f.text('科室'),
  },
  sqlFile: 'platform/walls/departments/requested.sql',
  parameters: { ...wallDays, ...department },
  columns: {
    day: f.day('日期'),
    department_name: f.text('科室'),
    requested: f.quantity('申领数量'),
    received: f.quantity('收货数量'),
    fill_rate: f.rate('满足率'),
  },
  screens: [],
})

/** 库存明细: the stock of a department's stores and cabinets, by lot, with the limits of its size. */
export const departmentStock = defineReport({
  kind: 'wallDepartmentStock',
  title: '科室库存明细',
  sqlFile: 'platform/walls/departments/stock.sql',
  parameters: department,
  columns: {
    product_name: f.text('产品'),
    specification_name: f.text('规格型号'),
    lot_no: f.lot('批号'),
    expiry_date: f.day('有效期至'),
    quantity: f.quantity('数量'),
    min_quantity: f.quantity('下限'),
    max_quantity: f.quantity('上限'),
    status: f.pick('状态', { low: '低于下限', near: '近效期', expired: '已过期', sound: '正常' }),
    amount: f.cost('库存金额', { hint: '科室仓库与智能柜里的自有货物，按成本' }),
    sizes: f.count('品种数', { hint: '科室各仓库在库的规格，每个仓库分别计' }),
    low: f.count('低于下限', { hint: '可用数量不高于本仓库下限的在库规格，每个仓库分别计' }),
    near: f.count('近效期', { hint: '在效期预警天数内到期或已过期的批次，每个仓库分别计' }),
  },
  screens: [],
})

/** 手术例数与例均耗材: the goods used in operations by procedure; procedures with fewer than three cases are one row. */
export const procedures = defineReport({
  kind: 'wallProcedures',
  title: '手术例数与例均耗材',
  sqlFile: 'platform/walls/departments/procedures.sql',
  parameters: { ...wallDays, ...department },
  columns: {
    procedure_name: f.text('术式'),
    cases: f.count('例数'),
    amount: f.amount('使用金额'),
    amount_per_case: f.amount('例均耗材'),
  },
  screens: [],
})
