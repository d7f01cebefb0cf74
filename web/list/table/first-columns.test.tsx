import { describe, expect, it } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { screenKey, type Screen } from '#kernel/definition/screen.ts'
import { documents, entities, reports } from '#kernel/registry.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { customBeside } from '#web/engine/customisation.ts'
import { rowActionsWidth } from '#web/list/actions/RowActions.tsx'
import { type Column, columnFor, documentColumns, meant } from '#web/list/table/column.ts'
import { atFirst, roomFor, SELECT_WIDTH } from '#web/list/table/first-columns.ts'
import { ASIDE, roomForActions } from '#web/records/actions-width.ts'
import { recordColumns } from '#web/records/record-field.ts'

type Listed = {
  readonly screen: Screen
  readonly columns: readonly Column[]
  readonly beside: { readonly selectable: boolean; readonly actions: number; readonly aside?: number }
  readonly also?: readonly string[] | undefined
}

/** Every list of every kind of organisation, with all that can be beside its columns. */
const lists: readonly Listed[] = [
  ...documents().flatMap(definition =>
    definition.screens.flatMap(screen =>
      [...screen.orgs].map(org => ({
        screen,
        columns: documentColumns(definition, screen, org as OrgType),
        beside: { selectable: true, actions: rowActionsWidth(definition, null, screen.actions) },
      })),
    ),
  ),
  ...entities().flatMap(definition =>
    definition.screens.flatMap(screen =>
      [...screen.orgs].map(org => ({
        screen,
        columns: recordColumns(definition, meant(screen, screen.columns, org as OrgType), screen),
        beside: {
          selectable: true,
          actions: definition.readOnly ? 0 : roomForActions(definition),
          aside: customBeside(definition.kind).length > 0 ? ASIDE : 0,
        },
      })),
    ),
  ),
  ...reports().flatMap(definition =>
    definition.screens.flatMap(screen =>
      [...screen.orgs].map(org => ({
        screen,
        columns: meant(screen, screen.columns, org as OrgType).map(name => columnFor(name, definition.columns[name]!)),
        beside: { selectable: definition.createsDocument !== undefined, actions: 0 },
        also: definition.totals,
      })),
    ),
  ),
].filter(({ screen }) => screen.page === undefined)

const at = (list: Listed, window: number) =>
  atFirst(list.columns, { named: list.screen.keyColumns, also: list.also }, roomFor(window, list.beside))
const shownAt = (list: Listed, window = 1366) => at(list, window).filter(column => !column.hidden)
const namesOf = (columns: readonly Column[]) => columns.map(column => column.name)
const faulty = (isWrong: (list: Listed) => boolean) => [
  ...new Set(lists.filter(isWrong).map(({ screen }) => screenKey(screen))),
]

describe('the columns of a list that is opened', () => {
  it('there are lists of every kind', () => expect(lists.length).toBeGreaterThan(300))

  it('fit a window of 1366 pixels beside the menu, on every page: nothing is behind the last column', () => {
    const menu = 208
    const gutters = 32
    const wide = (list: Listed) => {
      const { selectable, actions, aside = 0 } = list.beside
      const width = shownAt(list).reduce((sum, column) => sum + column.width, selectable ? SELECT_WIDTH : 0)
      return width + actions + aside > 1366 - menu - gutters
    }
    expect(faulty(wide)).toEqual([])
  })

  it('are all still there: what is not shown is behind 列设置, in its place', () => {
    expect(faulty(list => namesOf(at(list, 1366)).join() !== namesOf(list.columns).join())).toEqual([])
  })

  it('include all that a page names as its own key facts', () => {
    const lacking = (list: Listed) => {
      const shown = namesOf(shownAt(list))
      const known = namesOf(list.columns)
      return (list.screen.keyColumns ?? []).some(name => known.includes(name) && !shown.includes(name))
    }
    expect(faulty(lacking)).toEqual([])
  })

  it('of orders and other documents: number, state, partner, date and amount', () => {
    const key = ['sn', 'state', 'counterparty_sn', 'business_date', 'taxed_amount']
    // For a grant the day until which it holds is more important than the day it was written.
    const saysWhen = (shown: readonly string[]) => shown.includes('valid_to')
    const lacking = (list: Listed) => {
      const [shown, known] = [namesOf(shownAt(list)), namesOf(list.columns)]
      const missing = key.filter(name => known.includes(name) && !shown.includes(name))
      return (
        list.screen.keyColumns === undefined && missing.some(name => !(name === 'business_date' && saysWhen(shown)))
      )
    }
    const orders = lists.filter(({ columns }) =>
      ['sn', 'counterparty_sn'].every(name => namesOf(columns).includes(name)),
    )
    expect(orders.length).toBeGreaterThan(60)
    expect(orders.filter(lacking).map(({ screen }) => screenKey(screen))).toEqual([])
  })

  it('of stock: product, specification, lot, expiry, quantity, available', () => {
    const stock = lists.filter(({ columns }) => ['lot_no', 'available'].every(name => namesOf(columns).includes(name)))
    expect(stock.length).toBeGreaterThan(0)
    for (const list of stock) {
      // Reports name the specification, lists of stock lead to it.
      const specification = namesOf(list.columns).find(name => name.startsWith('specification_'))
      expect(namesOf(shownAt(list))).toEqual(
        expect.arrayContaining(['product_name', specification, 'lot_no', 'expiry_date', 'quantity', 'available']),
      )
    }
  })

  it('are never fewer than three where a list has three', () => {
    expect(faulty(list => shownAt(list).length < Math.min(3, list.columns.length))).toEqual([])
  })

  it('are more in a wider window, and a narrower one takes none away', () => {
    const counts = (window: number) => lists.reduce((sum, list) => sum + shownAt(list, window).length, 0)
    expect(counts(1920)).toBeGreaterThan(counts(1366))
    expect(counts(820)).toBe(counts(1366))
  })

  it('one that fits nowhere is shown rather than nothing', () => {
    const column = columnFor('note', { ...f.text('说明'), width: 5_000 })
    expect(atFirst([column], {}, 900).map(({ hidden }) => hidden)).toEqual([false])
  })
})
