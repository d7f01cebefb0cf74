import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

export const categories = {
  CERTIFICATIONEARLY: '资质预警',
  PRODUCTREGISTRATION: '注册证预警',
  PRODUCTEXPIRY: '效期预警',
  PRODUCTINVENTORY: '库存预警',
} as const

const page = {
  route: '/commonView/warning',
  title: '预警中心',
  orgs: 'HDV',
  menu: '预警中心',
  counted: { state: 'open' },
  leads: true,
  actions: ['handle', 'ignore'],
} as const
const handling = ['first_at', 'responsible', 'handled_by', 'note', 'state'] as const

/**
 * 预警: stock that is expired or close to expiry, low, excessive or idle; one row per object and category. It is
 * computed from the ledger, closes automatically when its cause is gone, and comes back after it was settled only
 * when it became worse.
 */
export const warning = defineEntity({
  kind: 'warning',
  title: '预警',
  table: 'warning',
  key: 'warning_sn',
  scope: 'organisation',
  display: 'object_name',
  tone: row =>
    row.level === 'expired' || row.level === 'none'
      ? 'danger'
      : ['urgent', 'held', 'missing'].includes(String(row.level))
        ? 'warning'
        : undefined,
  sort: '-severity,expiry_date',
  fields: {
    category: f.pick('预警类别', categories, { readOnly: true }),
    level: f.pick(
      '预警级别',
      {
        expired: '已过期',
        urgent: '紧急',
        soon: '提醒',
        none: '零库存',
        low: '低于下限',
        high: '高于上限',
        idle: '呆滞',
        held: '停售待定',
        missing: '缺必备证照',
      },
      { readOnly: true },
    ),
    severity: f.count('严重程度', { readOnly: true }),
    object_kind: f.pick(
      '对象类型',
      {
        licence: '证照',
        staffFile: '质量档案',
        registrationCertificate: '注册证',
        stockBalance: '库存',
        warehouseProduct: '仓库产品',
        stopSale: '停售单',
        reagentTrace: '开瓶试剂',
      },
      { readOnly: true },
    ),
    object_name: f.text('对象名称', { readOnly: true, width: 260 }),
    code: f.text('编号', { readOnly: true, width: 168 }),
    partner_sn: f.ref('相关机构', 'organisation', { readOnly: true }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { readOnly: true }),
    department_inner_sn: f.ref('科室', 'department', { readOnly: true }),
    specification_sn: f.ref('规格型号', 'specification', { readOnly: true }),
    quantity: f.quantity('数量', { readOnly: true }),
    expiry_date: f.day('到期日期', { readOnly: true }),
    threshold: f.quantity('阈值', { readOnly: true }),
    proposed: f.quantity('建议补货', { readOnly: true }),
    first_at: f.instant('首次预警时间', { readOnly: true }),
    state: f.pick(
      '处理状态',
      { open: '待处理', handled: '已处理', ignored: '已忽略', closed: '已消除' },
      { readOnly: true },
    ),
    handled_by: f.text('处理人', { readOnly: true }),
    handled_at: f.instant('处理时间', { readOnly: true }),
    note: f.text('处理说明', { readOnly: true }),
  },
  extras: { days_left: f.count('剩余天数'), responsible: f.text('负责人') },
  search: ['object_name', 'code'],
  actions: {
    handle: { label: '标记已处理', tone: 'primary', asks: { note: f.text('处理说明', { max: 200 }) } },
    ignore: { label: '忽略', asksReason: true, reasonMsg: '请填写忽略原因' },
  },
  screens: [
    {
      ...page,
      tab: '全部预警',
      purpose: '资质、注册证、效期、库存四类预警：夜间与每次过账后重新计算，原因消除后自动关闭',
      columns: [
        'category',
        'level',
        'object_kind',
        'object_name',
        'code',
        'partner_sn',
        'warehouse_model_inner_sn',
        'specification_sn',
        'quantity',
        'expiry_date',
        'days_left',
        'threshold',
        ...handling,
      ],
      filters: [
        'category',
        'level',
        'warehouse_model_inner_sn',
        'partner_sn',
        'object_name',
        'code',
        'expiry_date',
        'responsible',
        'state',
      ],
    },
    {
      ...page,
      tab: '效期预警',
      purpose: '库存里已过期和快到期的批号',
      where: { category: 'PRODUCTEXPIRY' },
      columns: [
        'level',
        'object_name',
        'code',
        'warehouse_model_inner_sn',
        'quantity',
        'expiry_date',
        'days_left',
        'partner_sn',
        ...handling,
      ],
      filters: ['level', 'warehouse_model_inner_sn', 'object_name', 'code', 'expiry_date', 'responsible', 'state'],
    },
    {
      ...page,
      tab: '库存预警',
      purpose: '低于下限、高于上限、无库存和呆滞的产品，停售超期未处理的货物',
      where: { category: 'PRODUCTINVENTORY' },
      columns: [
        'level',
        'object_name',
        'code',
        'warehouse_model_inner_sn',
        'quantity',
        'threshold',
        'proposed',
        ...handling,
      ],
      filters: ['level', 'warehouse_model_inner_sn', 'object_name', 'code', 'responsible', 'state'],
    },
    {
      ...page,
      tab: '资质预警',
      purpose: '本机构与相关机构快到期的证照、授权',
      where: { category: 'CERTIFICATIONEARLY' },
      columns: ['level', 'object_name', 'code', 'expiry_date', 'days_left', ...handling],
      filters: ['level', 'partner_sn', 'code', 'expiry_date', 'responsible', 'state'],
    },
    {
      ...page,
      tab: '注册证预警',
      purpose: '在库产品快到期的注册证',
      where: { category: 'PRODUCTREGISTRATION' },
      columns: ['level', 'object_name', 'code', 'partner_sn', 'quantity', 'expiry_date', 'days_left', ...handling],
      filters: ['level', 'object_name', 'code', 'expiry_date', 'responsible', 'state'],
    },
  ],
})
