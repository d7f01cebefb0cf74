import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { online } from '#modules/hospital/cabinet/equipment/cabinet-labels.ts'

/** Limits, refills and readings belong to the hospital. */
const ofTheHospital = ['lower_limit', 'upper_limit', 'proposed', 'read_quantity', 'online', 'owner_sn'] as const

/**
 * 柜体库存: what is stored in which cabinet, behind which door and in which slot. The quantity is the ledger's; the
 * device's last reading is shown beside it.
 */
export const cabinetStock = defineEntity({
  kind: 'cabinetStock',
  title: '柜体库存',
  table: 'cabinet_stock',
  key: 'cabinet_stock_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'lot_no',
  sort: 'cabinet_sn,door_no,slot,specification_sn,expiry_date',
  fields: {
    department_inner_sn: f.ref('科室', 'department', { width: 92 }),
    cabinet_sn: f.ref('柜体', 'cabinet', { width: 120 }),
    door_no: f.text('柜门/抽屉', { width: 100 }),
    slot: f.text('货格', { width: 116 }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    product_sn: f.ref('产品', 'product', { shows: { product_code: 'code' } }),
    specification_sn: f.ref('规格型号', 'specification', {
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    lot_no: f.lot('批号'),
    expiry_date: f.day('有效期至'),
    quantity: f.quantity('库存数量'),
    lower_limit: f.quantity('下限'),
    upper_limit: f.quantity('上限'),
    owner_sn: f.ref('货主', 'organisation'),
  },
  extras: {
    hospital_name: f.text('医院', { width: 180 }),
    manufacturer_name: f.text('生产厂家', { width: 130 }),
    days_left: f.count('剩余效期(天)'),
    expiry_state: f.pick('效期状态', { normal: '正常', near: '近效期', expired: '已过期', none: '无有效期' }),
    stock_state: f.pick('库存状态', { normal: '正常', low: '低于下限', none: '未设上下限' }),
    unit_count: f.count('院内码数'),
    unit_code: f.piece('院内码'),
    proposed: f.quantity('建议补货量'),
    read_quantity: f.quantity('设备读数'),
    online,
    read_at: f.instant('最近同步时间'),
  },
  tone: row => (row.expiry_state === 'expired' ? 'danger' : row.stock_state === 'low' ? 'warning' : undefined),
  search: ['product_name', 'specification_name', 'lot_no'],
  goneMessage: '柜体库存已变动，请刷新后重试',
  calls: {
    replenish: { label: '生成补货申领', rows: true, tone: 'primary', asks: {} },
    limit: {
      label: '设置上下限',
      rows: true,
      asks: {
        lower_limit: f.quantity('下限', { required: true, min: '0' }),
        upper_limit: f.quantity('上限', { required: true, min: '0' }),
      },
    },
    locate: { label: '亮灯寻货', rows: true, asks: {} },
  },
  writers: 'H',
  screens: [
    {
      route: '/commonView/consumableCabinetManagement/equipmentInventory',
      title: '柜体库存',
      orgs: 'HDV',
      menu: '智能柜管理',
      without: { H: ['hospital_name'], D: ofTheHospital, V: ofTheHospital },
      purpose: '各智能柜、柜门与货格的当前库存：账面数量、设备读数、效期与补货建议',
      columns: [
        'hospital_name',
        'department_inner_sn',
        'cabinet_sn',
        'door_no',
        'slot',
        'product_code',
        'product_name',
        'specification_sn',
        'lot_no',
        'quantity',
        'read_quantity',
        'lower_limit',
        'upper_limit',
        'proposed',
        'expiry_date',
        'days_left',
        'unit_count',
        'manufacturer_name',
        'owner_sn',
        'online',
        'read_at',
      ],
      filters: [
        'department_inner_sn',
        'cabinet_sn',
        'door_no',
        'product_name',
        'specification_name',
        'lot_no',
        'unit_code',
        'owner_sn',
        'expiry_state',
        'stock_state',
      ],
    },
  ],
})
