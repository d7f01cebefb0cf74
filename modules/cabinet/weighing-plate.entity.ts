import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { statusField } from '#modules/on-off.ts'

const weight = f.quantity('当前重量(g)', { required: true, min: '0' })

/** 称重托盘: a plate on a shelf or in a cabinet, what lies on it and how many pieces its weight says. */
export const weighingPlate = defineEntity({
  kind: 'weighingPlate',
  title: '称重托盘',
  table: 'weighing_plate',
  key: 'weighing_plate_sn',
  scope: 'organisation',
  display: 'code',
  unique: [['code']],
  fields: {
    code: f.text('托盘编号', { required: true, max: 40 }),
    rack: f.text('柜体/货架', { max: 60 }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    location: f.text('货位', { max: 40 }),
    specification_sn: f.ref('规格型号', 'specification', { readOnly: true, shows: { specification_code: 'code' } }),
    lot_no: f.text('批号', { readOnly: true }),
    tare_g: f.quantity('皮重(g)', { readOnly: true }),
    piece_g: f.quantity('单件重量(g)', { readOnly: true }),
    weight_g: f.quantity('当前重量(g)', { readOnly: true }),
    tolerance_g: f.quantity('允差(g)', { min: '0', default: '5.000' }),
    pieces: f.quantity('计算数量', { readOnly: true }),
    lower_limit: f.quantity('下限', { min: '0' }),
    par_level: f.quantity('补货上限', { min: '0' }),
    is_door_open: f.flag('柜门开启', { default: false }),
    read_at: f.instant('最近称重时间', { readOnly: true }),
    replenish_sn: f.text('补货申领单', { readOnly: true }),
    status: statusField,
  },
  extras: { book_quantity: f.quantity('账面数量') },
  search: ['code', 'rack'],
  actions: {
    bind: {
      label: '绑定产品',
      asks: {
        specification_sn: f.ref('规格型号', 'specification', { required: true }),
        lot_no: f.text('批号', { required: true, max: 40 }),
        known_pieces: f.count('已知件数', { required: true, hint: '至少10件，用来学习单件重量' }),
        weight_g: weight,
      },
    },
    unbind: { label: '解除绑定', tone: 'danger', asks: { weight_g: weight } },
    tare: { label: '去皮校准', asks: { weight_g: f.quantity('空盘重量(g)', { required: true, min: '0' }) } },
    read: { label: '立即称重', tone: 'primary', asks: { weight_g: weight } },
    replenish: { label: '生成补货申领' },
  },
  screens: [
    {
      route: '/commonView/weightPlate',
      tab: '托盘',
      title: '称重托盘盘点',
      orgs: 'H',
      menu: '智能柜管理',
      purpose: '托盘绑定产品、去皮、称重，低于下限生成补货申领',
      columns: [
        'code',
        'rack',
        'warehouse_model_inner_sn',
        'specification_sn',
        'lot_no',
        'piece_g',
        'tare_g',
        'weight_g',
        'pieces',
        'book_quantity',
        'lower_limit',
        'par_level',
        'read_at',
        'replenish_sn',
        'status',
      ],
      filters: ['code', 'rack', 'warehouse_model_inner_sn', 'specification_sn', 'read_at', 'status'],
    },
  ],
})
