import { expect, test } from 'vitest'
import { steps } from '#kernel/posting.ts'
import { documents, entities, reports } from '#modules/registry.ts'
import { at, importsOf, type Source, sources } from './sources.ts'

/** The rooms of the house and the arrows between them: web, server → modules → kernel. */
const code = sources(/\.(ts|tsx)$/).filter(
  ({ file }) => !/\.test\.tsx?$/.test(file) && !file.startsWith('tests/') && !file.startsWith('bench/'),
)
const inside = (room: string) => code.filter(({ file }) => file.startsWith(`${room}/`))
const arrows = (from: readonly Source[], wrong: (target: string, source: Source) => boolean) =>
  from.flatMap(source =>
    importsOf(source)
      .filter(target => wrong(target, source))
      .map(target => `${source.file} → ${target}`),
  )

test('the kernel knows nothing of the business, the server, the page, Node or any package', () => {
  // Generators of definitions are for tests, and made with the tests' own package.
  const outside = (target: string, { file }: Source) =>
    !target.startsWith('kernel/') && !(file === 'kernel/derive/arbitrary.ts' && target === 'fast-check')
  expect(arrows(inside('kernel'), outside)).toEqual([])
})

test('the page does not reach into the server, the server not into the page', () => {
  expect(arrows(inside('web'), target => target.startsWith('server/') || target.startsWith('node:'))).toEqual([])
  expect(arrows(inside('server'), target => target.startsWith('web/'))).toEqual([])
})

test('definitions stand on the kernel alone; only .server files know the server, only pages the web', () => {
  const shared = inside('modules').filter(
    ({ file }) =>
      !/(\.server\.ts|\.web\.tsx|\.page\.tsx|\.web\.ts)$/.test(file) &&
      !file.endsWith('registry.web.ts') &&
      !file.endsWith('.tsx'),
  )
  expect(arrows(shared, target => /^(server|web)\//.test(target) || target.startsWith('node:'))).toEqual([])
  const server = inside('modules').filter(({ file }) => file.endsWith('.server.ts'))
  expect(arrows(server, target => target.startsWith('web/'))).toEqual([])
  const pages = inside('modules').filter(({ file }) => /\.(web|page)\.tsx$/.test(file))
  expect(arrows(pages, target => target.startsWith('server/'))).toEqual([])
})

/** Two rooms that share a rule say so here; a new pair is a decision. */
const neighbours = [
  'ward→settlement',
  'sales→settlement',
  'losses→settlement',
  'labels→trace',
  'stock→trace',
  'platform→partners',
  'payments→invoicing',
]

test('the wire reads calls and writes replies; what a call needs of the database it asks the engine', () => {
  const wire = inside('server/wire')
  expect(wire.length).toBeGreaterThan(20)
  const statement = /\b(sql|tx|owner|inner)(<[^`;]*>)?`/
  expect(wire.filter(({ text }) => statement.test(text)).map(({ file }) => file)).toEqual([])
})

/** Rooms that hold what many need; they know no room of the business. */
const base = new Set(['vocabulary', 'settings', 'items', 'licensing', 'pricing', 'checks', 'shipping', 'accounting'])

test('rooms of the business reach each other by name, not by import', () => {
  const room = (file: string) => /^modules\/([^/]+)\//.exec(file)?.[1]
  const found = inside('modules').flatMap(source =>
    importsOf(source).flatMap(target => {
      const [from, to] = [room(source.file), room(target)]
      return from && to && from !== to && !base.has(to) && !neighbours.includes(`${from}→${to}`)
        ? [`${source.file} → ${target}`]
        : []
    }),
  )
  expect(found).toEqual([])
})

test('the engine asks the registry and no room', () => {
  const machine = [
    ...inside('server/engine'),
    ...inside('server/ledger'),
    ...inside('server/wire'),
    ...inside('server/plugins'),
  ]
  expect(arrows(machine, target => /^modules\/[^/]+\//.test(target))).toEqual([])
  expect(
    arrows([...inside('web/engine'), ...inside('web/fields')], target => /^modules\/[^/]+\//.test(target)),
  ).toEqual([])
})

const kinds = new Set<string>([...documents, ...entities, ...reports].map(definition => definition.kind))
/** Words of the language or the trade that are also kinds. */
for (const word of [
  'user',
  'role',
  'product',
  'organisation',
  'receipt',
  'payment',
  'warehouse',
  // A kind of store as well: 停售库.
  'stopSale',
  'department',
  'employee',
  'specification',
  'unitTree',
  'settlement',
  'licence',
  'dispatch',
  'warning',
  // A kind of store as well: 智能柜.
  'cabinet',
])
  kinds.delete(word)
// What happens to a piece is called like the paper that says so.
for (const step of Object.keys(steps)) kinds.delete(step)

/** Names that stand in the machine today: each is a debt, and no other may join them. */
const debts = new Set<string>([])

test('the machine names no kind of paper', () => {
  const machine = [
    'server/engine',
    'server/ledger',
    'server/wire',
    'web/engine',
    'web/fields',
    'web/list',
    'web/editor',
    'web/grid',
  ].flatMap(inside)
  const found = machine.flatMap(source =>
    [...source.text.matchAll(/['"`]([a-zA-Z]+)['"`]/g)]
      .filter(match => kinds.has(match[1]!))
      .map(match => ({ where: at(source, match.index), debt: `${source.file} ${match[1]}` })),
  )
  expect(
    found.filter(({ debt }) => !debts.has(debt)).map(({ where, debt }) => `${where} ${debt.split(' ')[1]}`),
  ).toEqual([])
})

test('every reference names a definition that exists', () => {
  const known = new Set([...documents, ...entities].map(definition => definition.kind))
  const wrong = [
    ...documents.flatMap(d => Object.entries({ ...d.header, ...d.lines }).map(field => [d.kind, ...field] as const)),
    ...entities.flatMap(d => Object.entries({ ...d.fields, ...d.extras }).map(field => [d.kind, ...field] as const)),
  ]
    .filter(([, , field]) => field.as === 'ref' && !known.has(field.target ?? ''))
    .map(([kind, name, field]) => `${kind}.${name} → ${field.target}`)
  expect(wrong).toEqual([])
})

test('only the engine writes documents, their lines and their history', () => {
  const write = /\b(?:insert\s+into|update|delete\s+from)\s+document(?:_line|_history)?\b(?!_)/i
  const files = inside('modules').filter(({ file }) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(({ text }) => write.test(text)).map(({ file }) => file)).toEqual([])
})
