/**
 * Which identifiers GS1 wants beside which, and which it forbids beside which. Labels in use break these rules, and a
 * label may have its parts in two symbols, so that they refuse no reading: they only say which of several is meant.
 * Source: `req` and `ex` of the GS1 Barcode Syntax Dictionary, release 2026-01-27. `n` stands for any digit.
 */
import type { CodeElement } from './parsed-code.ts'

/** Identifiers, and what each of them must stand beside: one of several, each one identifier or some joined by `+`. */
const requiredRows: readonly (readonly [string, string])[] = [
  ['10 11 13 15 16', '01,02,03,8006,8026'],
  ['20 240 241 422', '01,02,8006,8026'],
  ['17', '01,02,03,255,8006,8026'],
  ['242 7001', '01,02,8006,8026'],
  ['423 424 425 426 7003 7010 7011 8008', '01,02'],
  ['427', '01+422,02+422'],
  ['21', '01,03,8006'],
  ['251 7021 8012', '01,8006'],
  ['22 235 243 337n 71n 8001 8014 8200', '01'],
  ['250', '01+21,8006+21'],
  ['30 7002 7005 7006 7007 7008 7009 703n 8005', '01,02'],
  ['310n 311n 312n 313n 314n 315n 316n 32nn 350n 351n 352n 356n 357n 360n 361n 364n 365n 366n', '01,02'],
  ['330n 331n 332n 333n 334n 335n 336n 34nn 353n 354n 355n 362n 363n 367n 368n 369n', '00,01'],
  ['37', '00+02,00+8026'],
  ['02 8026', '37'],
  ['254', '414'],
  ['390n', '255,8020'],
  ['391n', '8020'],
  ['392n', '01+30,01+31nn,01+32nn,01+35nn,01+36nn'],
  ['393n 395n', '30,31nn,32nn,35nn,36nn'],
  ['394n 8111', '255'],
  ['403 4300 4301 4302 4304 4305 4306 4307 4308 4309 4310 4311 4312 4314 4315 4316 4317 4318 4319', '00'],
  ['432n 433n 7041', '00'],
  ['4303', '4302'],
  ['4313', '4312'],
  ['7004', '01+10'],
  ['7020', '01+416,8006+416'],
  ['7022', '01+7021,8006+7021'],
  ['723n', '01,8004'],
  ['7240', '01,8006'],
  ['7241 7242 7253 7254 7255 7256 8019', '8017,8018'],
  ['7250 7251 7252 7257 7259', '8018'],
  ['7258', '8018+7259'],
  ['12 415', '8020'],
  ['8007 8020', '415'],
  ['8009', '00,01'],
  ['8011', '8010'],
  ['8030', '00,01+21,253,255,8003,8004,8006+21,8010+8011,8017,8018'],
  ['8040', '01+21'],
  ['8041 8042 8043', '01+21+8040'],
]

/** Identifiers, and what none of them may stand beside. */
const excludedRows: readonly (readonly [string, string])[] = [
  ['01', '255,37'],
  ['02', '01,03'],
  ['03', '01,02,37'],
  ['21', '235'],
  ['255', '01,02,415,8006,8020,8026'],
  ['390n', '391n,394n,8111'],
  ['392n', '393n'],
  ['394n', '8111'],
  ['395n', '392n,393n,8005'],
  ['420', '421'],
  ['421', '4307'],
  ['422 423 424 425', '426'],
  ['4330', '4331'],
  ['4332', '4333'],
  ['7250', '7251'],
  ['7253 7254 7255', '7256,7259'],
  ['7259', '7256'],
  ['8006', '01,37'],
  ['8017', '8018'],
  ['8026', '02,8006'],
]

/** Measures and prices, of which the fourth digit says the decimals: each stands once. */
const ONCE = /^(?:3[1-6]\d|39[0-5])\d$/

/** True if an identifier is one of a pattern: `32nn`. */
const isOne = (pattern: string) => {
  const exact = new RegExp(`^${pattern.replaceAll('n', '\\d')}$`)
  return (ai: string): boolean => exact.test(ai)
}
type Rule = { readonly of: (ai: string) => boolean; readonly other: readonly (readonly ((ai: string) => boolean)[])[] }
const rules = (rows: readonly (readonly [string, string])[]): readonly Rule[] =>
  rows.flatMap(([identifiers, others]) =>
    identifiers.split(' ').map(of => ({
      of: isOne(of),
      other: others.split(',').map(together => together.split('+').map(isOne)),
    })),
  )
const required = rules(requiredRows)
const excluded = rules(excludedRows)

/** True if each identifier stands beside what it needs, and beside nothing that it excludes. */
export function standTogether(elements: readonly Pick<CodeElement, 'ai'>[]): boolean {
  const ais = elements.map(({ ai }) => ai)
  const has = (together: Rule['other'][number]) => together.every(fits => ais.some(fits))
  const stems = ais.filter(ai => ONCE.test(ai)).map(ai => ai.slice(0, 3))
  return (
    new Set(stems).size === stems.length &&
    ais.every(
      ai =>
        required.every(rule => !rule.of(ai) || rule.other.some(has)) &&
        excluded.every(rule => !rule.of(ai) || !rule.other.some(has)),
    )
  )
}
