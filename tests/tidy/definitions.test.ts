import { expect, test } from 'vitest'
import { sources } from './sources.ts'

/** The types of definitions: every key that one may say is declared here. */
const TYPES = /^kernel\/(definition|measure|print|wall)\/(?!document-state|label-data).*\.ts$/
const DEFINITIONS = /\.(doc|entity|report|wall|board)\.ts$/

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
const code = sources(/^(app|kernel|server|modules|web|demo)\/.*\.tsx?$/)
  .filter(({ file }) => !/\.test(-d)?\.tsx?$/.test(file))
  .map(({ file, text }) => ({ file, text: withoutComments(text) }))
const program = code
  .filter(({ file }) => !DEFINITIONS.test(file))
  .map(({ text }) => text)
  .join('\n')

/** Names in braces that take something apart: `{ name } of`, `{ name: other } =`, `({ name }: X) =>`. */
function takenApart(text: string): readonly string[] {
  const open: number[] = []
  return [...text.matchAll(/[{}]/g)].flatMap(({ 0: brace, index }) => {
    if (brace === '{') {
      open.push(index)
      return []
    }
    const inner = text.slice(open.pop(), index)
    const isTakenApart = /^\}[\s\]]*(=[^=>]|of\b|:|,?\s*\)(:| =>))/.test(text.slice(index, index + 20))
    return isTakenApart ? [...inner.matchAll(/[{,]\s*(\w+)\b/g)].map(([, name = '']) => name) : []
  })
}
/** What SQL reads of JSON stands in double quotes there. */
const inSql = [...program.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)
const read = new Set([
  ...[...program.matchAll(/\.(\w+)\b/g)].map(([, name = '']) => name),
  ...takenApart(program),
  ...inSql,
])

test('every key that a definition may say is read by the program', () => {
  const types = code.filter(({ file }) => TYPES.test(file))
  const keys = types.flatMap(({ file, text }) =>
    [...text.matchAll(/^ +readonly ([a-z]\w*)\??:/gm)].map(([, key = '']) => ({ file, key })),
  )
  expect(keys.length).toBeGreaterThan(300)
  expect(keys.filter(({ key }) => !read.has(key)).map(({ file, key }) => `${file}: ${key}`)).toEqual([])
})

test('a key that is only written is found', () => {
  const reads = ['const { a, b: { c } } = x', 'for (const { a } of all)', '({ a }: X) => a', '({ a }) => a']
  expect(reads.map(text => takenApart(text).includes('a'))).toEqual([true, true, true, true])
  expect(takenApart('const x = { a: 1 }')).toEqual([])
})
