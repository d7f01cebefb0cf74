import { type Day, today } from '#kernel/values/date.ts'
import { type Decimal, divide, multiply } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { demoTable } from '#demo/tables.ts'

const MONTHS = 12
/** The income of a ward, an operating theatre and a laboratory during a month without drugs, in yuan. */
const incomes: Readonly<Record<string, Decimal>> = { 临床: '620000', 手术室: '880000', 医技: '450000' }
/** The income of a department against that, in percent, by the last digits of its code. */
const spread = (code: string, month: string): Decimal =>
  String(70 + ((parseInteger(code.slice(-2)) * 37 + parseInteger(month.slice(4)) * 11) % 60)) as Decimal

/** The last months up to that of a day, as 202611, the oldest first. */
function monthsUpTo(day: Day): readonly string[] {
  const last = parseInteger(day.slice(0, 4)) * 12 + parseInteger(day.slice(5, 7)) - 1
  return Array.from({ length: MONTHS }, (_, at) => {
    const month = last - MONTHS + 1 + at
    return `${(month - (month % 12)) / 12}${String((month % 12) + 1).padStart(2, '0')}`
  })
}

/**
 * The messages of a demo hospital's HIS about the income of its departments: an HL7 message a month, a segment ZIN a
 * department that treats patients.
 */
export function incomeMessages(hospital: string, day: Day = today()): readonly string[] {
  const departments = demoTable('departments').filter(
    row =>
      row.org_code === hospital && row.status === '1' && row.his_department_code && incomes[row.department_kind ?? ''],
  )
  const at = `${day.replaceAll('-', '')}000000`
  return monthsUpTo(day).map(month =>
    [
      `MSH|^~\\&|HIS|${hospital}|SPD|${hospital}|${at}||ZIN^Z01|INCOME-${month}|P|2.5`,
      `EVN|Z01|${at}`,
      ...departments.map((row, index) => {
        const code = row.his_department_code ?? ''
        const whole = multiply(incomes[row.department_kind ?? ''] ?? '0', spread(code, month), 2)
        const income = divide(whole, '100' as Decimal, 2)
        return `ZIN|${index + 1}|${month}|${code}^${row.name ?? ''}|${income}|${divide(income, '4' as Decimal, 2)}`
      }),
    ].join('\r'),
  )
}
