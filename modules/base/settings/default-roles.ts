import type { OrgType } from '#kernel/values/organisation-type.ts'

/**
 * A role as created for new organisations: the menu groups whose pages and operations it has, and rights beyond
 * pages.
 */
export type ReadyRole = {
  readonly name: string
  readonly description: string
  readonly groups: readonly string[]
  readonly also?: readonly string[]
}

/** The quality head, in every organisation that stores goods. */
const qualityHead: ReadyRole = {
  name: '质量负责人',
  description: '质量管理、首营与批号效期更正的审核',
  groups: ['首页', '质量管理', '首营管理', '证照管理', '库存管理', '损溢管理', '使用追溯', '预警中心'],
  also: ['price', 'stockCorrection.quality'],
}

const trade: readonly ReadyRole[] = [
  {
    name: '采购员',
    description: '采购与供应商',
    groups: ['首页', '采购管理', '产品管理', '机构管理', '证照管理', '库存管理', '预警中心'],
    also: ['price'],
  },
  {
    name: '销售员',
    description: '销售订单与客户',
    groups: ['首页', '销售管理', '机构管理', '出库管理', '库存管理', '报表中心'],
    also: ['price'],
  },
  {
    name: '库管员',
    description: '收货、发货与库存',
    groups: ['首页', '入库管理', '出库管理', '库存管理', '条码标签', '质量管理', '调拨管理', '损溢管理'],
    // The person who writes other receipts and surpluses enters the cost at which the goods come in.
    also: ['price', 'profit'],
  },
  {
    name: '财务',
    description: '发票、收款与付款',
    groups: ['首页', '结算管理', '发票管理', '财务管理', '财务报表', '报表中心'],
    // The cost and sale price of goods at customers.
    also: [
      'price',
      'profit',
      'page:/commonView/advanceSaleFinance',
      ...['priceConfirm', 'priceUnconfirm'].flatMap(action => [`advanceLine.${action}`, `advanceSale.${action}`]),
      'advanceSale.record',
      'advanceSale.unrecord',
    ],
  },
  qualityHead,
]
/**
 * Roles of each kind of organisation: the menu groups whose pages and operations a role has, and rights beyond
 * pages.
 */
export const readyRoles: Readonly<Record<OrgType, readonly ReadyRole[]>> = {
  P: [
    { name: '机构审核员', description: '机构注册与变更审核', groups: ['首页', '机构管理'] },
    { name: '产品审核员', description: '产品审核与发布', groups: ['首页', '产品管理', '基础设置'] },
  ],
  H: [
    {
      name: '科室护士',
      description: '科室申领、收货、使用登记',
      groups: ['首页', '科室管理', '骨科手术管理', '使用追溯', '预警中心'],
      // Responsible for what was taken out of the ward's cabinets.
      also: [
        'patient',
        'page:/commonView/consumableCabinetManagement/cabinetTransactionRecords',
        'cabinetTransaction.link',
        'cabinetTransaction.explain',
      ],
    },
    {
      name: '库管员',
      description: '验收、入库、发放、盘点与标签',
      groups: [
        '首页',
        '入库管理',
        '出库管理',
        '库存管理',
        '发放管理',
        '条码标签',
        '使用追溯',
        '智能柜管理',
        '调拨管理',
        '损溢管理',
        '质量管理',
        '预警中心',
      ],
      also: ['price'],
    },
    {
      name: '采购员',
      description: '采购、产品目录与供应商',
      groups: ['首页', '采购管理', '产品管理', '机构管理', '证照管理', '库存管理', '预警中心', '报表中心'],
      also: ['price'],
    },
    {
      name: '财务',
      description: '结算、发票与付款',
      groups: ['首页', '结算管理', '发票管理', '财务管理', '财务报表', '报表中心'],
      also: ['price'],
    },
    qualityHead,
  ],
  D: trade,
  V: trade,
}
