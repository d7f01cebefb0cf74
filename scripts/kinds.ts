import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { documents, entities, reports, tools } from '#app/modules.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** Definitions are in these files; the sentence of a refusal may be in any file of the program. */
const DEFINITION = /^modules\/.*(?<!\.server|\.test|\.web)\.ts$/
const SUFFIX = { document: /\.doc\.ts$/, record: /\.entity\.ts$/, report: /\.report\.ts$/ }
const PROGRAM = /^(app|kernel|modules|server|web)\/.*\.(ts|tsx|sql)$/
const TEST = /\.test(-d)?\.tsx?$/

type File = { readonly file: string; readonly text: string }
type Kind = {
  readonly kind: string
  readonly title: string
  readonly is: 'document' | 'record' | 'report' | 'page'
  readonly routes: readonly string[]
  /** Tables it is kept in; the SQL file of a report. */
  readonly keptIn: string
  /** The facts that its lines are in figures. */
  readonly facts: readonly string[]
}

/** Every file that git tracks or would add. */
export function filesOfTheProject(): readonly File[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\n'))]
    .filter(file => /\.(ts|tsx|sql|md)$/.test(file))
    .flatMap(file => {
      try {
        return [{ file, text: readFileSync(path.join(ROOT, file), 'utf8') }]
      } catch {
        return [] // deleted, and not yet committed
      }
    })
}

const factsOf = ({ facts = {}, copyFacts = {} }: Pick<AnyDocument, 'facts' | 'copyFacts'>) =>
  Object.keys({ ...facts, ...copyFacts })
const routesOf = (screens: readonly { readonly route: string }[]) => [...new Set(screens.map(({ route }) => route))]

/** Every kind that is defined, in the order of the rooms in `app/modules.ts`. */
export const kinds = (): readonly Kind[] => [
  ...documents.map(({ kind, title, screens, ...document }) => ({
    kind,
    title,
    is: 'document' as const,
    routes: routesOf(screens),
    keptIn: 'document, document_line',
    facts: factsOf(document),
  })),
  ...entities.map(({ kind, title, screens, table }) => ({
    kind,
    title,
    is: 'record' as const,
    routes: routesOf(screens),
    keptIn: table,
    facts: [],
  })),
  ...reports.map(({ kind, title, screens, sqlFile }) => ({
    kind,
    title,
    is: 'report' as const,
    routes: routesOf(screens),
    keptIn: path.posix.join('modules', sqlFile),
    facts: [],
  })),
  ...tools.map(({ route, title }) => ({
    kind: route.replace(/^.*\//, ''),
    title,
    is: 'page' as const,
    routes: [route],
    keptIn: '',
    facts: [],
  })),
]

/** The file that says `kind: '…'`, or the route of a page without a kind. */
export function definedIn(files: readonly File[], { kind, is, routes }: Kind): string {
  const mine = files.filter(({ file }) => DEFINITION.test(file))
  const holding = (text: string, suffix: RegExp) =>
    mine.find(each => suffix.test(each.file) && each.text.includes(text))
  const [route = ''] = routes
  const home =
    is === 'page'
      ? (holding(`route: '${route}'`, /./) ?? holding(`'${route}'`, /./) ?? holding(`'${kind}'`, /\.wall\.ts$/))
      : (holding(`\n  kind: '${kind}'`, /./) ?? holding(`'${kind}'`, SUFFIX[is]))
  return home?.file ?? ''
}

/** The page `docs/kinds.md`. */
export function kindsPage(): string {
  const files = filesOfTheProject()
  const rows = kinds().map(each => {
    const { title, kind, is, routes, keptIn, facts } = each
    const cells = [title, `\`${kind}\``, is, `\`${definedIn(files, each)}\``, routes.join(' '), keptIn, facts.join(' ')]
    return `| ${cells.join(' | ')} |`
  })
  return `# Kinds

Everything that is defined: written by \`npm run kinds\`, compared by a test. \`npm run where\` with a title, a
kind, a route or a sentence prints where it is defined, checked, tested and documented.

| title | kind | is | defined in | routes | kept in | facts |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Places where a text stands as it is: `file:line`, the first of each file. */
const placesOf = (files: readonly File[], words: readonly string[]): readonly string[] =>
  files.flatMap(({ file, text }) => {
    const at = words.map(word => text.indexOf(word)).filter(index => index >= 0)
    return at.length > 0 ? [`${file}:${lineOf(text, Math.min(...at))}`] : []
  })

/** Sentences of the program with their places; what is filled in is any text. */
function sentencesLike(files: readonly File[], asked: string): readonly string[] {
  const literal =
    /'((?:[^'\\\n]|\\.)*[\u4e00-\u9fff](?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*[\u4e00-\u9fff](?:[^`\\]|\\.)*)`/g
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(literal)].flatMap(({ 1: plain, 2: filled, index }) => {
      const parts = (plain ?? filled ?? '').split(/\$\{[^}]*\}/)
      if (parts.join('').length < 4) return []
      const pattern = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.{0,60}')
      return new RegExp(pattern).test(asked) ? [`${file}:${lineOf(text, index)}  ${plain ?? filled}`] : []
    }),
  )
}

/**
 * Where something is defined, checked, tested and documented, as lines to print; empty where nothing is known.
 * `asked` is a title, a kind, a route, or a sentence that somebody read on a page.
 */
export function whereIs(asked: string): readonly string[] {
  const files = filesOfTheProject()
  const found = kinds().filter(
    ({ kind, title, routes }) =>
      [kind, title].includes(asked) || routes.some(route => route === asked || route.endsWith(`/${asked}`)),
  )
  if (found.length === 0) {
    const program = files.filter(({ file }) => PROGRAM.test(file) && !TEST.test(file))
    const said = sentencesLike(program, asked)
    const tested = placesOf(
      files.filter(({ file }) => TEST.test(file)),
      [asked],
    )
    return [...section('said in', said), ...section('tested in', tested)]
  }
  return found.flatMap(each => {
    const home = definedIn(files, each)
    const folder = path.posix.dirname(home)
    const words = [`'${each.kind}'`, ...each.routes.map(route => `'${route}`)]
    const others = files.filter(({ file }) => file !== home)
    const inFolder = others.filter(({ file }) => path.posix.dirname(file) === folder)
    const base = path.posix.basename(home).split('.')[0]!
    const rules = inFolder.filter(({ file }) => new RegExp(`/${base}\\.(server|web)\\.tsx?$`).test(file))
    return [
      `${each.title}  ${each.kind}  (${each.is})`,
      ...section('defined in', [home]),
      ...section('kept in', [each.keptIn].filter(Boolean)),
      ...section('pages', each.routes),
      ...section('facts', each.facts),
      ...section('rules', [...new Set(rules.map(({ file }) => file))]),
      ...section(
        'used in',
        placesOf(
          others.filter(({ file }) => PROGRAM.test(file) && !TEST.test(file)),
          words,
        ),
      ),
      ...section(
        'tested in',
        placesOf(
          others.filter(({ file }) => TEST.test(file)),
          words,
        ),
      ),
      ...section(
        'documented in',
        placesOf(
          others.filter(({ file }) => file.endsWith('.md') && file !== 'docs/kinds.md'),
          [`\`${each.kind}\``, `【${each.title}】`, ...each.routes],
        ),
      ),
    ]
  })
}

const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length > 0 ? [`  ${heading}`, ...lines.map(line => `    ${line}`)] : []
