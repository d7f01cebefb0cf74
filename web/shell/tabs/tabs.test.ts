import { beforeEach, describe, expect, it, vi } from 'vitest'
import { documents, entities } from '#app/modules.ts'

const kept = new Map<string, string>()
vi.stubGlobal('sessionStorage', {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
})
const { addressOfTab, closeTabs, currentDeck, dropDetail, listAddress, resetTabs, setDirty, TAB_CAP, tabOf, visit } =
  await import('#web/shell/tabs/tabs.ts')

const routes = [...new Set([...documents, ...entities].flatMap(({ screens }) => screens.map(screen => screen.route)))]
const open = () => currentDeck().tabs.map(tab => tab.route)
const titles = () => currentDeck().tabs.map(tab => tab.title)
const ORDERS = '/commonView/purchaseOrder'
const active = () => tabOf(currentDeck().active)!
let now = 0
beforeEach(() => {
  resetTabs()
  vi.spyOn(Date, 'now').mockImplementation(() => ++now)
})

describe('open tabs', () => {
  it('are at most twelve: the least recently used one is closed, an unsaved one never', () => {
    const [first, second, ...others] = routes
    visit(first!, '')
    setDirty(first!, true)
    visit(second!, '')
    for (const route of others.slice(0, TAB_CAP)) visit(route, '')
    expect(TAB_CAP).toBe(12)
    expect(open()).toHaveLength(12)
    expect(open()).toContain(first)
    expect(open()).not.toContain(second)
  })

  it('close together, and the last used one comes to the front', () => {
    const [first, second, third] = routes
    for (const route of [first!, second!, third!]) visit(route, '?state=draft')
    expect(closeTabs([first!])).toBeNull()
    expect(addressOfTab(closeTabs([third!])!)).toBe(`${second}?state=draft`)
    expect(open()).toEqual(['/', second])
  })

  it('two documents of one kind are open beside each other and their list, each with its own unsaved input', () => {
    visit(ORDERS, '?state=draft')
    visit(`${ORDERS}/CG1`, '')
    setDirty(active().id, true)
    visit(`${ORDERS}/CG2`, '')
    expect(titles()).toEqual(['工作台', '采购订单', '采购订单 CG1', '采购订单 CG2'])
    expect(active().dirty).toBe(false)
    // Opened again it comes back, in its own tab.
    visit(`${ORDERS}/CG1`, '')
    expect(titles()).toHaveLength(4)
    expect(active()).toMatchObject({ title: '采购订单 CG1', dirty: true })
    // The menu leads to the list as it was left.
    expect(listAddress(ORDERS)).toBe(`${ORDERS}?state=draft`)
  })

  it('a new document takes another tab when one is being written, and keeps its tab when it gets its number', () => {
    visit(`${ORDERS}/new`, '')
    const first = active().id
    visit(`${ORDERS}/new`, '')
    expect(active().id).toBe(first)
    setDirty(first, true)
    visit(`${ORDERS}/new`, '')
    const second = active().id
    expect(second).not.toBe(first)
    visit(`${ORDERS}/CG7`, '', { sameDocument: true })
    expect(active()).toMatchObject({ id: second, title: '采购订单 CG7' })
    visit(`${ORDERS}/new`, '', { tab: first })
    expect(active().id).toBe(first)
    // Going back in the history opens no further one.
    visit(`${ORDERS}/CG7`, '', { isReturn: true })
    visit(`${ORDERS}/new`, '', { isReturn: true })
    expect(active().id).toBe(first)
  })

  it('a document that was read leaves with its tab; a copy of another organisation with its number has its own', () => {
    visit(ORDERS, '')
    visit(`${ORDERS}/CG1`, '')
    visit(`${ORDERS}/CG1`, '?role=counterparty&source_org_sn=9')
    expect(titles()).toHaveLength(4)
    dropDetail(active().id)
    expect(titles()).toEqual(['工作台', '采购订单', '采购订单 CG1'])
  })

  it('are remembered per window, without unsaved input', () => {
    visit(routes[0]!, '')
    expect(JSON.parse(kept.get('open-tabs') ?? '[]')).toHaveLength(2)
  })
})
