import { md5 } from 'js-md5'

/** Sent instead of the password, as specified. The server stores a slow hash of this. */
export const hashPassword = (typed: string): string => md5(typed)
