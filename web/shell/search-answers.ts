import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documents } from '#kernel/registry.ts'
import { searchTargets } from '#web/registry/contributions.ts'
import type { MenuPage } from '#web/shell/menu/menu.ts'
import { initialsOf } from '#web/shell/menu/pinyin-initials.ts'
import { addressOf, APPROVALS } from '#web/shell/menu/screen-index.ts'

export type SearchAnswer = {
  readonly to: string
  readonly title: string
  readonly hint: string
  readonly kind: 'page' | 'document' | 'target' | 'note'
}

const SHOWN_PAGES = 8
const SN = /^([A-Z]{1,5})\d{8,}$/i

/** The letters of a document number identify its kind. */
function documentsFor(typed: string, org: OrgType): readonly SearchAnswer[] {
  const letters = SN.exec(typed)?.[1]?.toUpperCase()
  return documents()
    .filter(definition => definition.numberPrefix === letters)
    .flatMap(definition => {
      const to = addressOf(definition.kind, typed.toUpperCase(), org)
      return to === null ? [] : [{ to, title: typed.toUpperCase(), hint: definition.title, kind: 'document' as const }]
    })
}

/**
 * A delivery note number of another organisation: leads to the document that receives the goods. Its page is known
 * only after a lookup.
 */
function notesFor(typed: string, org: OrgType): readonly SearchAnswer[] {
  const letters = SN.exec(typed)?.[1]?.toUpperCase()
  const meets = documents().some(
    ({ numberPrefix: prefix, intercompany: { copies: sends } }) =>
      prefix === letters && sends?.some(({ creates }) => creates && addressOf(creates.kind, typed, org) !== null),
  )
  return meets ? [{ to: typed.toUpperCase(), title: typed.toUpperCase(), hint: '随货同行单收货', kind: 'note' }] : []
}

/** The page of the shell that is on no menu of the server. */
const ofShell: MenuPage = { route: APPROVALS.route, title: APPROVALS.title, group: APPROVALS.menu }

function pagesFor(typed: string, pages: readonly MenuPage[]): readonly SearchAnswer[] {
  const wanted = typed.toLowerCase()
  const rank = (page: MenuPage): number => {
    const initials = initialsOf(page.title)
    if (page.title === typed || initials === wanted) return 0
    if (page.title.startsWith(typed) || initials.startsWith(wanted)) return 1
    return page.title.includes(typed) || initials.includes(wanted) ? 2 : 3
  }
  return [ofShell, ...pages]
    .map(page => ({ page, rank: rank(page) }))
    .filter(each => each.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, SHOWN_PAGES)
    .map(({ page }) => ({ to: page.route, title: page.title, hint: page.group, kind: 'page' }))
}

/**
 * Search results for typed or scanned text: documents by number, pages by name, then the modules that accept any
 * text.
 */
export function answersFor(typed: string, pages: readonly MenuPage[], org: OrgType): readonly SearchAnswer[] {
  if (typed === '') return []
  const rooms = searchTargets()
    // Only pages of the user's own menu: others would open and be refused.
    .filter(target => pages.some(page => page.route === target.route))
    .map(target => ({
      to: `${target.route}?${target.parameter}=${encodeURIComponent(typed)}`,
      title: target.title(typed),
      hint: target.hint,
      kind: 'target' as const,
    }))
  return [...documentsFor(typed, org), ...notesFor(typed, org), ...pagesFor(typed, pages), ...rooms]
}
