import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkDefinitions } from '#kernel/checks/check-definitions.ts'
import { definitions } from '#app/modules.ts'
import { transportOrder } from './example.doc.ts'
import { kindsPage, whereIs } from '../../scripts/kinds.ts'
import { ROOT, sources } from './sources.ts'

const files = sources(/./).map(({ file }) => file)
const pages = sources(/^([A-Z]+\.md|(app|bench|docs|deploy|help|kernel|server|modules|web|demo|tests)\/.*\.md)$/)

/** What is served as it stands holds nothing else. */
const isServed = (folder: string) => folder === 'web/public'
/** The folders of the README's map. */
const mapped = [...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/^\| `(\w+)\/` \|/gm)].map(
  ([, folder = '']) => folder,
)
/** The rooms: the folders of the map, and those at this depth below these. */
const rooms = new Set([
  ...mapped,
  ...files.flatMap(file => {
    const [top = '', room, inner, ...below] = file.split('/')
    if (!/^(kernel|server|modules|web|demo)$/.test(top) || room === undefined || inner === undefined) return []
    const outer = `${top}/${room}`
    const isDeep = outer === 'server/documents' || top === 'modules'
    return isDeep && below.length > 0 ? [outer, `${outer}/${inner}`] : [outer]
  }),
])

test('each room says at its door what lives in it, what does not, and where to begin', () => {
  expect(mapped.length).toBeGreaterThan(8)
  expect(rooms.size).toBeGreaterThan(100)
  const silent = [...rooms]
    .filter(room => !isServed(room))
    .filter(room => {
      const door = path.join(ROOT, room, 'README.md')
      const text = existsSync(door) ? readFileSync(door, 'utf8') : ''
      return !text.startsWith(`# ${room}\n`) || !text.includes('**Not here:** ') || !text.includes('**Begin with** ')
    })
  expect(silent).toEqual([])
})

/** `modules/<group>/<room>/<kind>.doc.ts` and `server/migrations/NNNN-name.sql` stand for any such file. */
const patternOf = (name: string) =>
  new RegExp(
    `^${name
      .replace(/[.+()$]/g, '\\$&')
      .replaceAll('NNNN', '\\d{4}')
      .replace(/<[^>]*>|\*|\bname\b/g, '[^/]+')}(/|$)`,
  )
const isPath = (text: string) => /^[\w.<>*@-]+(\/[\w.<>*@-]+)*\/?$/.test(text)
/** A path names its top folder; beside the files of a room, their names alone do. */
const isFromRoot = (text: string) =>
  /^(app|bench|demo|deploy|docs|help|kernel|modules|scripts|server|tests|web)\//.test(text)
const isBeside = (text: string) =>
  /^(\.\.\/)+[\w/.-]+$|^[\w-]+(\/[\w-]+)*\.(server\.|doc\.|entity\.)?(ts|tsx|sql|tsv)$/.test(text)

