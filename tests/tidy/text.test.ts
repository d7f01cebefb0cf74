import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { at, ROOT, sources } from './sources.ts'

const code = sources(/\.(ts|tsx|mjs|mts)$/)
/** SQL the application runs; `deploy/` is for operators. */
const sql = sources(/\.sql$/).filter(({ file }) => !file.startsWith('tests/') && !file.startsWith('deploy/'))
const own = code.filter(({ file }) => !file.startsWith('tests/tidy/'))
const running = own.filter(({ file }) => /^(app|server|modules|demo)\//.test(file) && !/\.test\.tsx?$/.test(file))
const places = (from: typeof code, pattern: RegExp) =>
  from.flatMap(source => [...source.text.matchAll(pattern)].map(match => at(source, match.index)))

/** SQL that a distributed PostgreSQL does not support, or applies to the wrong rows. */
const forbidden: readonly [string, RegExp][] = [
  ['set_config does not reach the shards: act_as', /\bset_config\s*\(/gi],
  [
    'the name of a constraint is empty or numbered on a distributed database: judge by SQLSTATE',
    /\b(err|error|e|cause)\.(constraint|constraint_name|table_name|table)\b/g,
  ],
  ['the day comes from the kernel: the database runs in UTC', /\bcurrent_date\b/gi],
  [
    'a day of ours begins in our time zone, and the database runs in UTC',
    /\b(?:at|\w+_at) (?:>=|<=|<|>) \(?\$(?:\{[^}]*\}|\d+)::date(?![^\n]*time zone)/g,
  ],
  [
    'advisory locks queue, rows guard: session locks are for seeding and migrating alone',
    /\bpg_advisory_lock\b(?=[\s\S]{0,80}stock)/gi,
  ],
  ['nothing newer than PostgreSQL 15', /\b(uuidv7|uuidv4)\s*\(|\bmerge\s+into\b/gi],
]
test.each(forbidden)('%s', (_, pattern) => {
  expect(places([...running, ...sql], pattern)).toEqual([])
})

test('rows made of arrays are anchored on a stored row, or end with a conflict or a return', () => {
  const loose = own
    .filter(({ file }) => (file.startsWith('server/') || file.startsWith('modules/')) && !file.startsWith('demo/'))
    .flatMap(source =>
      [...source.text.matchAll(/insert into (\w+)[^`]*`/g)]
        .filter(([text]) => /\bselect\b/.test(text) && /\b(unnest|jsonb_to_recordset)\b/.test(text))
        .filter(
          ([text]) =>
            !/\b(from|join) document\b/.test(text) && !/\bon conflict\b/.test(text) && !/\breturning\b/.test(text),
        )
        .map(match => at(source, match.index)),
    )
  expect(loose).toEqual([])
})

test('no key is set to null, and none cascades on update', () => {
  expect(places(sql, /on delete set (null|default)|on update cascade/gi)).toEqual([])
  expect(places(sql, /security definer/gi)).toEqual([])
})

test('a browser test polls the page for a state instead of checking once', () => {
  const once =
    /expect\(await [^\n]*\.(count|isVisible|textContent|inputValue|getAttribute|isDisabled|isEnabled)\([^)]*\)\)/g
  expect(places(sources(/^tests\/(stories|day)\/.*\.ts$/), once)).toEqual([])
})

const NAMELESS = /(^|\/)(utils?|helpers?|common|misc|shared|types|index)(\.(ts|tsx|mjs)|\/)/
test('files and folders are named after their contents', () => {
  expect(code.map(({ file }) => file).filter(file => NAMELESS.test(file))).toEqual([])
})

test('no file contains the path where it was built', () => {
  expect(
    places(
      sources(/\.(ts|tsx|mjs|mts|md|json|sql|css|html)$/).filter(({ file }) => !file.startsWith('tests/tidy/')),
      /\/work\/(shared|main)/g,
    ),
  ).toEqual([])
})

const MOST_CHARACTERS = 120
/** Regular expressions that stand on a line of their own and cannot be split, by file. */
const unsplittable = new Set([
  'kernel/rules/parse-fields.ts',
  'server/http/envelope.ts',
  'tests/stories/accessibility.test.ts',
  'tests/tidy/sources.ts',
])
test(`no line of code, SQL or style is longer than ${MOST_CHARACTERS} characters`, () => {
  // The formatter keeps the title of a test and the head of its function on one line: the title is measured.
  const measured = (line: string) => line.replace(/^(\s*(?:it|test)\(.*), (async )?\(\) => \{$/, '$1')
  const regex = (file: string, line: string) => unsplittable.has(file) && /^\s*\/.*\/[a-z]*,?$/.test(line)
  const long = sources(/\.(ts|tsx|mjs|mts|sql|css)$/).flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, row) =>
        [...measured(line)].length > MOST_CHARACTERS && !regex(file, line) ? [`${file}:${row + 1}`] : [],
      ),
  )
  expect(long).toEqual([])
})

const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/**
 * Maximum statements per function, counted by the linter, since a line may be as long as the width allows. A
 * component may have more, because its markup is one statement.
 */
const MOST_STATEMENTS = 30
test(`no function has more than ${MOST_STATEMENTS} statements`, () => {
  const oxlint = path.join(ROOT, 'node_modules/oxlint/bin/oxlint')
  const args = [oxlint, '-c', 'tests/tidy/functions.oxlintrc.json', '--format', 'json']
  const { stdout } = spawnSync(process.execPath, [...args, 'kernel', 'modules', 'server', 'demo', 'web', 'scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const found = (JSON.parse(stdout) as { diagnostics: { filename: string; message: string }[] }).diagnostics
  const long = found.filter(({ filename }) => !isTest(filename))
  expect(long.map(item => `${item.filename}: ${item.message}`)).toEqual([])
})

/** Generated lists and data tables are not read from top to bottom, so they do not count. */
const MOST_FILES = 24
test(`no folder has more than about twenty code files (${MOST_FILES})`, () => {
  const counts = Map.groupBy(
    own.filter(({ file }) => !isTest(file) && !/^(tests|scripts|bench)\//.test(file)),
    ({ file }) => path.posix.dirname(file),
  )
  const full = [...counts].filter(([, files]) => files.length > MOST_FILES)
  expect(full.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([])
})
