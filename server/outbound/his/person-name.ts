/** True for a name that is written in Chinese characters. */
export const hasIdeographs = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** Family and given names as their language joins them: 步允执, and William Jones. */
export function joinedName(family: string, given: readonly string[]): string {
  const parts = given.map(each => each.trim()).filter(Boolean)
  return hasIdeographs(family + parts.join(''))
    ? [family.trim(), ...parts].join('')
    : [...parts, family.trim()].filter(Boolean).join(' ')
}
