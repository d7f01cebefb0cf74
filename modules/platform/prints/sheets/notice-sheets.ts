import { definePrint } from '#kernel/print/print-definition.ts'
import { column } from '#modules/platform/prints/sheets/print-columns.ts'

/** 公告: for the notice board, paragraph by paragraph. */
export const noticePrint = definePrint({
  route: '/newprint/noticePrint',
  title: '公告',
  kinds: { notice: '公告' },
  papers: [{ paper: 'A4', lines: 30 }],
  header: [
    ['公告编号', 'sn'],
    ['公告类型', 'type_name'],
    ['标题', 'heading'],
    ['接收范围', 'audience_name'],
    ['发布人', 'published_by'],
    ['发布日期', 'published_on'],
    ['有效期至', 'valid_to'],
  ],
  columns: [{ name: 'paragraph', label: '正文', share: 100 }],
  signatures: ['发布人', '审核人'],
  carrier: 'qrcode',
})

/** 召回通知: the recalled lots, for those who have no screen. */
export const recallPrint = definePrint({
  route: '/newprint/recallPrint',
  title: '产品召回通知',
  kinds: { recall: '产品召回通知' },
  papers: [
    { paper: 'A4', lines: 22 },
    { paper: 'A4L', lines: 14 },
  ],
  header: [
    ['召回编号', 'sn'],
    ['标题', 'heading'],
    ['召回级别', 'recall_level'],
    ['召回原因', 'recall_reason'],
    ['召回日期', 'business_date'],
    ['反馈截止日期', 'due_date'],
    ['备注', 'remark'],
  ],
  columns: [
    column.product_name,
    column.specification_name,
    { name: 'certificate_no', label: '注册证号', share: 15 },
    { ...column.lot_no, label: '批号' },
    { name: 'serial_range', label: '序列号范围', share: 12 },
    column.production_date,
    column.expiry_date,
    { name: 'requirement', label: '处理要求', share: 18 },
    column.remark,
  ],
  signatures: ['质量负责人', '企业负责人', '日期'],
  carrier: 'qrcode',
})
