import { expect, test } from 'vitest'
import { steps } from '#kernel/ledger/posting.ts'
import { documents, entities, reports } from '#app/modules.ts'
import { at, importsOf, type Source, sources } from './sources.ts'

/**
 * One direction: kernel ← engine ← modules ← app, and kernel ← page ← modules ← app in the browser. Said of resolved
 * imports: whatever a file names, by `#x/`, by a relative path, in `import()` or in `export … from`, is the file
 * that stands there.
 */
const code = sources(/\.(ts|tsx)$/).filter(
  ({ file }) => !/\.test\.tsx?$/.test(file) && !file.startsWith('tests/') && !file.startsWith('bench/'),
)
const inside = (...folders: readonly string[]) =>
  code.filter(({ file }) => folders.some(folder => file.startsWith(`${folder}/`)))
const arrows = (from: readonly Source[], wrong: (target: string, source: Source) => boolean) =>
  from.flatMap(source =>
    importsOf(source)
      .filter(target => wrong(target, source))
      .map(target => `${source.file} → ${target}`),
  )

/** The files that put the program together know both the engine or the page and the modules; the demo does too. */
const isComposition = (file: string) => /^(app|demo)\//.test(file)
const engine = inside('server').filter(({ file }) => !file.startsWith('server/public/'))
const facade = inside('server/public')
const page = inside('web')
const modules = inside('modules')
const isServerSide = (file: string) => file.endsWith('.server.ts')
const isPageSide = (file: string) => /(\.web\.tsx?|\.tsx)$/.test(file)

test('every layer has files, and every import of the project leads to a file', () => {
  for (const layer of [inside('kernel'), engine, facade, page, modules]) expect(layer.length).toBeGreaterThan(15)
  const known = new Set(sources(/./).map(({ file }) => file))
  const isOurs = (target: string) => /^(app|kernel|modules|server|web)\//.test(target)
  expect(arrows(code, target => isOurs(target) && !known.has(target.replace(/\?.*$/, '')))).toEqual([])
})

test('the kernel imports nothing of the business, server, page, Node or any package', () => {
  // Generators of definitions are for tests, and use the tests' own package.
  const outside = (target: string, { file }: Source) =>
    !target.startsWith('kernel/') && !(file === 'kernel/checks/arbitrary-values.ts' && target === 'fast-check')
  expect(arrows(inside('kernel'), outside)).toEqual([])
})

test('the engine knows the kernel and itself: no module, no page, not its own facade, not who puts it together', () => {
  const outside = (target: string) =>
    /^(modules|web|server\/public|tests|bench)\//.test(target) || isComposition(target)
  expect(arrows(engine, outside)).toEqual([])
})

test('the page knows the kernel and itself: no module, no server, not who puts it together', () => {
  // The door asks for what puts the page together when somebody comes in.
  const outside = (target: string, { file }: Source) =>
    /^(modules|server|tests|bench)\//.test(target) ||
    target.startsWith('node:') ||
    (isComposition(target) && file !== 'web/routes.tsx')
  expect(arrows(page, outside)).toEqual([])
})

test('the facade says again what the engine says, and nothing of its own', () => {
  expect(arrows(facade, target => !target.startsWith('server/') || isComposition(target))).toEqual([])
  const own = /^(?!export (type )?\{|\} from |import |\/\*\*| \*|  (type )?\w+,?$|$)/m
  expect(facade.filter(({ text }) => own.test(text)).map(({ file }) => file)).toEqual([])
})

