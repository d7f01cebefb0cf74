import type { Screen } from '#kernel/definition/screen.ts'

/** The menu group of all walls. */
export const WALLS = '大屏'

/** The page of a wall: it opens in a window of its own, without the shell. */
export const wallScreen = (last: string, title: string, purpose: string): Screen => ({
  route: `/largeScreen/${last}`,
  title,
  orgs: 'PH',
  menu: WALLS,
  purpose,
  columns: [],
  filters: [],
  page: 'wall',
  apart: true,
})

/** The page of a wall that is opened from another one: no menu lists it, and who has that one has it. */
export const detailScreen = (last: string, title: string, purpose: string): Screen => ({
  ...wallScreen(last, title, purpose),
  hidden: true,
})
