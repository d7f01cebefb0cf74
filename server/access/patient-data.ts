import { may, type Session } from '#server/access/session.ts'

/** Whether a user may see patient data: inside the hospital, and with the right to. */
export const maySeePatients = (session: Session): boolean => session.org.type === 'H' && may(session, 'patient')

/**
 * What is left of a patient's name or number for those who may not read it: the surname, the last four digits of a
 * number. Of what is too short to hide anything nothing is left: an age, a sex.
 */
export function maskPatient(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value
  const letters = [...value]
  if (/\d/.test(value)) return letters.length > 3 ? `****${letters.slice(-4).join('')}` : '****'
  return letters.length > 1 ? `${letters[0]}*` : '*'
}
