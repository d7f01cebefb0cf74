import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { syncCall } from '#modules/hospital/his/staff/sync-call.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** The fields for a hospital's campus and ways of receiving: other organisations have no wards. */
const ofWards = ['campus', 'receives_at_grant', 'receives_by_signature'] as const

/** 科室: an organisation's tree of departments. */
export const department = defineEntity({
  kind: 'department',
  title: '科室',
  table: 'department',
  key: 'department_inner_sn',
  scope: 'organisation',
  display: 'name',
  pickerFields: ['parent_sn', 'department_kind', 'receives_at_grant'],
  whole: true,
  labelled: 'department',
  prints: [{ route: '/newprint/QrcodePrint', label: '打印科室码' }],
  fields: {
    code: f.text('科室编码', { required: true, max: 40 }),
    name: f.text('科室名称', { required: true, max: 60 }),
    parent_sn: f.ref('上级科室', 'department', { named: 'the department stands below it' }),
    department_kind: f.pick('科室类型', {
      clinical: '临床',
      technical: '医技',
      operating: '手术室',
      office: '职能',
      store: '仓库',
    }),
    campus: f.text('院区', {
      orgs: 'H',
      max: 60,
      dictionary: 'campus',
      hint: '只有一个院区时不填；留空随上级科室',
    }),
    leader_sn: f.ref('负责人', 'employee'),
    phone: f.text('联系电话', { max: 40 }),
    his_code: f.text('HIS科室编码', { max: 40 }),
    cost_centre: f.text('成本中心', { max: 40 }),
    receives_at_grant: f.flag('自动收货', {
      orgs: 'H',
      default: false,
      hint: '发放审核后科室随即收货入库，不再逐单确认；智能柜仍由设备确认',
    }),
    receives_by_signature: f.flag('签收即收货', {
      orgs: 'H',
      default: false,
      hint: '没有收货人员的科室：领用人在发放单上签收后随即收货入库',
    }),
    sort_no: f.count('排序', { min: '0', default: 0 }),
    status: statusField,
  },
  extras: { employee_count: f.count('员工数'), warehouse_count: f.count('关联仓库') },
  unique: [['code']],
  /** The platform may look into any organisation. */
  parameters: { of_org_sn: f.ref('机构', 'organisation') },
  search: ['name', 'code', 'pinyin'],
  calls: { sync: syncCall('同步HIS科室') },
  screens: [
    {
      route: '/ptm/OrganizationalStructure',
      title: '组织架构',
      orgs: 'PHDV',
      menu: '系统设置',
      without: { P: ofWards, D: ofWards, V: ofWards },
      purpose: '本机构的科室树：上级、编码、对应的HIS科室',
      columns: [
        'code',
        'name',
        'parent_sn',
        'department_kind',
        'campus',
        'leader_sn',
        'phone',
        'employee_count',
        'warehouse_count',
        'his_code',
        'cost_centre',
        'receives_at_grant',
        'sort_no',
        'status',
      ],
      filters: ['name', 'code', 'department_kind', 'campus', 'status'],
    },
  ],
})
