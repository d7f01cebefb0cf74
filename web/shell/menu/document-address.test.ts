import { expect, it } from 'vitest'
import { documents } from '#kernel/registry.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { opensDocuments } from '#web/shell/menu/document-address.ts'
import { addressOf } from '#web/shell/menu/screen-index.ts'

const menuWith = (pages: Readonly<Record<string, readonly string[]>>) => ({
  operations: new Map(Object.entries(pages).map(([route, flags]) => [route, new Set(flags)])),
})

it('a document opens for whoever has one of its pages, or a right on it, and for nobody else', () => {
  const elsewhere = documents().find(({ kind }) => kind === 'purchaseOrder')!
  for (const { kind, screens } of documents()) {
    const routes = [...new Set(screens.map(({ route }) => route))]
    for (const route of routes)
      expect([kind, route, opensDocuments(menuWith({ [route]: [] }), kind)]).toEqual([kind, route, true])
    expect([kind, opensDocuments(menuWith({ '/none': [`${kind}.review`] }), kind)]).toEqual([kind, true])
    const foreign = elsewhere.screens.map(({ route }) => route).filter(route => !routes.includes(route))
    const others = Object.fromEntries(foreign.map(route => [route, [`${kind}s.review`, 'review']]))
    expect([kind, opensDocuments(menuWith(others), kind)]).toEqual([kind, false])
  }
})

it('of several pages of a kind, a link leads to one that the reader has', () => {
  for (const { kind, screens } of documents())
    for (const org of ['P', 'H', 'D', 'V'] satisfies OrgType[])
      for (const { route } of screens.filter(screen => screen.orgs.includes(org)))
        expect(addressOf(kind, 'N1', org, {}, has => has === route)?.split('?')[0]).toBe(`${route}/N1`)
})
