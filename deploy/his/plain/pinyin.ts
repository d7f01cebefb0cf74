/** Rows as many a HIS writes them: names in initials of pinyin, picks as numbers, some of it nested. */
type Row = Readonly<Record<string, unknown>>

const sexes: Readonly<Record<string, string>> = { male: '1', female: '2', other: '9', unknown: '0' }
const kinds = ['doctor', 'nurse', 'technician', 'pharmacist', 'administrative', 'other']

const renames: Readonly<Record<string, (row: Row) => Row>> = {
  patients: row => ({
    brjbxx: {
      brid: row.patient_no,
      xm: row.patient_name,
      xb: sexes[String(row.sex)],
      csrq: String(row.birth_date ?? '').replaceAll('-', ''),
      wdh: row.wristband,
    },
    gxsj: row.updated_at,
  }),
  staff: row => ({
    gh: row.staff_no,
    xm: row.staff_name,
    xb: sexes[String(row.sex)],
    ks: [{ dm: row.department_code, mc: row.department_name }],
    rylb: kinds.indexOf(String(row.staff_kind)) + 1,
    zc: row.professional_title,
    zw: row.position,
    sjh: row.mobile,
    zzbz: row.is_active === true ? 1 : 0,
    gxsj: row.updated_at,
  }),
}

export const inPinyin = (path: string, row: Row): Row => renames[path]?.(row) ?? row
