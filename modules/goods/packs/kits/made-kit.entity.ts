import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const given = { readOnly: true } as const

/** 套包实例: a made-up kit, from packing over issue to its use. */
export const madeKit = defineEntity({
  kind: 'madeKit',
  title: '套包实例',
  table: 'made_kit',
  key: 'made_kit_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'code',
  sort: '-made_kit_sn',
  labelled: 'pack',
  prints: [{ route: '/newprint/QrcodePrint', label: '打印套包码' }],
  search: ['code'],
  tone: row => (row.is_expired === true && row.state !== 'settled' ? 'danger' : undefined),
  fields: {
    code: f.text('实例编码', { ...given, width: 160 }),
    operation_kit_sn: f.ref('手术套包', 'operationKit', { ...given, shows: { version_no: 'version_no' } }),
    issue_sn: f.text('发放单号', { ...given, width: 140 }),
    unpack_sn: f.text('拆包单号', { ...given, width: 140 }),
    use_sn: f.text('使用单号', { ...given, width: 140 }),
    settled_by: f.text('核销人', given),
    settled_at: f.instant('核销时间', given),
  },
  extras: {
    state: f.pick('套包状态', {
      ready: '可用',
      moving: '在途',
      issued: '已发放',
      settled: '已核销',
      opened: '已拆包',
      used: '已消耗',
      gone: '已作废',
    }),
    warehouse_name: f.text('所在仓库', { width: 150 }),
    expiry_date: f.day('有效期至'),
    is_expired: f.flag('已过期'),
    product_name: f.text('产品', { width: 240 }),
    document_sn: f.text('组包单号', { width: 140 }),
  },
  actions: {
    settleKit: {
      label: '术后核销',
      tone: 'primary',
      handy: true,
      note: '先在明细里填写每种产品的使用数量和退回数量；使用的登记到患者，其余拆包退回库存',
      asks: {
        surgery_no: f.text('手术编号', { max: 40 }),
        surgery_name: f.text('手术名称', { max: 100, hint: '留空为套包的适用手术', patient: true }),
        patient_no: f.text('患者编号', { max: 40, patient: true }),
        patient_name: f.text('患者姓名', { max: 40, patient: true }),
        admission_no: f.text('住院号', { max: 40, patient: true }),
        implant_site: f.text('植入部位', { max: 100, patient: true }),
        doctor_inner_sn: f.ref('主刀医生', 'employee'),
      },
    },
  },
  calls: {
    issue: {
      label: '发放手术室',
      rows: true,
      tone: 'primary',
      asks: {
        to_warehouse_model_inner_sn: f.ref('手术室仓库', 'warehouse', { required: true, named: 'it receives itself' }),
        department_inner_sn: f.ref('领用科室', 'department', { required: true, named: 'the kit is for it' }),
      },
    },
  },
  links: [{ label: '院内追溯', to: '/hospital/traceabilityManage', with: { code: '$code' } }],
  screens: [
    {
      route: '/hospital/hospitalOperationKits',
      title: '手术套包管理',
      orgs: 'H',
      menu: '骨科手术管理',
      tab: '套包实例',
      purpose: '每个已配套包的内容、效期、所在仓库、发放与核销；效期取包内最早的',
      columns: [
        'code',
        'operation_kit_sn',
        'version_no',
        'product_name',
        'expiry_date',
        'warehouse_name',
        'state',
        'document_sn',
        'issue_sn',
        'use_sn',
        'settled_by',
        'settled_at',
      ],
      keyColumns: ['code', 'operation_kit_sn', 'expiry_date', 'warehouse_name', 'state'],
      filters: ['code', 'operation_kit_sn', 'product_name', 'state', 'expiry_date'],
      actions: ['settleKit', 'issue', 'print'],
    },
  ],
})

/** The contents of a made-up kit, by lot: used and returned quantities are entered before it is settled. */
export const madeKitLine = defineEntity({
  kind: 'madeKitLine',
  title: '套包内产品',
  table: 'made_kit_line',
  key: 'made_kit_line_sn',
  scope: 'organisation',
  writers: 'H',
  under: 'madeKit',
  partOf: {
    when: () => true,
    written: row => row.settled_at === null && row.state === 'issued',
  },
  display: 'part_code',
  sort: 'made_kit_line_sn',
  search: ['part_code'],
  fields: {
    made_kit_sn: f.ref('套包实例', 'madeKit', { required: true }),
    part_code: f.text('子码', { ...given, width: 160 }),
    specification_sn: f.ref('规格型号', 'specification', given),
    quantity: f.quantity('标准数量', given),
    used_quantity: f.quantity('使用数量', { min: '0' }),
    returned_quantity: f.quantity('退回数量', { min: '0' }),
  },
  extras: {
    product_name: f.text('产品名称', { width: 180 }),
    piece_code: f.text('院内码', { width: 160 }),
    lot_no: f.lot('批号'),
    expiry_date: f.day('有效期至'),
  },
  screens: [],
})
