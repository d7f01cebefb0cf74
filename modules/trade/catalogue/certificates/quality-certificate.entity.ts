import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const given = { readOnly: true } as const
export const qualityCertificates = {
  conformity: '合格证',
  factory: '出厂检验报告',
  type: '型式检验报告',
  sterilisation: '灭菌报告',
  customs: '进口报关单',
  cold: '冷链温度记录',
} as const

/** 产品合格证明: certificates of a lot, uploaded once; every later holder of the lot can show them. */
export const qualityCertificate = defineEntity({
  kind: 'qualityCertificate',
  title: '产品合格证明',
  table: 'quality_certificate',
  key: 'quality_certificate_sn',
  scope: 'shared',
  writers: 'PVD',
  display: 'lot_no',
  sort: '-quality_certificate_sn',
  judged: {
    state: 'state',
    passed: ['passed'],
    pending: 'pending',
    action: 'review',
    changeRefused: '证明已审核通过，请上传新的版本',
    needs: { attachments: '没有证明文件，不能审核通过，请驳回并说明' },
  },
  fields: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    lot_no: f.lot('批号', { required: true, max: 40 }),
    sterilisation_lot_no: f.lot('灭菌批号', { max: 40 }),
    production_date: f.day('生产日期'),
    expiry_date: f.day('有效期至'),
    certificate_type: f.pick('证明类型', qualityCertificates, { required: true, default: 'conformity' }),
    certificate_no: f.text('证明编号', { max: 60 }),
    issuer: f.text('出具机构', { max: 100 }),
    issued_on: f.day('出具日期'),
    attachments: f.files('文件', { required: true }),
    remark: f.text('备注', { max: 200 }),
    uploader_sn: f.ref('上传机构', 'organisation', given),
    uploaded_by: f.text('上传人', given),
    uploaded_at: f.instant('上传时间', given),
    is_current: f.flag('当前版本', { ...given, default: true }),
    state: f.pick(
      '审核状态',
      { pending: '待审核', passed: '已通过', refused: '已驳回' },
      { ...given, default: 'pending' },
    ),
    audited_by: f.text('审核人', given),
    audited_at: f.instant('审核时间', given),
    reason: f.text('驳回原因', given),
  },
  extras: {
    product_name: f.text('产品名称', { width: 200 }),
    manufacturer_name: f.text('生产厂家'),
    registration_no: f.text('注册证号'),
  },
  guards: [
    row =>
      row.production_date === null ||
      row.expiry_date === null ||
      row.expiry_date >= row.production_date ||
      '有效期至不能早于生产日期',
  ],
  search: ['product_name', 'lot_no', 'certificate_no'],
  actions: {
    review: { label: '审核', tone: 'primary' },
    reject: { label: '驳回', asksReason: true, reasonMsg: '请填写驳回原因', tone: 'danger' },
  },
  calls: {
    batchDownload: {
      label: '按单据打包下载',
      orgs: 'PHDV',
      asks: { document_sn: f.text('单据编号', { required: true, max: 60, hint: '订单、入库单或出库单的编号' }) },
    },
  },
  links: [
    { label: '打印图片', to: '/pictureForprint', with: { kind: 'qualityCertificate', sn: '$quality_certificate_sn' } },
  ],
  screens: [
    {
      route: '/ptm/productQualityCertificate',
      title: '产品合格证明',
      orgs: 'PVDH',
      menu: '产品管理',
      purpose: '各批号的合格证、检验报告、灭菌与冷链记录；收到该批号的机构可查看下载',
      columns: [
        'product_name',
        'specification_sn',
        'manufacturer_name',
        'registration_no',
        'lot_no',
        'sterilisation_lot_no',
        'production_date',
        'expiry_date',
        'certificate_type',
        'certificate_no',
        'issuer',
        'issued_on',
        'attachments',
        'uploader_sn',
        'uploaded_at',
        'is_current',
        'state',
      ],
      filters: [
        'product_name',
        'specification_name',
        'lot_no',
        'manufacturer_name',
        'certificate_type',
        'uploader_sn',
        'uploaded_at',
        'state',
        'is_current',
      ],
      waits: { action: 'review', text: '合格证明待审核', orgs: 'P', where: { state: 'pending' } },
    },
  ],
})
