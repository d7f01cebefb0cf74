import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const ways = { visit: '门诊复查', phone: '电话', home: '上门', stay: '再次住院' } as const
const results = { well: '良好', unwell: '不适', reoperated: '再次手术', died: '死亡', lost: '失访' } as const

/** The fields that a visit is asked for, in the form and for ticked uses. */
export const followUpAsked = {
  followed_on: f.day('随访日期', { required: true, default: 'today' }),
  way: f.pick('随访方式', ways, { required: true }),
  result: f.pick('随访结果', results, {
    required: true,
    tones: { well: 'success', unwell: 'danger', reoperated: 'danger', died: 'danger', lost: 'warning' },
  }),
  patient_note: f.longText('随访记录', { max: 500, patient: true }),
  next_on: f.day('下次随访日期'),
}

/**
 * 随访登记: how a patient was found after goods of high value were used on him. It names the use by its number; who the
 * patient is and what was used are read from there, and stay inside the hospital.
 */
export const patientFollowUp = defineEntity({
  kind: 'patientFollowUp',
  title: '随访登记',
  table: 'patient_follow_up',
  key: 'patient_follow_up_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'source_no',
  sort: '-followed_on,-patient_follow_up_sn',
  unique: [['source_no', 'followed_on']],
  tone: ({ result, is_due }) =>
    result === 'unwell' || result === 'reoperated' || result === 'died' ? 'danger' : is_due ? 'warning' : undefined,
  fields: {
    source_no: f.text('使用单号', { required: true, max: 40, width: 140, hint: '已审核的科室使用单或手术使用记录' }),
    department_inner_sn: f.ref('使用科室', 'department', { readOnly: true }),
    ...followUpAsked,
    followed_by: f.text('随访人', { readOnly: true }),
  },
  extras: {
    admission_no: f.text('住院号/门诊号', { patient: true }),
    patient_name: f.text('患者姓名', { patient: true }),
    surgery_name: f.text('手术名称', { width: 150, patient: true }),
    used_on: f.day('使用日期'),
    goods_used: f.text('高值耗材', { width: 240 }),
    is_due: f.flag('待随访'),
  },
  guards: [row => row.next_on === null || row.next_on > row.followed_on! || '下次随访日期应晚于随访日期'],
  search: ['source_no'],
  screens: [
    {
      route: '/hospital/gzCustomerReport',
      tab: '随访登记',
      title: '高值耗材患者使用报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '高值耗材使用后的患者随访：按使用单登记结果与下次随访日期，到期未随访的标为待随访',
      columns: [
        'source_no',
        'department_inner_sn',
        'admission_no',
        'patient_name',
        'surgery_name',
        'used_on',
        'goods_used',
        'followed_on',
        'way',
        'result',
        'patient_note',
        'next_on',
        'is_due',
        'followed_by',
      ],
      filters: ['source_no', 'department_inner_sn', 'followed_on', 'result', 'next_on'],
    },
  ],
})
