import path from 'node:path'
import { expect, test } from 'vitest'
import { sources } from './sources.ts'

const names = (folder: string, rooms: string) => rooms.split(' ').map(room => `${folder}/${room}`)
/**
 * Folders that still import each other in a ring; it may only become smaller. Each other ring of folders fails, in
 * kernel, server, modules and web. Types alone tie nothing together at run time.
 */
const KNOWN: readonly (readonly string[])[] = [
  [
    ...names('server/documents', 'action allocation approval draft intercompany lines list posting print progress'),
    ...names('server/documents', 'repository sources'),
    ...names('server', 'identity ledger menu realtime records traceability'),
  ],
  [
    ...names('web', 'assistant charts editor engine fields grid help list print'),
    ...names('web', 'realtime records registry scan sheets shell sign-in theme'),
  ],
]

const code = sources(/^(kernel|server|modules|web)\/.*\.tsx?$/).filter(({ file }) => !/\.test(-d)?\.tsx?$/.test(file))
const files = new Set(code.map(({ file }) => file))

/** `server/ledger`; in modules and in `server/documents` one folder deeper. A file of a top folder has none. */
function folderOf(file: string): string | undefined {
  const [top, room, inner, ...below] = file.split('/')
  if (inner === undefined) return undefined
  const isDeep = top === 'modules' || (top === 'server' && room === 'documents')
  return isDeep && below.length > 0 ? `${top}/${room}/${inner}` : `${top}/${room}`
}

/** Files that are needed when a file runs: what it imports as a type alone is not. */
const neededBy = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\b)([^'";]*?)\sfrom\s+'([#.][^']+)'/g)].flatMap(
    ([, names = '', from = '']) => {
      const isTypesOnly = /^\{[^}]*\}$/.test(names) && !/[{,]\s*(?!type\b)\w/.test(names)
      const target = from.startsWith('#') ? from.slice(1) : path.posix.join(path.posix.dirname(file), from)
      return isTypesOnly || !files.has(target) ? [] : [target]
    },
  )

const needs = new Map<string, Set<string>>()
for (const { file, text } of code)
  for (const target of neededBy(file, text)) {
    const [from, to] = [folderOf(file), folderOf(target)]
    if (from && to && from !== to && from.split('/')[0] === to.split('/')[0])
      needs.set(from, (needs.get(from) ?? new Set()).add(to))
  }

/** The folders that can be reached from this one. */
function reachedFrom(folder: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const to of needs.get(next) ?? [])
      if (!reached.has(to)) {
        reached.add(to)
        open.push(to)
      }
  return reached
}

test('no folders import each other in a ring', () => {
  expect(needs.size).toBeGreaterThan(80)
  const reached = new Map([...needs.keys()].map(folder => [folder, reachedFrom(folder)]))
  const inRing = [...reached].filter(([folder, all]) => all.has(folder)).map(([folder]) => folder)
  const rings = Map.groupBy(inRing, folder =>
    inRing
      .filter(other => reached.get(folder)!.has(other) && reached.get(other)!.has(folder))
      .sort()
      .join(' '),
  )
  expect([...rings.keys()].sort()).toEqual(KNOWN.map(ring => ring.join(' ')).sort())
})