test('every path that a page names leads to a file', () => {
  expect(pages.length).toBeGreaterThan(100)
  const lost = pages.flatMap(({ file, text }) => {
    const isDoor = path.basename(file) === 'README.md' && file !== 'README.md'
    return [...text.matchAll(/`([^`\n]+)`|\]\(([^)\s#:]+)[^)]*\)/g)].flatMap(([, code, link]) => {
      const named = (link ?? code ?? '').replace(/:\d+$/, '').replace(/\/$/, '')
      const beside = path.posix.join(path.posix.dirname(file), named)
      if (link !== undefined) return files.some(each => `${each}/`.startsWith(`${beside}/`)) ? [] : [`${file}: ${link}`]
      if (!isPath(named)) return []
      const wanted = isFromRoot(named) ? named : isDoor && isBeside(named) ? beside : null
      return wanted === null || files.some(each => patternOf(wanted).test(each)) ? [] : [`${file}: ${code}`]
    })
  })
  expect(lost).toEqual([])
})

test('every requirement that is said to hold names a test that is there, by its title where it says one', () => {
  const asvs = readFileSync(path.join(ROOT, 'docs/asvs.md'), 'utf8')
  const isTest = (file: string) => /\.test\.tsx?$/.test(file)
  const tests = files.filter(isTest)
  const groups: Readonly<Record<string, readonly string[]>> = {
    identity: tests.filter(file => file.startsWith('server/api/identity/')),
  }
  /** The files of a test that a row names: by its path, or by its name alone. */
  const named = (text: string) =>
    groups[text] ?? tests.filter(file => file === text || path.basename(file) === `${text}.test.ts`)
  const texts = sources(/^(app|tests|server|modules|web)\/.*\.tsx?$/)
    .map(({ text }) => text)
    .join('\n')
  const rows = [...asvs.matchAll(/^\| (.+) \| holds \| (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(50)
  const empty = rows.flatMap(([, asked = '', proof = '']) => {
    const found = [...proof.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => named(text))
    const untitled = [...proof.matchAll(/"([^"]+)"/g)].filter(([, title = '']) => !texts.includes(title))
    return found.length > 0 && untitled.length === 0 ? [] : [asked]
  })
  expect(empty).toEqual([])
})

test('the changelog begins with the version that the package has', () => {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const [, newest] = /^## (\S+)（\d{4}-\d\d-\d\d）$/m.exec(readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? []
  expect(newest).toBe(version)
})

test('LICENSE names the licence of every package that is installed to run the program', () => {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { license?: string; dev?: true; devOptional?: true }>
  }
  const used = Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional)
    .map(([, { license = 'none' }]) => license)
  const text = readFileSync(path.join(ROOT, 'LICENSE'), 'utf8')
  const names = used.flatMap(license => license.split(/ (?:AND|OR) |[()]/)).filter(name => name !== '')
  expect(new Set(names).size).toBeGreaterThan(5)
  expect([...new Set(names)].filter(name => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

test('docs/kinds.md is what npm run kinds writes, and every kind has its file', () => {
  const page = kindsPage()
  expect(readFileSync(path.join(ROOT, 'docs/kinds.md'), 'utf8')).toBe(page)
  expect(page.split('\n').filter(line => line.includes('| `` |'))).toEqual([])
})

test('npm run where finds a title, a kind, a route and a sentence with its figures', () => {
  for (const asked of ['验收单', 'inspectionOrder', '/commonView/inspectionOrder'])
    expect(whereIs(asked).join('\n')).toContain('modules/trade/purchasing/receiving/inspection-order.doc.ts')
  expect(whereIs('审核已超过7天，不能反审核，请红冲').join('\n')).toContain('server/documents/action/effects.ts')
  expect(whereIs(['没有人', '这样写过'].join(''))).toEqual([])
})

test('every decision has a number of its own', () => {
  const numbers = files.flatMap(file => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? [])
  expect(numbers.length).toBeGreaterThan(5)
  expect(numbers).toEqual([...new Set(numbers)])
})

const guide = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8')
const definition = readFileSync(path.join(ROOT, 'kernel/definition/document.ts'), 'utf8')

/** The keys of a type of `document.ts` that are not optional. */
function requiredOf(type: string): readonly string[] {
  const [, body = ''] = new RegExp(`\\ntype ${type}<[^\\n]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(definition) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+):/gm)].map(match => match[1]!)
}

test('CONTRIBUTING can be read in one sitting', () => {
  expect(guide.split('\n').length).toBeLessThanOrEqual(201)
})

test('CONTRIBUTING names every key that a document must have', () => {
  const required = [...requiredOf('Identity'), ...requiredOf('Declared'), 'stockDirection', 'screens']
  expect(required).toEqual(expect.arrayContaining(['kind', 'numberPrefix', 'header', 'lines', 'actions', 'posting']))
  expect(required.filter(key => !guide.includes(`\`${key}\``))).toEqual([])
})

test('the document that CONTRIBUTING shows compiles, and the boot has nothing against it', () => {
  expect(guide).toContain(readFileSync(path.join(ROOT, 'tests/tidy/example.doc.ts'), 'utf8').trim())
  expect(checkDefinitions({ ...definitions, documents: [...definitions.documents, transportOrder] })).toEqual([])
})
