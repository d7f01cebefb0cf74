import { defineDocument } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { postingLifecycle } from '#kernel/lifecycle.ts'
import { type Move, store, transit } from '#kernel/posting.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { codesMatchQuantity, differ, everyLineHasLot, fitToLeave, hasLines, needs, positiveQuantity } from '#modules/guards.ts'

/** 发放出库单: the central store hands goods to a department; they are on the way inside the hospital until the ward receives them. */
export const grantOdo = defineDocument({
  kind: 'grantOdo', title: '发放出库单', prefix: 'FF', family: 'ward', keptBy: 'H', billType: 'GRANTODO', goods: 'out', reserves: true,
  main: 'ward_receive', mainAlso: ['return'], derives: { receive_state: 'ward_receive' },
  header: {
    warehouse_model_inner_sn: f.ref('发放仓库', 'warehouse', { required: true }),
    department_inner_sn: f.ref('领用科室', 'department'),
    to_warehouse_model_inner_sn: f.ref('领入仓库', 'warehouse', { required: true }),
    is_urgent: f.flag('加急'),
    is_charged: f.flag('是否收费'),
    receiver_inner_sn: f.ref('领用人', 'employee'),
    picker_inner_sn: f.ref('拣货人', 'employee'),
    rechecker_inner_sn: f.ref('复核人', 'employee'),
    courier_inner_sn: f.ref('配送人', 'employee'),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('发放日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    lot_no: f.text('批号', { max: 40 }),
    expiry_date: f.day('有效期至'),
    unit_codes: f.codes('院内码/定数包码'),
    unit_inner_sn: f.ref('单位', 'unitTree'),
    quantity: f.quantity('发放数量', { required: true, min: '0.001' }),
    price: f.price('单价', { min: '0' }),
    owner_org_sn: f.ref('货主', 'organisation'),
    location: f.text('货位', { max: 40 }),
    remark: f.text('备注', { max: 200 }),
  },
  takes: [
    {
      from: 'dispatch', for: 'dispatch', sourceType: sourceTypes.DISPATCH, purpose: 'grant',
      upward: [{ link: 'order', purpose: 'grant' }, { link: 'order', purpose: 'allocate', back: true }],
    },
    { from: 'requisition', for: 'requisition', sourceType: sourceTypes.REQUISITION, purpose: 'grant', beside: ['allocate'] },
  ],
  makes: [{ on: 'review', kind: 'wardReceipt', state: 'submitted' }],
  actions: {
    ...postingLifecycle({
      submit: [
        hasLines, needs('warehouse_model_inner_sn', '请选择发放仓库'), needs('to_warehouse_model_inner_sn', '请选择领入仓库'),
        differ('to_warehouse_model_inner_sn', 'warehouse_model_inner_sn', '发放仓库与领入仓库不能相同'), positiveQuantity, everyLineHasLot,
        fitToLeave((lot, why) => `批号${lot}为${why}状态，不能发放`), codesMatchQuantity,
      ],
      review: [differ('picker_inner_sn', 'rechecker_inner_sn', '拣货人与复核人不能为同一人')],
    }),
    sign: { label: '领用签收', from: ['reviewed', 'partial', 'completed'], to: null, asks: ['receiver_inner_sn'] },
  },
  posts: (doc, book) => ({
    moves: doc.lines.map((line): Move => ({
      line_no: line.line_no, step: 'grant', quantity: line.base_quantity,
      from: store(doc.warehouse_model_inner_sn, line.location), to: transit(doc.sn),
      owner: line.owner_org_sn ?? book.org, quality: line.quality_state ?? 'qualified',
    })),
  }),
  screens: [
    {
      route: '/commonView/grantOdo', title: '发放出库', orgs: 'H', menu: '发放管理', purpose: '中心库按申领、配送单或直接向科室发放，科室收货后完成',
      columns: ['sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'to_warehouse_model_inner_sn', 'source_sn', 'line_count', 'total_quantity', 'taxed_amount', 'receive_state', 'created_by_name', 'receiver_inner_sn', 'business_date', 'reviewed_by_name', 'reviewed_at', 'state'],
      filters: ['sn', 'department_inner_sn', 'to_warehouse_model_inner_sn', 'warehouse_model_inner_sn', 'source_sn', 'specification_sn', 'lot_no', 'unit_code', 'business_date', 'receive_state', 'state'],
    },
    {
      route: '/commonView/grantOdoWarehouse', title: '仓库发放', orgs: 'H', menu: '发放管理', purpose: '库管员柜台：拣货、复核、交接等待发放的单据',
      columns: ['sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'to_warehouse_model_inner_sn', 'source_sn', 'is_urgent', 'line_count', 'total_quantity', 'picker_inner_sn', 'rechecker_inner_sn', 'receiver_inner_sn', 'business_date', 'state'],
      filters: ['sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'to_warehouse_model_inner_sn', 'specification_sn', 'unit_code', 'business_date', 'state'],
      states: ['submitted', 'rejected', 'reviewed', 'partial', 'completed'], actions: ['submit', 'review', 'reject', 'sign'],
    },
    {
      route: '/hospital/hospitalgrantOdo', title: '医院发放出库', orgs: 'H', menu: '发放管理', purpose: '高值、一物一码与定数包逐码扫描发放到二级库，跟踪科室收货',
      columns: ['sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'to_warehouse_model_inner_sn', 'source_sn', 'line_count', 'total_quantity', 'taxed_amount', 'receive_state', 'receiver_inner_sn', 'handler_inner_sn', 'business_date', 'reviewed_by_name', 'reviewed_at', 'state'],
      filters: ['sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'to_warehouse_model_inner_sn', 'source_sn', 'specification_sn', 'lot_no', 'unit_code', 'business_date', 'receive_state', 'state'],
    },
  ],
})
