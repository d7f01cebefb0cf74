/**
 * Every colour of the product, in light and dark. Ant Design's tokens and our own CSS variables both come from here,
 * so a page renders in either theme without checking which. Text colours keep 4.5:1 on `surface` and on `canvas`.
 */
export type Palette = {
  readonly canvas: string
  readonly surface: string
  readonly raised: string
  readonly sunken: string
  readonly hover: string
  readonly selected: string
  readonly border: string
  readonly split: string
  readonly ink: string
  readonly inkSoft: string
  readonly inkFaint: string
  readonly brand: string
  readonly brandStrong: string
  readonly brandHover: string
  readonly brandSoft: string
  readonly onBrand: string
  readonly success: string
  readonly successSoft: string
  readonly warning: string
  readonly warningSoft: string
  readonly danger: string
  /** Background for white figures. */
  readonly dangerStrong: string
  readonly dangerSoft: string
  readonly info: string
  readonly infoSoft: string
  readonly neutral: string
  readonly neutralSoft: string
  readonly shadow: string
}

export type ThemeName = 'light' | 'dark'

const light: Palette = {
  canvas: '#f2f5f5',
  surface: '#ffffff',
  raised: '#ffffff',
  sunken: '#f6f9f9',
  hover: '#f1f8f7',
  selected: '#e4f3f1',
  border: '#dbe3e3',
  split: '#e9eeee',
  ink: '#14262a',
  inkSoft: '#41555a',
  inkFaint: '#5e7176',
  brand: '#0b7a75',
  brandStrong: '#0b7a75',
  brandHover: '#0e8a84',
  brandSoft: '#e7f5f3',
  onBrand: '#ffffff',
  success: '#18713a',
  successSoft: '#e4f4e9',
  warning: '#8f5200',
  warningSoft: '#fff1d9',
  danger: '#bd2a26',
  dangerStrong: '#bd2a26',
  dangerSoft: '#fdeae9',
  info: '#1b5fae',
  infoSoft: '#e7f0fb',
  neutral: '#4d6166',
  neutralSoft: '#ecf0f1',
  shadow: '0 6px 24px rgb(16 42 46 / 14%), 0 1px 3px rgb(16 42 46 / 8%)',
}

const dark: Palette = {
  canvas: '#0c1314',
  surface: '#131c1e',
  raised: '#1a2527',
  sunken: '#172123',
  hover: '#1a2829',
  selected: '#143331',
  border: '#2b393b',
  split: '#213032',
  ink: '#e3ebeb',
  inkSoft: '#b0bfc1',
  inkFaint: '#8fa2a5',
  brand: '#35b8ae',
  brandStrong: '#0c7f79',
  brandHover: '#4cc9bf',
  brandSoft: '#123532',
  onBrand: '#ffffff',
  success: '#62c785',
  successSoft: '#14301f',
  warning: '#e9ae55',
  warningSoft: '#352812',
  danger: '#f0837d',
  dangerStrong: '#bd2a26',
  dangerSoft: '#3a1c1b',
  info: '#79b0f2',
  infoSoft: '#172a42',
  neutral: '#a4b5b8',
  neutralSoft: '#243133',
  shadow: '0 8px 28px rgb(0 0 0 / 55%), 0 1px 3px rgb(0 0 0 / 40%)',
}

export const palettes: Readonly<Record<ThemeName, Palette>> = { light, dark }

const kebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** The palette as CSS custom properties: `inkSoft` becomes `--ink-soft`. */
export const cssVariables = (palette: Palette): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(palette).map(([name, value]) => [`--${kebab(name)}`, value]))
