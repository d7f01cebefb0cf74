import { isDay, type Day } from '#kernel/values/date.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'

/**
 * The data that is read from a wristband: the code to ask the HIS for, and the GS1 data for the case that the HIS does
 * not answer.
 */
export type Wristband = {
  /** The number of the service relation (GSRN, 8018), or the hospital's own number. */
  readonly code: string
  readonly isGsrn: boolean
  readonly patient_name: string | null
  readonly birth_date: Day | null
  readonly sex: 'male' | 'female' | 'unknown' | null
}

const sexes = { '1': 'male', '2': 'female' } as const

/** GS1 writes other letters than Latin ones percent-encoded. */
function lettersOf(text: string | undefined): string {
  try {
    return decodeURIComponent((text ?? '').replaceAll('+', ' '))
  } catch {
    return text ?? ''
  }
}

/** GS1 with 8018 and its companions (8019, 7250 to 7259); anything else is the hospital's own number. */
export function readWristband(scanned: string): Wristband {
  const code = scanned.trim()
  const parsed = parseCode(code)
  const said = new Map(parsed.ok ? parsed.elements.map(({ ai, value }) => [ai, value]) : [])
  const gsrn = said.get('8018')
  if (gsrn === undefined) return { code, isGsrn: false, patient_name: null, birth_date: null, sex: null }
  const day = (said.get('7250') ?? said.get('7251') ?? '').slice(0, 8).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const name = lettersOf(said.get('7256')) || `${lettersOf(said.get('7253'))}${lettersOf(said.get('7254'))}`
  const sex = said.get('7252')
  return {
    code: gsrn,
    isGsrn: true,
    patient_name: name === '' ? null : name,
    birth_date: isDay(day) ? day : null,
    sex: sex === undefined ? null : (sexes[sex as keyof typeof sexes] ?? 'unknown'),
  }
}
