import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 患者信息单 as the platform sees them: hospital, day, procedure, number of implants and how complete they are. Nothing
 * of a patient is in it.
 */
export const implantFormOverview = defineEntity({
  kind: 'implantFormOverview',
  title: '患者信息单',
  table: 'published_implant_form',
  key: 'implant_form_sn',
  scope: 'shared',
  readOnly: true,
  display: 'sn',
  sort: '-business_date,-implant_form_sn',
  fields: {
    sn: f.text('登记单号', { width: 150 }),
    hospital_sn: f.ref('医院', 'organisation', { optionsFilter: { system_type: '1' } }),
    business_date: f.day('手术日期'),
    surgery_name: f.text('术式', { width: 180 }),
    implant_quantity: f.quantity('植入物件数'),
    label_state: f.pick(
      '条码粘贴完整',
      { none: '未粘贴', part: '部分粘贴', complete: '完整' },
      { tones: { complete: 'success', part: 'warning' } },
    ),
    signed_by: f.pick('患者/家属签字', { none: '未签字', patient: '患者已签', family: '家属已签' }),
    print_times: f.count('打印次数'),
    form_version: f.count('版本'),
    created_at: f.instant('登记时间'),
    state: f.pick('状态', {
      draft: '草稿',
      submitted: '待审核',
      rejected: '已驳回',
      reviewed: '已审核',
      stopped: '已更正',
      cancelled: '已作废',
    }),
  },
  sums: ['implant_quantity'],
  search: ['sn', 'surgery_name'],
  links: [{ label: '表单配置', to: '/ptm/printManage', with: { sheet: '/newprint/PatientInforForm' } }],
  screens: [
    {
      route: '/ptm/patientInforForm',
      tab: '各医院',
      title: '患者信息单',
      orgs: 'P',
      menu: '骨科手术管理',
      purpose: '各医院植入物登记的件数与完整程度，不含患者信息',
      columns: [
        'sn',
        'hospital_sn',
        'business_date',
        'surgery_name',
        'implant_quantity',
        'label_state',
        'signed_by',
        'print_times',
        'form_version',
        'created_at',
        'state',
      ],
      filters: ['sn', 'hospital_sn', 'business_date', 'surgery_name', 'label_state', 'state'],
    },
  ],
})
