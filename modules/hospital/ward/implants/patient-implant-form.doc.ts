import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { isIdentityNumber } from '#modules/base/vocabulary/identity-number.ts'
import { hasLines, needs } from '#modules/base/vocabulary/validators.ts'

const patient = { patient: true } as const
/** The fields that the form copies from the usage record: nobody writes them here. */
const copied = { readOnly: true } as const

const header = {
  use_sn: f.text('手术使用记录单号', { max: 40, required: true, hint: '已审核且有植入物的手术使用记录' }),
  form_version: f.count('版本', { ...copied, default: 1 }),
  previous_sn: f.text('更正的信息单', { max: 40, ...copied }),
  revision_reason: f.text('更正原因', { max: 200, ...copied }),
  surgery_no: f.text('手术编号', { max: 40, ...copied }),
  business_date: f.day('手术日期'),
  surgery_name: f.text('术式', { max: 100, ...patient }),
  department_inner_sn: f.ref('手术科室', 'department'),
  patient_no: f.text('患者编号', { max: 40, ...patient }),
  admission_no: f.text('住院号', { max: 40, ...patient }),
  patient_name: f.text('患者姓名', { max: 40, ...patient }),
  patient_sex: f.pick('性别', { male: '男', female: '女', unknown: '未知' }, patient),
  patient_age: f.text('年龄', { max: 10, ...patient }),
  identity_no: f.text('身份证号', { max: 18, ...patient }),
  patient_phone: f.text('联系电话', { max: 20, ...patient }),
  patient_address: f.text('住址', { max: 200, ...patient }),
  bed_no: f.text('床号', { max: 20, ...patient }),
  diagnosis: f.text('诊断', { max: 200, ...patient }),
  implant_site: f.text('植入部位', { max: 100, ...patient }),
  doctor_inner_sn: f.ref('主刀医生', 'employee'),
  nurse_inner_sn: f.ref('巡回护士', 'employee'),
  label_state: f.pick(
    '条码粘贴完整',
    { none: '未粘贴', part: '部分粘贴', complete: '完整' },
    { default: 'none', tones: { complete: 'success', part: 'warning' } },
  ),
  signed_by: f.pick('患者/家属签字', { none: '未签字', patient: '患者已签', family: '家属已签' }, { default: 'none' }),
  print_times: f.count('打印次数', { readOnly: true, dialogOnly: true }),
  handler_inner_sn: f.ref('登记人', 'employee'),
  consent_files: f.files('知情同意书扫描件'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', copied),
  lot_no: f.lot('批号', { max: 40, ...copied }),
  production_date: f.day('生产日期', copied),
  expiry_date: f.day('有效期至', copied),
  unit_codes: f.codes('序列号/院内码', copied),
  quantity: f.quantity('植入数量', copied),
  supplier_sn: f.ref('供应商', 'organisation', copied),
  certificate_no: f.text('注册证号', { max: 60, ...copied }),
  udi_pi: f.text('UDI-PI', { max: 200, ...copied }),
  implant_part: f.text('植入部位', { max: 100, ...patient, ...copied }),
  of_use_sn: f.text('使用单号', { max: 40, ...copied }),
}
type Doc = DocOf<typeof header, typeof lines>

const isRealIdentity = (doc: Doc): true | string => {
  const number = doc.identity_no
  return !number || isIdentityNumber(String(number)) || '身份证号码格式错误'
}

/** A form in force is kept for ever: it is neither taken back nor cancelled, but followed by its next version. */
const {
  unreview: _unreview,
  cancel,
  ...life
} = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('patient_name', '请填写患者姓名'),
    needs('admission_no', '请填写住院号'),
    needs('doctor_inner_sn', '请选择主刀医生'),
    isRealIdentity,
  ],
})

/**
 * 患者信息单: which implants an operation put into whom, when and by whom; for the case file and the patient. It is made
 * by itself from the reviewed usage record, from which its lines come, and kept for ever: a correction is a new
 * version.
 */
export const patientImplantForm = defineDocument({
  kind: 'patientImplantForm',
  title: '患者信息单',
  numberPrefix: 'ZRD',
  category: 'ward',
  ownerTypes: 'H',
  header,
  lines,
  internalFields: ['card_token'],
  lineRules: {
    given: '保存后由手术使用记录带出植入物',
    unlisted: ['of_use_sn'],
  },
  actions: {
    ...life,
    cancel: { ...cancel, from: ['draft', 'rejected', 'submitted'] },
    revise: { label: '更正', from: ['reviewed'], to: null, requiresReason: '请填写更正原因' },
  },
  lifecycle: {
    stateLabels: { stopped: '已更正' },
    givenStates: ['stopped'],
  },
  // Implants may be past their last day when the form is written.
  compliance: { allowsExpired: true },
  posting: {
    stockDirection: 'named',
  },
  screens: [
    {
      route: '/ptm/patientInforForm',
      tab: '信息单',
      leads: true,
      title: '患者信息单',
      orgs: 'H',
      menu: '骨科手术管理',
      purpose:
        '每台植入手术一张：植入物、患者与术者，贴原厂标签存入病历；由已审核的手术使用记录自动生成，审核后永久保存',
      columns: [
        'sn',
        'use_sn',
        'department_inner_sn',
        'business_date',
        'surgery_name',
        'doctor_inner_sn',
        'admission_no',
        'patient_name',
        'patient_sex',
        'patient_age',
        'total_quantity',
        'label_state',
        'signed_by',
        'print_times',
        'form_version',
        'created_by_name',
        'created_at',
        'state',
      ],
      keyColumns: ['sn', 'business_date', 'surgery_name', 'patient_name', 'total_quantity', 'label_state', 'state'],
      filters: [
        'sn',
        'use_sn',
        'department_inner_sn',
        'business_date',
        'surgery_name',
        'doctor_inner_sn',
        'admission_no',
        'patient_name',
        'specification_sn',
        'lot_no',
        'unit_code',
        'label_state',
        'state',
      ],
    },
  ],
})
