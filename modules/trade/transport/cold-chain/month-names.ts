/** Months by their names, as recorders write them that follow the language of their computer. */
const LANGUAGES = ['en-US', 'en-GB', 'de', 'fr', 'es', 'it', 'pt', 'nl']
/** Abbreviations of programs that are in no dictionary of dates. */
const OTHERS = { sept: 9, mrz: 3, jänn: 1 } as const

/** Without accents, points and capitals: `Févr.` is fevr. */
const bare = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()

const names = new Map<string, number>(Object.entries(OTHERS).map(([name, month]) => [bare(name), month]))
for (const language of LANGUAGES)
  for (const style of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
    for (let month = 0; month < 12; month++) names.set(bare(format.format(Date.UTC(2026, month, 15))), month + 1)
  }

const WORD = String.raw`(\p{L}{3,12})\.?`
const APART = String.raw`[\s.,/_-]{0,3}`
/** 12-Mar-2026, 12. März 2026, 12MAR26. */
const DAY_FIRST = new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?${APART}${WORD}${APART}(\\d{4}|\\d{2})(?![\\d:])`, 'iu')
/** 2026-Mar-12. */
const YEAR_FIRST = new RegExp(`(?<!\\d)(\\d{4})${APART}${WORD}${APART}(\\d{1,2})(?![\\d:])`, 'u')
/** Mar 12, 2026, and as C writes it: Mar 12 08:00:00 2026. */
const MONTH_FIRST = new RegExp(
  `${WORD}${APART}(\\d{1,2})(?:st|nd|rd|th)?${APART}` +
    '((?<=\\s)\\d{1,2}:\\d{2}(?::\\d{2})?\\s{1,3})?(\\d{4}|\\d{2})(?![\\d:])',
  'iu',
)

/** A text with the number of its month instead of the name; its year stands first, or is `isShort` and stands last. */
type Renamed = { readonly text: string; readonly isShort: boolean }

type Said = { readonly day: string; readonly name: string; readonly year: string; readonly clock?: string }

const two = (value: number): string => String(value).padStart(2, '0')

/** Writes the month of a date as a number; null: no month has a name here. */
export function withMonthNumber(text: string): Renamed | null {
  const tries: readonly (readonly [RegExp, (parts: readonly string[]) => Said])[] = [
    [DAY_FIRST, ([, day, name, year]) => ({ day: day!, name: name!, year: year! })],
    [YEAR_FIRST, ([, year, name, day]) => ({ day: day!, name: name!, year: year! })],
    [
      MONTH_FIRST,
      ([, name, day, clock, year]) => ({
        day: day!,
        name: name!,
        year: year!.length === 2 ? `20${year}` : year!,
        clock: clock ?? '',
      }),
    ],
  ]
  for (const [shape, partsOf] of tries) {
    const found = shape.exec(text)
    if (found === null) continue
    const { day, name, year, clock = '' } = partsOf(found)
    const month = names.get(bare(name))
    if (month === undefined) continue
    const isShort = year.length === 2
    const date = isShort ? `${day}-${two(month)}-${year}` : `${year}-${two(month)}-${day}`
    return { text: `${date} ${clock}${text.slice(found.index + found[0].length)}`, isShort }
  }
  return null
}

/** The word that stands where a month does and that no language here knows; null: there is none. */
export function unknownMonth(text: string): string | null {
  for (const shape of [DAY_FIRST, YEAR_FIRST]) {
    const name = shape.exec(text)?.[2]
    if (name !== undefined && !names.has(bare(name))) return name
  }
  return null
}