test('modules know the engine by its facade alone, from their .server files; the page from what they draw', () => {
  const shared = modules.filter(({ file }) => !isServerSide(file) && !isPageSide(file))
  expect(arrows(shared, target => /^(server|web)\//.test(target) || target.startsWith('node:'))).toEqual([])
  const servers = modules.filter(({ file }) => isServerSide(file))
  expect(arrows(servers, target => target.startsWith('web/'))).toEqual([])
  expect(arrows(servers, target => target.startsWith('server/') && !target.startsWith('server/public/'))).toEqual([])
  const pages = modules.filter(({ file }) => isPageSide(file))
  expect(arrows(pages, target => target.startsWith('server/'))).toEqual([])
  expect(arrows(modules, target => isComposition(target))).toEqual([])
})

test('the wire reads calls and writes replies; what a call needs of the database it asks the engine', () => {
  const wire = inside('server/api')
  expect(wire.length).toBeGreaterThan(20)
  const statement = /\b(sql|tx|owner|inner)(<[^`;]*>)?`/
  expect(wire.filter(({ text }) => statement.test(text)).map(({ file }) => file)).toEqual([])
})

/** Rooms that hold what many need. Every room may import all of their files; they know no other room but each other. */
const base = new Set([
  'vocabulary',
  'settings',
  'items',
  'licensing',
  'pricing',
  'checks',
  'shipping',
  'accounting',
  'measures',
  'signatures',
])
/**
 * What a room of the business shows the others: its public files. Everything else in it is its own; what is wanted
 * from elsewhere either joins this list, which is a decision, or a base room.
 */
const exposed = new Set([
  'modules/goods/packs/kits/full-sets.server.ts',
  'modules/goods/packs/use-on-receipt.server.ts',
  'modules/hospital/charges/checking/charge-in-advance.server.ts',
  'modules/hospital/charges/checking/charge-use.server.ts',
  'modules/hospital/charges/checking/release-settlements.server.ts',
  'modules/trade/compliance/changed-partners.server.ts',
  'modules/hospital/his/receipts/push-action.ts',
  'modules/hospital/his/receipts/push-document.server.ts',
  'modules/hospital/his/staff/sync-call.ts',
  'modules/hospital/his/staff/synchronise.server.ts',
  'modules/trade/partners/organisations/merge-into.server.ts',
  'modules/finance/payments/advances/turn-to-advance.server.ts',
  'modules/finance/settlement/owners-prices.server.ts',
  'modules/finance/settlement/settled-grants.server.ts',
  'modules/finance/settlement/settlement-lines.server.ts',
  'modules/goods/stock/balances/lot-suppliers.server.ts',
  'modules/hospital/surgery/loans/loans-of-use.server.ts',
  'modules/goods/packs/kits/published-templates.server.ts',
  'modules/goods/trace/chain-view.ts',
  'modules/goods/trace/trace-info.ts',
  'modules/goods/trace/trace-link.tsx',
  'modules/trade/transport/cold-chain/journey.server.ts',
  'modules/trade/purchasing/planning/plan-draft.server.ts',
  'modules/trade/sales/refill-order.server.ts',
  'modules/hospital/ward/requisition/par-levels.server.ts',
])
const roomOf = (file: string) => /^modules\/[^/]+\/([^/]+)\//.exec(file)?.[1]
/** The module object of a room: only the files that put the program together import it. */
const isModuleObject = (file: string) => /^modules\/.*\/module(\.server|\.web)?\.ts$/.test(file)

test('the program is put together from the module object of every room', () => {
  const objects = modules.map(({ file }) => file).filter(isModuleObject)
  expect(objects.length).toBeGreaterThan(60)
  const taken = new Set(inside('app').flatMap(importsOf))
  expect(objects.filter(file => !taken.has(file))).toEqual([])
})

test('rooms of the business see of each other what is public', () => {
  const rooms = new Set(modules.flatMap(({ file }) => roomOf(file) ?? []))
  expect(rooms.size).toBeGreaterThan(20)
  expect(arrows(modules, isModuleObject)).toEqual([])
  const unknown = (target: string, { file }: Source) => {
    const [from, to] = [roomOf(file), roomOf(target)]
    if (to === undefined || from === to || base.has(to)) return false
    // Walls show the reports of every room, and know nothing else of them.
    if (from === 'walls' && target.endsWith('.report.ts')) return false
    return from !== undefined && base.has(from) ? true : !exposed.has(target)
  }
  expect(arrows(modules, unknown)).toEqual([])
  const asked = new Set(
    modules.flatMap(source => importsOf(source).filter(target => roomOf(target) !== roomOf(source.file))),
  )
  expect([...exposed].filter(file => !asked.has(file))).toEqual([])
})

const kinds = new Set<string>([...documents, ...entities, ...reports].map(definition => definition.kind))
/** Common or trade words that are also names of kinds. */
for (const word of [
  'user',
  'role',
  'product',
  'organisation',
  'receipt',
  'payment',
  'warehouse',
  // Also a kind of warehouse: 停售库.
  'stopSale',
  'department',
  'employee',
  'specification',
  'unitTree',
  'settlement',
  'licence',
  'dispatch',
  'warning',
  // Also a kind of warehouse: 智能柜.
  'cabinet',
])
  kinds.delete(word)
// Trace steps have the same names as their documents.
for (const step of Object.keys(steps)) kinds.delete(step)

/** Names of kinds currently in the generic code: each is technical debt, and no other may be added. */
const debts = new Set<string>([])

test('generic code names no kind of document', () => {
  const machine = [...engine, ...page.filter(({ file }) => /^web\/(engine|fields|list|editor|grid)\//.test(file))]
  const found = machine.flatMap(source =>
    [...source.text.matchAll(/['"`]([a-zA-Z]+)['"`]/g)]
      .filter(match => kinds.has(match[1]!))
      .map(match => ({ where: at(source, match.index), debt: `${source.file} ${match[1]}` })),
  )
  expect(
    found.filter(({ debt }) => !debts.has(debt)).map(({ where, debt }) => `${where} ${debt.split(' ')[1]}`),
  ).toEqual([])
})

test('every reference names an existing definition', () => {
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
