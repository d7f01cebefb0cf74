import { may, type Session } from '#server/engine/session.ts'

/** Whether a person may know patients: inside the hospital, and with the right to. */
export const seesPatients = (session: Session): boolean => session.org.type === 'H' && may(session, 'patient')
