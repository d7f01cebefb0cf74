/**
 * The form in which names, logins and codes are compared: without case, width and blanks. `same_name` of the database
 * is the same function.
 */
export const sameName = (written: string): string => written.normalize('NFKC').replace(/\s+/gu, '').toLowerCase()

/** Characters that nobody sees or that turn the direction of text: a name with one is not what it looks like. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]$/u

/** The place of the first invisible character, counted from 1; 0 where the text has none. */
export const unseenAt = (text: string): number => [...text].findIndex(letter => UNSEEN.test(letter)) + 1
