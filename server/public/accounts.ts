/**
 * Accounts of users: passwords, sessions, codes by SMS. Modules import the engine through files like this one and no
 * other.
 */

/** The stored value of an account that has no password yet. */
export { NO_PASSWORD } from '#server/identity/new-password.ts'

/** Sign-in with name and password; failures are counted and lock the account. */
export { signIn, unlock } from '#server/identity/sign-in.ts'

/** A secret that somebody chose, as it is stored, and whether another is the same. */
export { isPassword, storedForm } from '#server/identity/passwords.ts'

/** The scope of a session. */
export { scopeWithin } from '#server/identity/sessions.ts'

/** First and reset passwords, which their holders get by SMS. */
export { orderFirstPassword, sendFirstPasswords } from '#server/identity/sms/first-password.ts'

/** The first password of a registrant: the phone number. */
export { beginWithPhone } from '#server/identity/registrant-password.ts'

/** Sending an SMS. */
export { askSms } from '#server/identity/sms/sender.ts'
