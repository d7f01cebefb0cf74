import { pinyin } from 'pinyin-pro'

/** The initials by which users search a name: 冠脉支架 → "gmzj". Letters and digits are kept, in lower case. */
export const pinyinInitials = (text: string): string =>
  pinyin(text, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 200)
