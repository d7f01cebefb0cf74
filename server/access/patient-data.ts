import { may, type Session } from '#server/access/session.ts'

/** Whether a person may know patients: inside the hospital, and with the right to. */
export const maySeePatients = (session: Session): boolean => session.org.type === 'H' && may(session, 'patient')
