import { type ComponentType, createElement, lazy, Suspense } from 'react'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import { pageOf } from '#web/registry/contributions.ts'
import css from '#web/wall/Wall.module.css'

/** Pages once they were loaded: the same component again, so that it keeps what it shows. */
const loaded = new Map<string, ComponentType>()

function componentOf(name: string): ComponentType {
  const known = loaded.get(name)
  if (known) return known
  const load = pageOf(name)
  if (!load) throw new Error(`there is no page ${name}`)
  const component = lazy(() => loadChunk(load))
  loaded.set(name, component)
  return component
}

/** A component of a module in the place of a card. */
export function OwnPage({ page }: { readonly page: string }) {
  return <Suspense fallback={<p className={css.nothing}>正在读取……</p>}>{createElement(componentOf(page))}</Suspense>
}
