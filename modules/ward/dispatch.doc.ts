import { defineDocument } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { lifecycle } from '#kernel/lifecycle.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { differ, everyLineHasLot, fitToLeave, hasLines, needs, positiveQuantity, reasonedWhenLess, within } from '#modules/guards.ts'

/** 配送单: approved requisitions of one department turned into a picking list; submitted, it reserves the lots, reviewed, it lays the grant. */
export const dispatch = defineDocument({
  kind: 'dispatch', title: '配送单', prefix: 'PS', family: 'ward', keptBy: 'H', goods: 'out', reserves: true,
  main: 'grant', derives: { grant_state: 'grant' },
  header: {
    warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', { required: true }),
    department_inner_sn: f.ref('配送科室', 'department'),
    to_warehouse_model_inner_sn: f.ref('领入仓库', 'warehouse'),
    wave_no: f.text('波次号', { max: 40 }),
    route_name: f.text('配送路线', { max: 40 }),
    is_urgent: f.flag('加急'),
    picker_inner_sn: f.ref('拣货人', 'employee'),
    rechecker_inner_sn: f.ref('复核人', 'employee'),
    courier_inner_sn: f.ref('配送员', 'employee'),
    box_no: f.text('周转箱号', { max: 80 }),
    required_at: f.instant('计划送达时间'),
    delivered_at: f.instant('送达时间'),
    delivered_to: f.text('签收人', { max: 40 }),
    business_date: f.day('配送日期'),
    remark: f.longText('备注', { max: 500 }),
  },
  lines: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    lot_no: f.text('批号', { max: 40 }),
    expiry_date: f.day('有效期至'),
    unit_codes: f.codes('院内码/定数包码'),
    unit_inner_sn: f.ref('单位', 'unitTree'),
    planned_quantity: f.quantity('应配数量', { readOnly: true }),
    picked_quantity: f.quantity('已拣数量', { min: '0' }),
    quantity: f.quantity('数量', { required: true, min: '0' }),
    short_reason: f.text('缺货原因', { max: 200 }),
    owner_org_sn: f.ref('货主', 'organisation'),
    location: f.text('货位', { max: 40 }),
    box_no: f.text('箱号', { max: 40 }),
    remark: f.text('备注', { max: 200 }),
  },
  takes: [{ from: 'requisition', for: 'requisition', sourceType: sourceTypes.REQUISITION, purpose: 'allocate', at: 'submit', many: true, beside: ['grant'] }],
  byHand: false,
  editsSubmitted: ['picked_quantity', 'short_reason', 'unit_codes', 'box_no', 'picker_inner_sn', 'rechecker_inner_sn', 'courier_inner_sn'],
  corrects: { field: 'picked_quantity', keeps: 'planned_quantity' },
  makes: [{ on: 'review', kind: 'grantOdo', state: 'draft' }],
  actions: {
    ...lifecycle({
      submit: [
        hasLines, needs('warehouse_model_inner_sn', '请选择供货仓库'), positiveQuantity, everyLineHasLot,
        fitToLeave((lot, why) => `批号${lot}为${why}状态，不能发放`),
      ],
      review: [
        within('picked_quantity', 'planned_quantity', '已拣数量不能大于应配数量'), reasonedWhenLess('planned_quantity', 'short_reason', '缺货请填写缺货原因'),
        differ('picker_inner_sn', 'rechecker_inner_sn', '拣货人与复核人不能为同一人'),
      ],
    }),
    deliver: { label: '登记送达', from: ['reviewed', 'partial', 'completed'], to: null, asks: ['delivered_at', 'delivered_to'] },
  },
  screens: [
    {
      route: '/hospital/dispatch', title: '配送管理', orgs: 'H', menu: '发放管理', purpose: '把已批申领变成拣货单：近效期先出占用批次，拣货复核后配送到科室',
      columns: ['sn', 'wave_no', 'warehouse_model_inner_sn', 'department_inner_sn', 'source_sn', 'is_urgent', 'line_count', 'total_quantity', 'grant_state', 'picker_inner_sn', 'rechecker_inner_sn', 'courier_inner_sn', 'box_no', 'required_at', 'delivered_at', 'state'],
      filters: ['sn', 'wave_no', 'warehouse_model_inner_sn', 'department_inner_sn', 'source_sn', 'is_urgent', 'courier_inner_sn', 'specification_sn', 'lot_no', 'business_date', 'state'],
    },
  ],
})
