import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'

/** Where a piece stands in its life. */
export const unitStates = {
  in_stock: '在库',
  in_transit: '在途',
  used: '已使用',
  returned: '已退回',
  issued: '已领出',
  scrapped: '已报废',
  lost: '已损失',
  gone: '已出链',
  void: '已作废',
} as const

const reason = f.text('原因', { required: true, max: 200 })

/** 院内码: the codes of single pieces that the organisation holds or has used. Born by papers, or by labels made for goods in stock. */
export const unitLabel = defineEntity({
  kind: 'unitLabel',
  title: '标签',
  table: 'unit',
  key: 'unit_sn',
  scope: 'shared',
  readOnly: true,
  labelled: 'piece',
  prints: [
    { route: '/newprint/BarCodePrint', label: '打印条码' },
    { route: '/newprint/QrcodePrint', label: '打印二维码' },
  ],
  display: 'status',
  fields: {
    specification_sn: f.ref('规格型号', 'specification', { shows: { specification_code: 'code', udi_di: 'udi_di' } }),
    status: f.pick('标签状态', unitStates),
    holder_org_sn: f.ref('持有机构', 'organisation'),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    owner_sn: f.ref('货主', 'organisation'),
  },
  extras: {
    code: f.text('标签编码', { width: 170 }),
    label_kind: f.pick('标签类型', { piece: '单品码', pack: '包装码', udi: '厂商UDI' }),
    rfid: f.text('RFID号(EPC)', { width: 150 }),
    codes: f.codes('全部编码'),
    ended_codes: f.codes('已换下的编码'),
    parent_code: f.text('父级编码'),
    holder_name: f.text('持有机构'),
    product_name: f.text('产品名称'),
    lot_no: f.text('批号'),
    expiry_date: f.day('有效期至'),
    times: f.count('打印次数'),
    print_state: f.pick('打印状态', { no: '未打印', yes: '已打印' }),
    source_no: f.text('来源单号', { width: 130 }),
    job_sn: f.text('生成批次', { width: 130 }),
    made_at: f.instant('生成时间'),
    made_by: f.text('操作人'),
  },
  calls: {
    gen: {
      label: '生成标签',
      asks: {
        source_sn: f.text('入库单号', {
          required: true,
          max: 40,
          hint: '已入库的单据；库存里的产品在库存查询里勾选后生成',
        }),
        count: f.count('每个批号张数', { min: '1', max: 500, hint: '不填为全部未贴码的' }),
      },
      tone: 'primary',
    },
    replace: { label: '换签', asks: { reason }, rows: true },
    void: { label: '标签作废', asks: { reason }, rows: true },
    bindRfid: { label: '绑定RFID', asks: { epc: f.text('RFID号(EPC)', { required: true, max: 64 }) }, rows: true },
  },
  // 补打 is a right beside 打印: whoever prints again says why.
  actions: { reprint: { label: '补打' } },
  sort: 'unit_sn',
  screens: [
    {
      route: '/commonView/labelManagement',
      title: '标签管理',
      orgs: 'HDV',
      menu: '条码标签',
      purpose: '单品码、包装码：生成、打印、换签、作废，在哪里、什么状态',
      columns: [
        'code',
        'label_kind',
        'product_name',
        'specification_sn',
        'lot_no',
        'expiry_date',
        'warehouse_model_inner_sn',
        'owner_sn',
        'status',
        'print_state',
        'times',
        'source_no',
        'rfid',
        'udi_di',
        'parent_code',
        'job_sn',
        'made_at',
        'made_by',
      ],
      filters: [
        'q',
        'label_kind',
        'specification_sn',
        'product_name',
        'lot_no',
        'warehouse_model_inner_sn',
        'print_state',
        'status',
        'source_no',
        'job_sn',
        'made_at',
      ],
    },
  ],
})
