import { dictionary } from '@zxcvbn-ts/language-common'
import { digestOf } from '#server/identity/passwords.ts'

let digests: ReadonlySet<string> | null = null

/**
 * True if the MD5 hex, as the sign-in page sends it, is that of a common password: one of some fifty thousand from
 * known leaks (`@zxcvbn-ts/language-common`), or one that is common here. The list is computed at first use.
 */
export function isCommonPassword(digest: string): boolean {
  digests ??= new Set([...Object.values(dictionary).flat(), ...LOCAL].map(word => digestOf(String(word))))
  return digests.has(digest.toLowerCase())
}

/** Passwords of Chinese keyboards and offices that the international list lacks, and the empty one. */
const LOCAL: readonly string[] = [
  '',
  ...['123456', '12345678', '123456789', '88888888', '66666666', '000000', '111111'].flatMap(number => [
    number,
    `a${number}`,
    `A${number}`,
    `abc${number}`,
    `Abc${number}`,
    `qwe${number}`,
    `woaini${number}`,
  ]),
  ...['123', '1234', '12345', '123456', '@123', '@1234', '@123456', '888', '520', '1314'].flatMap(tail =>
    ['admin', 'Admin', 'root', 'spd', 'Spd', 'SPD', 'yiyuan', 'hospital', 'shebeike', 'password', 'Password'].map(
      head => `${head}${tail}`,
    ),
  ),
  'woaini',
  'woaini520',
  'woaini1314',
  '5201314',
  '1qaz2wsx',
  '1qaz@WSX',
  'qwer1234',
  'qwer@1234',
  'zaq12wsx',
  'P@ssw0rd',
  'Aa123456',
  'aa123456',
  'Aa123456.',
  'Aa@123456',
]
