import { may, type Session } from '#server/access/session.ts'

/** True if a user may see patient data: inside the hospital, and with the right to. */
export const maySeePatients = (session: Session): boolean => session.org.type === 'H' && may(session, 'patient')

/**
 * A patient's name or number as users without the right see it: the surname, the last four digits. Values that are too
 * short to hide anything (an age, a sex) are hidden wholly.
 */
export function maskPatient(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value
  const letters = [...value]
  if (/\d/.test(value)) return letters.length > 3 ? `****${letters.slice(-4).join('')}` : '****'
  return letters.length > 1 ? `${letters[0]}*` : '*'
}
