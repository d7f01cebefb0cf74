import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'

/** The source of the differing dates: a delivery on its way, a waiting document of our own, or the maker. */
const origins = { delivery: '来货单据', own: '本单位待处理单据', maker: '生产厂家' } as const

/**
 * 批号效期核对: lots that the organisation keeps with other dates than a delivery on its way, a waiting document of its own
 * or the maker gives them, with who wrote what and when. From here it corrects its own dates or sends goods back. The
 * report shows no more of the other organisation than its delivery contains.
 */
export const lotDates = defineReport({
  kind: 'lotDates',
  title: '批号效期核对',
  sqlFile: 'goods/corrections/lot-dates.sql',
  unscoped: 'a lot has the same dates in every store of an organisation',
  parameters: {
    specification_sn: f.ref('规格型号', 'specification'),
    product: f.text('产品名称/编码'),
    lot_no: f.lot('批号'),
    document_sn: f.text('不同日期的单据', { max: 40 }),
    origin: f.pick('来自', origins),
  },
  columns: {
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    manufacturer_name: f.text('生产厂家'),
    lot_no: f.lot('批号'),
    kept_expiry_date: f.day('本单位有效期至', { width: 130 }),
    kept_production_date: f.day('本单位生产日期', { width: 130 }),
    kept_sn: f.text('本单位登记单据', { width: 150 }),
    kept_by: f.text('本单位登记人'),
    kept_at: f.instant('本单位登记时间'),
    origin: f.pick('来自', origins, { tones: { delivery: 'warning', own: 'info', maker: 'danger' } }),
    partner_name: f.text('登记单位', { width: 160 }),
    typed_expiry_date: f.day('其有效期至', { width: 120 }),
    typed_production_date: f.day('其生产日期', { width: 120 }),
    document_sn: f.text('其单据', { width: 150 }),
    typed_by: f.text('其登记人'),
    typed_at: f.instant('其登记时间'),
    quantity: f.quantity('单据数量', { hint: '来货单据为尚未收货的数量，按基本单位' }),
  },
  beside: {
    document_id: f.text('单据'),
    line_no: f.count('行号'),
    lot_id: f.text('批号'),
  },
  drillDown: { kept_sn: { document: 'kept_kind' }, document_sn: { document: 'document_kind' } },
  calls: {
    correct: { label: '更正本单位批号效期', asks: {}, rows: true, tone: 'primary' },
    sendBack: { label: '退回发货方', asks: {}, rows: true },
  },
  screens: [
    {
      route: '/commonView/lotDates',
      title: '批号效期核对',
      orgs: 'HDV',
      menu: '库存管理',
      purpose: '同一批号在本单位与来货单据或生产厂家处日期不一致：对照双方的登记，更正本单位的批号效期，或退回发货方',
      columns: [
        'product_code',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'lot_no',
        'kept_expiry_date',
        'kept_production_date',
        'kept_sn',
        'kept_by',
        'kept_at',
        'origin',
        'partner_name',
        'typed_expiry_date',
        'typed_production_date',
        'document_sn',
        'typed_by',
        'typed_at',
        'quantity',
      ],
      keyColumns: [
        'product_name',
        'lot_no',
        'kept_expiry_date',
        'kept_by',
        'partner_name',
        'typed_expiry_date',
        'document_sn',
      ],
      filters: [],
    },
  ],
})
