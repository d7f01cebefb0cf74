/** Accounts of users: passwords, sessions, codes by SMS. Modules import the engine through files like this one and no other. */

/** How passwords are stored. */
export { storedForm } from '#server/engine/identity/passwords.ts'

/** What a session may see. */
export { scopeWithin } from '#server/engine/identity/sessions.ts'

/** Passwords that are reset by SMS. */
export { performPending, tellOfReset } from '#server/engine/identity/sms/reset.ts'

/** Sending an SMS. */
export { askSms } from '#server/engine/identity/sms/sender.ts'
