import type { MappedField } from '#server/outbound/his/json/field-map.ts'

/** How a hospital maps a HIS that says everything in initials of pinyin. */
export const pinyinFields: MappedField[] = [
  ['envelope', 'rows', 'data.list'],
  ['envelope', 'next', 'data.nextPage'],
  ['envelope', 'state', 'success'],
  ['envelope', 'words', 'message'],
  ['patient', 'patient_no', 'brjbxx.brid'],
  ['patient', 'patient_name', 'brjbxx.xm'],
  ['patient', 'sex', 'brjbxx.xb', 'male=1,female=2,other=9,unknown=0'],
  ['patient', 'birth_date', 'brjbxx.csrq'],
  ['patient', 'wristband', 'brjbxx.wdh'],
  ['patient', 'updated_at', 'gxsj'],
  ['staff', 'staff_no', 'gh'],
  ['staff', 'staff_name', 'xm'],
  ['staff', 'sex', 'xb', 'male=1,female=2,other=9,unknown=0'],
  ['staff', 'department_code', 'ks[0].dm'],
  ['staff', 'department_name', 'ks[0].mc'],
  ['staff', 'staff_kind', 'rylb', 'doctor=1,nurse=2,technician=3,pharmacist=4,administrative=5,other=6'],
  ['staff', 'professional_title', 'zc'],
  ['staff', 'position', 'zw'],
  ['staff', 'mobile', 'sjh'],
  ['staff', 'is_active', 'zzbz'],
  ['staff', 'updated_at', 'gxsj'],
].map(([resource = '', field = '', path = '', codes = null]) => ({ resource, field, path, codes }))
