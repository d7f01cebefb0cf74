import { pinyin } from 'pinyin-pro'

/** The initials by which people find a name on a keyboard: 冠脉支架 → "gmzj". Letters and digits stay, lower case. */
export const pinyinInitials = (text: string): string =>
  pinyin(text, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 200)
