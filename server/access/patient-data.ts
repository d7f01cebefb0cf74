import { may, type Session } from '#server/access/session.ts'

/** Whether a user may see patient data: inside the hospital, and with the right to. */
export const maySeePatients = (session: Session): boolean => session.org.type === 'H' && may(session, 'patient')
