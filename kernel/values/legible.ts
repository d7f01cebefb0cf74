const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/** Words of people on one line, with every character written out that nobody sees or that a terminal obeys. */
export const legible = (words: string): string =>
  words.replaceAll(HIDDEN, letter =>
    /[\t\n\r\u2028\u2029]/.test(letter)
      ? ' '
      : `〔U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}〕`,
  )
