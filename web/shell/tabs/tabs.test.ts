import { beforeEach, describe, expect, it, vi } from 'vitest'
import { documents, entities } from '#modules/registry.ts'

const kept = new Map<string, string>()
vi.stubGlobal('sessionStorage', {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
})
const { closeTabs, currentDeck, resetTabs, setDirty, TAB_CAP, visit } = await import('#web/shell/tabs/tabs.ts')

const routes = [...new Set([...documents, ...entities].flatMap(({ screens }) => screens.map(screen => screen.route)))]
const open = () => currentDeck().tabs.map(tab => tab.route)
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
    expect(closeTabs([third!])).toBe(`${second}?state=draft`)
    expect(open()).toEqual(['/', second])
  })

  it('are remembered per window, without unsaved input', () => {
    visit(routes[0]!, '')
    expect(JSON.parse(kept.get('open-tabs') ?? '[]')).toHaveLength(2)
  })
})
