import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { hasLines, needs } from '#modules/base/vocabulary/validators.ts'

const life = lifecycle({ submit: [hasLines, needs('warehouse_model_inner_sn', '请选择仓库')] })

/**
 * 称重单: the plates of a warehouse against its ledger. Missing goods were used and become a usage document; a surplus
 * stays a difference to be counted.
 */
export const weighing = defineDocument({
  kind: 'weighing',
  title: '称重单',
  numberPrefix: 'CZ',
  category: 'internal',
  ownerTypes: 'H',
  header: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    department_inner_sn: f.ref('科室', 'department'),
    trigger: f.pick('触发方式', { timer: '定时', door: '关门', hand: '手动' }, { default: 'hand' }),
    weighed_at: f.instant('称重时间', { default: 'now' }),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('称重日期'),
    remark: f.longText('备注', { max: 500 }),
  },
  lines: {
    plate_no: f.text('托盘编号', { readOnly: true }),
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    lot_no: f.lot('批号', { max: 40 }),
    tare_g: f.quantity('皮重', { readOnly: true }),
    piece_g: f.quantity('单件重量', { readOnly: true }),
    last_weight_g: f.quantity('上次重量', { readOnly: true }),
    weight_g: f.quantity('本次重量', { readOnly: true }),
    last_pieces: f.quantity('上次数量', { readOnly: true }),
    pieces: f.quantity('本次数量', { readOnly: true }),
    changed_pieces: f.quantity('变动数量', { readOnly: true }),
    book_quantity: f.quantity('账面数量', { readOnly: true }),
    direction: f.pick('变动类型', { less: '减少', more: '增加' }, { readOnly: true }),
    quantity: f.quantity('差异数量', { required: true, min: '0' }),
    location: f.text('货位', { max: 40 }),
    line_reason: f.text('差异原因', { max: 200 }),
  },
  actions: { submit: life.submit, unsubmit: life.unsubmit, review: life.review, reject: life.reject },
  lifecycle: {
    listActions: {
      generate: {
        label: '按称重生成',
        inputs: { warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }) },
      },
    },
  },
  posting: {
    stockDirection: 'named',
  },
  pricing: {
    keepsPrices: true,
  },
  screens: [
    {
      route: '/commonView/weightPlate',
      tab: '称重单',
      title: '称重托盘盘点',
      orgs: 'H',
      menu: '智能柜管理',
      purpose: '托盘数量与账面的差异：减少的审核后生成科室使用单',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'department_inner_sn',
        'trigger',
        'weighed_at',
        'line_count',
        'total_quantity',
        'handler_inner_sn',
        'created_by_name',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: ['sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'specification_sn', 'business_date', 'state'],
    },
  ],
})
