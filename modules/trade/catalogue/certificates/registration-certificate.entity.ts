import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { deviceClasses } from '#modules/trade/catalogue/products/risk-classes.ts'
import { onOff } from '#modules/base/vocabulary/status-field.ts'

/** A certificate is urgent this many days before its end. */
const URGENT_DAYS = 30

/**
 * 注册证: the registration of a device, or the filing of a class I one. Everything ordered or received depends on its
 * validity.
 */
export const registrationCertificate = defineEntity({
  kind: 'registrationCertificate',
  title: '产品注册证',
  table: 'registration_certificate',
  key: 'registration_certificate_sn',
  scope: 'shared',
  writers: 'PHDV',
  display: 'certificate_no',
  pickerFields: 'all',
  judged: {
    state: 'audit_state',
    passed: ['passed'],
    pending: 'pending',
    action: 'review',
    judges: 'P',
    needs: { attachments: '没有注册证扫描件，不能审核通过，请驳回并说明' },
  },
  fields: {
    certificate_no: f.text('注册证号', { required: true, max: 60 }),
    certificate_kind: f.pick(
      '证照类型',
      { registration: '注册证', filing: '备案凭证' },
      { required: true, default: 'registration' },
    ),
    product_name: f.text('产品名称', { required: true, max: 100 }),
    holder_org_sn: f.ref('注册人/代理人机构', 'organisation', {
      required: true,
      optionsFilter: { scope: 'all', system_type: '3' },
    }),
    registrant_name: f.text('注册人/备案人', { max: 100 }),
    agent_name: f.text('代理人', { max: 100 }),
    country: f.text('产地', { max: 40 }),
    production_address: f.text('生产地址', { max: 200 }),
    device_class: f.pick('管理类别', deviceClasses, { required: true }),
    class_code: f.text('分类编码', { max: 10 }),
    approval_department: f.text('审批部门', { max: 60 }),
    approved_on: f.day('批准日期'),
    valid_from: f.day('生效日期', { required: true }),
    valid_to: f.day('有效期至'),
    previous_certificate_no: f.text('原注册证号', { max: 60 }),
    renewal_state: f.text('延续状态', { readOnly: true }),
    structure: f.longText('结构及组成', { max: 1000 }),
    scope: f.longText('适用范围', { max: 1000 }),
    attachments: f.files('扫描件'),
    audit_state: f.pick(
      '审核状态',
      { pending: '待审核', passed: '已通过', refused: '已驳回' },
      { readOnly: true, default: 'passed' },
    ),
    audited_by: f.text('审核人', { readOnly: true }),
    audit_reason: f.text('驳回原因', { readOnly: true }),
    status: f.pick('状态', onOff, { readOnly: true, default: 'enabled' }),
  },
  extras: {
    days_left: f.count('剩余天数'),
    specification_count: f.count('关联规格数'),
    change_count: f.count('变更次数'),
    certificate_state: f.pick('证照状态', { valid: '有效', soon: '即将到期', expired: '已过期', replaced: '已延续' }),
    successor_no: f.text('延续后注册证号'),
    is_renewal: f.flag('是否延续'),
    has_scan: f.flag('有无扫描件'),
    entered_here: f.flag('本机构登记'),
  },
  tone: row =>
    row.certificate_state === 'expired' ||
    (row.certificate_state !== 'replaced' && typeof row.days_left === 'number' && row.days_left <= URGENT_DAYS)
      ? 'danger'
      : row.certificate_state === 'soon'
        ? 'warning'
        : undefined,
  actions: {
    review: { label: '审核', tone: 'primary' },
    reject: { label: '驳回', asksReason: true, reasonMsg: '请填写驳回原因', tone: 'danger' },
    renew: {
      label: '延续注册',
      tone: 'primary',
      asks: {
        new_no: f.text('新注册证号', { required: true, max: 60 }),
        new_approved_on: f.day('批准日期'),
        new_from: f.day('生效日期', { required: true }),
        new_to: f.day('有效期至', { required: true }),
        new_scan: f.files('扫描件'),
      },
    },
    change: {
      label: '登记变更',
      asks: {
        changed_on: f.day('变更日期', { required: true }),
        document_no: f.text('变更文件号', { required: true, max: 60 }),
        item: f.text('变更事项', { required: true, max: 60 }),
        before_text: f.text('变更前', { max: 300 }),
        after_text: f.text('变更后', { required: true, max: 300 }),
      },
    },
    bindSpec: { label: '关联规格', asks: { specification_sn: f.ref('规格型号', 'specification', { required: true }) } },
  },
  /** `passed`: everything the platform passed, instead of the certificates of the caller's own goods. */
  parameters: { scope: f.pick('范围', { passed: '已通过' }) },
  unique: [['certificate_no', 'valid_from']],
  guards: [
    row => row.device_class === 'I' || row.valid_to !== null || 'Ⅱ、Ⅲ类注册证须填写有效期至',
    row => !row.valid_to || row.valid_to > row.valid_from || '有效期至必须晚于生效日期',
  ],
  search: ['certificate_no', 'product_name', 'registrant_name'],
  links: [
    {
      label: '打印图片',
      to: '/pictureForprint',
      with: { kind: 'registrationCertificate', sn: '$registration_certificate_sn' },
    },
  ],
  screens: [
    {
      route: '/ptm/productCert',
      title: '产品注册证',
      orgs: 'PDHV',
      menu: '产品管理',
      purpose: '注册证与备案凭证：有效期、延续关系与关联规格',
      columns: [
        'certificate_no',
        'certificate_kind',
        'product_name',
        'registrant_name',
        'agent_name',
        'production_address',
        'device_class',
        'class_code',
        'approved_on',
        'valid_from',
        'valid_to',
        'days_left',
        'previous_certificate_no',
        'successor_no',
        'change_count',
        'specification_count',
        'attachments',
        'audit_state',
        'certificate_state',
      ],
      filters: [
        'certificate_no',
        'product_name',
        'registrant_name',
        'agent_name',
        'device_class',
        'valid_to',
        'certificate_state',
        'is_renewal',
        'has_scan',
        'audit_state',
      ],
      waits: { action: 'review', text: '注册证待审核', orgs: 'P', where: { audit_state: 'pending' } },
    },
    {
      route: '/commonView/licRecord/vendorLic',
      tab: '注册证',
      title: '厂商证照档案',
      orgs: 'HD',
      menu: '证照管理',
      purpose: '本机构所用产品的注册证；已发布产品的由平台维护，自建产品的在这里登记，由平台审核',
      columns: [
        'certificate_no',
        'certificate_kind',
        'product_name',
        'holder_org_sn',
        'registrant_name',
        'agent_name',
        'device_class',
        'valid_from',
        'valid_to',
        'days_left',
        'specification_count',
        'attachments',
        'audit_state',
        'audit_reason',
        'certificate_state',
      ],
      filters: [
        'certificate_no',
        'product_name',
        'holder_org_sn',
        'device_class',
        'valid_to',
        'certificate_state',
        'audit_state',
      ],
      actions: ['add', 'edit', 'del'],
    },
  ],
})

/** 注册变更: what the authority changed on a certificate, and by which document. */
export const certificateChange = defineEntity({
  kind: 'certificateChange',
  title: '变更记录',
  table: 'certificate_change',
  key: 'certificate_change_sn',
  scope: 'shared',
  readOnly: true,
  under: 'registrationCertificate',
  display: 'document_no',
  sort: '-changed_on',
  fields: {
    registration_certificate_sn: f.ref('注册证', 'registrationCertificate', { required: true }),
    changed_on: f.day('变更日期'),
    document_no: f.text('变更文件号'),
    item: f.text('变更事项'),
    before_text: f.text('变更前'),
    after_text: f.text('变更后'),
    by_name: f.text('登记人'),
    at: f.instant('登记时间'),
  },
  screens: [],
})
