import { parseInteger } from '#kernel/values/integer.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { taxRates } from '#kernel/values/tax-amounts.ts'
import { SMALL_HEIGHT } from '#web/engine/small-screen.ts'
import { RESTORE_WAIT_MS } from '#web/list/table/column-layout.ts'
import { menuIcon } from '#web/shell/menu/menu-icon.tsx'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

/** The dimensions fixed by section 9 of the specification that no other test checks. */
describe('the dimensions in the specification', () => {
  const css = readFileSync('web/theme/base.css', 'utf8')
  const pixels = (name: string) => parseInteger(new RegExp(`--${name}: (\\d+)px`).exec(css)?.[1])

  it('of the layout: header 56, breadcrumb 52, menu 208 and 80, footer 64, padding 48', () => {
    expect(['header', 'trail', 'menu', 'menu-folded', 'footer'].map(pixels)).toEqual([56, 52, 208, 80, 64])
    expect(2 * pixels('gutter')).toBe(48)
  })

  it('of dialogs, small screens and the wait for a saved layout', () => {
    expect([MODAL_WIDTH, SMALL_HEIGHT, RESTORE_WAIT_MS]).toEqual([600, 680, 550])
  })

  it('of tax rates: 0, 1, 3, 6, 9 and 13 percent', () => {
    expect([...taxRates]).toEqual([0, 1, 3, 6, 9, 13])
  })

  it('of the menu: an icon for each name', () => {
    const names =
      'Home Buy Checklist Order Bill Ticket Receive AdProduct MuseumOne Bank SafeRetrieval Orthopedic Form ' +
      'Adjustment SplitBranch Setting SettingComputer CycleOne ConnectionArrow'
    const kinds = names.split(' ').map(name => (menuIcon(name) as { type: unknown }).type)
    expect(new Set(kinds).size).toBe(names.split(' ').length)
  })
})
