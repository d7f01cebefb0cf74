import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { deviceClasses } from '#modules/catalogue/product.entity.ts'
import { onOff } from '#modules/on-off.ts'

/** 注册证: the registration of a device, or the filing of a class I one. Everything ordered or received hangs on its days. */
export const registrationCertificate = defineEntity({
  kind: 'registrationCertificate', title: '产品注册证', table: 'registration_certificate', key: 'registration_certificate_sn', scope: 'shared', writers: 'PV', display: 'certificate_no', retire: 'disable',
  fields: {
    certificate_no: f.text('注册证号', { required: true, max: 60 }),
    certificate_kind: f.pick('证照类型', { registration: '注册证', filing: '备案凭证' }, { required: true, default: 'registration' }),
    product_name: f.text('产品名称', { required: true, max: 100 }),
    holder_org_sn: f.ref('注册人/代理人机构', 'organisation', { required: true, narrow: { scope: 'all', system_type: '3' } }),
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
    renewal_state: f.text('延续状态', { max: 20 }),
    structure: f.longText('结构及组成', { max: 1000 }),
    scope: f.longText('适用范围', { max: 1000 }),
    attachments: f.files('扫描件'),
    status: f.pick('状态', onOff, { readOnly: true, default: 'enabled' }),
  },
  extras: { days_left: f.count('剩余天数'), specification_count: f.count('关联规格数') },
  unique: [['certificate_no', 'valid_from']],
  guards: [
    row => row.device_class === 'I' || row.valid_to !== null || 'Ⅱ、Ⅲ类注册证须填写有效期至',
    row => !row.valid_to || row.valid_to > row.valid_from || '有效期至必须晚于生效日期',
  ],
  search: ['certificate_no', 'product_name', 'registrant_name'],
  screens: [{
    route: '/ptm/productCert', title: '产品注册证', orgs: 'PDHV', menu: '产品管理', purpose: '注册证与备案凭证：有效期、延续关系与关联规格',
    columns: ['certificate_no', 'certificate_kind', 'product_name', 'registrant_name', 'agent_name', 'production_address', 'device_class', 'class_code', 'approved_on', 'valid_from', 'valid_to', 'days_left', 'previous_certificate_no', 'specification_count', 'attachments', 'status'],
    filters: ['certificate_no', 'product_name', 'registrant_name', 'agent_name', 'device_class', 'valid_to', 'status'],
  }],
})
