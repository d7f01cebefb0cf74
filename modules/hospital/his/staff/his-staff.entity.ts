import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { syncCall } from '#modules/hospital/his/staff/sync-call.ts'

export const staffKinds = {
  doctor: '医生',
  nurse: '护士',
  technician: '技师',
  pharmacist: '药师',
  administrative: '行政',
  other: '其他',
} as const
export const sexes = { male: '男', female: '女', other: '其他', unknown: '未知' } as const

/** HIS人员信息: people of the HIS as they were last read, and the employee of ours that each of them is linked to. */
export const hisStaff = defineEntity({
  kind: 'hisStaff',
  title: 'HIS人员',
  table: 'his_staff_entry',
  key: 'his_staff_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'staff_name',
  sort: 'staff_no',
  fields: {
    staff_no: f.text('HIS工号', { readOnly: true }),
    staff_name: f.text('姓名', { readOnly: true }),
    sex: f.pick('性别', sexes, { readOnly: true }),
    his_department_code: f.text('HIS科室编码', { readOnly: true }),
    his_department_name: f.text('HIS科室名称', { readOnly: true, width: 130 }),
    staff_kind: f.pick('人员类别', staffKinds, { readOnly: true }),
    professional_title: f.text('职称', { readOnly: true }),
    position: f.text('职务', { readOnly: true }),
    mobile: f.text('手机号', { readOnly: true, width: 130 }),
    is_active: f.pick('在职状态', { true: '在职', false: '离职' }, { readOnly: true, tones: { false: 'warning' } }),
    employee_inner_sn: f.ref('SPD员工', 'employee', { readOnly: true }),
    department_inner_sn: f.ref('SPD科室', 'department', { readOnly: true, named: 'what the HIS says of somebody' }),
    login: f.text('SPD账号', { readOnly: true }),
    link_state: f.pick(
      '关联状态',
      { linked: '已关联', none: '未关联' },
      { readOnly: true, tones: { none: 'warning' } },
    ),
    read_at: f.instant('最近同步时间', { readOnly: true }),
  },
  tone: row => (row.is_active === 'false' ? 'warning' : undefined),
  search: ['staff_no', 'staff_name', 'his_department_name'],
  actions: {
    link: {
      label: '关联员工',
      tone: 'primary',
      handy: true,
      asks: { employee_inner_sn: f.ref('员工', 'employee', { required: true }) },
    },
    unlink: { label: '取消关联', note: '取消后，同步不再自动关联该人员' },
    mapDept: {
      label: '科室对照',
      asks: { department_inner_sn: f.ref('本院科室', 'department', { required: true }) },
      note: '对照的是该人员的HIS科室，同一HIS科室的人员一并生效',
    },
  },
  calls: {
    sync: { ...syncCall('同步'), tone: 'primary' },
    createEmployee: { label: '生成员工', asks: {}, rows: true },
  },
  links: [
    { label: '变更历史', to: '/hospital/hisStaffInfoView', tab: '变更历史', with: { staff_no: '$staff_no' } },
    { label: '人力资源', to: '/ptm/HumanResources', tab: '员工', with: { name: '$staff_name' } },
  ],
  screens: [
    {
      route: '/hospital/hisStaffInfoView',
      tab: '人员',
      leads: true,
      title: 'HIS人员信息',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '来自HIS的人员，及其对应的本院员工和账号；人员只由接口同步，不在此修改',
      columns: [
        'staff_no',
        'staff_name',
        'sex',
        'his_department_code',
        'his_department_name',
        'staff_kind',
        'professional_title',
        'position',
        'mobile',
        'is_active',
        'employee_inner_sn',
        'department_inner_sn',
        'login',
        'link_state',
        'read_at',
      ],
      keyColumns: ['staff_no', 'staff_name', 'his_department_name', 'is_active', 'link_state'],
      filters: ['staff_no', 'staff_name', 'his_department_name', 'staff_kind', 'is_active', 'link_state', 'read_at'],
      actions: ['sync', 'link', 'unlink', 'createEmployee', 'mapDept'],
    },
  ],
})

/** HIS科室: the department of ours to which a department of the HIS is mapped. */
export const hisDepartment = defineEntity({
  kind: 'hisDepartment',
  title: 'HIS科室',
  table: 'his_department',
  key: 'his_department_sn',
  scope: 'organisation',
  writers: 'H',
  under: 'hisStaff',
  display: 'his_department_name',
  sort: 'his_department_code',
  fields: {
    his_department_code: f.text('HIS科室编码', { readOnly: true }),
    his_department_name: f.text('HIS科室名称', { readOnly: true, width: 200 }),
    parent_code: f.text('上级科室编码', { readOnly: true }),
    is_active: f.flag('在用', { readOnly: true }),
    department_inner_sn: f.ref('SPD科室', 'department', { readOnly: true, named: 'what the HIS calls it' }),
    changed_at: f.instant('HIS更新时间', { readOnly: true }),
    read_at: f.instant('最近同步时间', { readOnly: true }),
  },
  extras: { staff_count: f.count('人员数') },
  search: ['his_department_code', 'his_department_name'],
  actions: {
    mapDept: {
      label: '科室对照',
      tone: 'primary',
      handy: true,
      asks: { department_inner_sn: f.ref('本院科室', 'department', { hint: '留空为取消对照' }) },
    },
  },
  links: [
    {
      label: '人员',
      to: '/hospital/hisStaffInfoView',
      tab: '人员',
      with: { his_department_code: '$his_department_code' },
    },
    { label: '组织架构', to: '/ptm/OrganizationalStructure', with: { name: '$his_department_name' } },
  ],
  screens: [
    {
      route: '/hospital/hisStaffInfoView',
      tab: 'HIS科室',
      title: 'HIS人员信息',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: 'HIS的科室与本院科室的对照；人员生成员工、科室发放推送HIS时用它',
      columns: [
        'his_department_code',
        'his_department_name',
        'parent_code',
        'is_active',
        'department_inner_sn',
        'staff_count',
        'changed_at',
        'read_at',
      ],
      filters: ['q', 'his_department_code', 'his_department_name', 'department_inner_sn', 'is_active'],
      actions: ['mapDept'],
    },
  ],
})

/** 变更历史: the changes of a person's data by synchronisations. */
export const hisStaffChange = defineEntity({
  kind: 'hisStaffChange',
  title: 'HIS人员变更',
  table: 'his_staff_change_entry',
  key: 'his_staff_change_sn',
  scope: 'organisation',
  readOnly: true,
  under: 'hisStaff',
  display: 'staff_name',
  sort: '-his_staff_change_sn',
  fields: {
    staff_no: f.text('HIS工号'),
    staff_name: f.text('姓名'),
    field_name: f.pick('变更内容', {
      staff_name: '姓名',
      department: 'HIS科室',
      is_active: '在职状态',
      professional_title: '职称',
      position: '职务',
    }),
    old_value: f.text('原值', { width: 200 }),
    new_value: f.text('新值', { width: 200 }),
    changed_at: f.instant('同步时间'),
  },
  search: ['staff_no', 'staff_name'],
  screens: [
    {
      route: '/hospital/hisStaffInfoView',
      tab: '变更历史',
      title: 'HIS人员信息',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '同步时有变化的姓名、科室、职称、职务和在职状态，及其原值',
      columns: ['staff_no', 'staff_name', 'field_name', 'old_value', 'new_value', 'changed_at'],
      filters: ['staff_no', 'staff_name', 'field_name', 'changed_at'],
    },
  ],
})
