import { type Has } from '#modules/base/vocabulary/validators.ts'

/** A use on a patient that was in force is kept: a wrong one is red-reversed with its reason. */
export const keptOnPatient = {
  when: (doc: Has<'patient_name' | 'patient_no' | 'admission_no'>): boolean =>
    Boolean(doc.patient_name || doc.patient_no || doc.admission_no),
  message: '该记录已审核并用于患者，永久保存，不能{action}；请重新审核，用错的在审核后红冲并填写原因',
} as const
