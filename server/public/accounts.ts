/**
 * Accounts of users: passwords, sessions, codes by SMS. Modules import the engine through files like this one and no
 * other.
 */

/** How passwords are stored. */
export { storedForm } from '#server/identity/passwords.ts'

/** What a session may see. */
export { scopeWithin } from '#server/identity/sessions.ts'

/** Passwords that are reset by SMS. */
export { performPending, notifyOfReset } from '#server/identity/sms/reset.ts'

/** Sending an SMS. */
export { askSms } from '#server/identity/sms/sender.ts'
