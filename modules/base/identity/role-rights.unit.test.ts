import { describe, expect, it } from 'vitest'
import { changed, differenceOf, flagsOf, grantedOf, matrixOf } from '#modules/base/identity/role-rights.web.ts'
import type { MenuItem } from '#web/shell/menu/menu.ts'

const item = (title: string, flag: string, more: Partial<MenuItem> = {}): MenuItem => ({
  content: title,
  title,
  uri: '',
  icon: '',
  type: 1,
  flag,
  level: 2,
  ...more,
})
const operation = (title: string, flag: string) => item(title, flag, { type: 2, level: 3 })
const menu: readonly MenuItem[] = [
  item('库存管理', '', {
    level: 1,
    children: [
      item('库存查询', 'page:/stock', {
        children: [
          operation('导出', 'stockBalance.export'),
          operation('导出', 'stockByPlace.export'),
          operation('新增', 'countPlan.add'),
          operation('批量设置货位', 'countPlan.place'),
          operation('导出', 'countPlan.export'),
        ],
      }),
    ],
  }),
]
const { columns, groups } = matrixOf(menu)
const row = groups[0]!.rows[0]!

describe('the rights of a role as a matrix', () => {
  it('have one 导出 for a page, whatever lists stand on it', () => {
    expect(columns).toEqual(['新增', '导出'])
    expect(row.cells.get('导出')!.flags).toEqual(['stockBalance.export', 'stockByPlace.export', 'countPlan.export'])
    expect(row.others.map(cell => cell.title)).toEqual(['批量设置货位'])
  })

  it('lose nothing: every right of the menu is in a cell', () => {
    expect(flagsOf(row).toSorted()).toEqual(
      ['page:/stock', ...menu[0]!.children![0]!.children!.map(each => each.flag)].toSorted(),
    )
  })

  it('say when only some of a cell is granted', () => {
    const flags = row.cells.get('导出')!.flags
    expect(grantedOf(flags, new Set())).toBe('none')
    expect(grantedOf(flags, new Set(['countPlan.export']))).toBe('some')
    expect(grantedOf(flags, new Set(flags))).toBe('all')
  })

  it('give the page with an action, and take the actions with the page; others stay as they were', () => {
    const add = row.cells.get('新增')!
    expect(changed(new Set(['price']), row, add.flags, true).toSorted()).toEqual([
      'countPlan.add',
      'page:/stock',
      'price',
    ])
    expect(changed(new Set([...flagsOf(row), 'price']), row, [row.page], false)).toEqual(['price'])
    expect(changed(new Set(flagsOf(row)), row, add.flags, false)).not.toContain('countPlan.add')
  })

  it('are compared cell by cell: more, less, or the same', () => {
    const flags = row.cells.get('导出')!.flags
    expect(differenceOf(flags, new Set(flags), new Set())).toBe('more')
    expect(differenceOf(flags, new Set(), new Set(flags))).toBe('less')
    expect(differenceOf(flags, new Set(flags), new Set(flags))).toBeNull()
  })
})
