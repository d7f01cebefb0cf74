import { md5 } from 'js-md5'

/** What travels instead of a password, as the specification has it. The server stores a slow hash of this. */
export const hashPassword = (typed: string): string => md5(typed)
