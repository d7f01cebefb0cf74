/** The first hanzi of each initial in pinyin order; a character belongs to the last one not after it. */
const firsts = '阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥仨他穵夕丫帀'
const letters = 'abcdefghjklmnopqrstwxyz'
const order = new Intl.Collator('zh-Hans-CN-u-co-pinyin')

function initialOf(character: string): string {
  if (!/\p{Script=Han}/u.test(character)) return character.toLowerCase()
  let at = -1
  for (const [index, first] of [...firsts].entries()) if (order.compare(first, character) <= 0) at = index
  return letters[at] ?? ''
}

/** "采购订单" → "cgdd". The browser's own collation knows the order of all hanzi, so no dictionary is shipped. */
export const initialsOf = (text: string): string => [...text].map(initialOf).join('')
