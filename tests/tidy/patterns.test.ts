import { check } from 'recheck'
import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { parseInteger } from '#kernel/values/integer.ts'
import { at, sources } from './sources.ts'

/**
 * Patterns run on texts of people and of other programs: none takes more than linear time, whatever the text is. A
 * finding is corrected by a pattern without the ambiguity or by plain code (`kernel/values/trimmed.ts`), also where its
 * texts are short today, and so is a pattern that the checker cannot judge.
 */
const code = sources(/^(app|kernel|server|modules|web)\/.*\.tsx?$/).filter(({ file }) => !/\.test\.tsx?$/.test(file))

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>
type Found = { readonly source: string; readonly flags: string; readonly index: number }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function walk(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, see)
  if (!isNode(value)) return
  see(value)
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) walk(part, see)
}

type Texts = ReadonlyMap<string, unknown>
/** A text as it is written; of a part that is known only when it runs, an x. */
function textOf(node: unknown, texts: Texts): string {
  if (!isNode(node)) return 'x'
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'Identifier')
    return texts.has(node.name as string) ? textOf(texts.get(node.name as string), texts) : 'x'
  if (node.type === 'TaggedTemplateExpression') return templateOf(node.quasi as Node, texts, 'raw')
  if (node.type === 'TemplateLiteral') return templateOf(node, texts, 'cooked')
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return textOf(node.left, texts) + textOf(node.right, texts)
  const joined = node.type === 'CallExpression' && (node.callee as Node).object
  if (isNode(joined) && joined.type === 'ArrayExpression')
    return (joined.elements as readonly unknown[]).map(each => textOf(each, texts)).join('|')
  return 'x'
}
function templateOf(node: Node, texts: Texts, as: 'raw' | 'cooked'): string {
  const parts = node.quasis as readonly { readonly value: Readonly<Record<'raw' | 'cooked', string>> }[]
  const inside = node.expressions as readonly unknown[]
  return parts
    .map((part, place) => part.value[as] + (place < inside.length ? textOf(inside[place], texts) : ''))
    .join('')
}

/** Every pattern of a file: written as one, or built from texts. */
function patternsOf(text: string, isTsx: boolean): readonly Found[] {
  if (!text.includes('/')) return []
  const tree = parseAst(text, { lang: isTsx ? 'tsx' : 'ts' })
  const texts = new Map<string, unknown>()
  walk(tree, node => {
    if (node.type === 'VariableDeclarator' && isNode(node.init)) texts.set(String((node.id as Node).name), node.init)
  })
  const found: Found[] = []
  walk(tree, node => {
    const regex = node.regex as { readonly pattern: string; readonly flags: string } | undefined
    if (node.type === 'Literal' && regex) found.push({ source: regex.pattern, flags: regex.flags, index: node.start })
    if (node.type !== 'NewExpression' || (node.callee as Node).name !== 'RegExp') return
    const [source, flags] = node.arguments as readonly unknown[]
    const known = isNode(flags) && flags.type === 'Literal' ? String(flags.value) : ''
    found.push({ source: textOf(source, texts), flags: known, index: node.start })
  })
  return found
}

/** Without `*`, `+` or `{n,}` a pattern looks at no more characters from each place than it counts. */
const UNBOUNDED = /[*+]|\{\d{1,6},\}/
/** Counts and the length of words say nothing of how time grows, and the checker would write each of them out. */
const small = (source: string): string =>
  source
    .replace(/(?<![\\\w{=])[A-Za-z]{3,}/g, word => word.slice(0, 2))
    .replace(/\{(\d{1,6})(,?)(\d{0,6})\}/g, (_whole, least: string, comma: string, most: string) => {
      const to = (digits: string) => (digits === '' ? '' : String(Math.min(2, parseInteger(digits))))
      return comma === '' ? `{${to(least)}}` : `{${Math.min(1, parseInteger(least))},${to(most)}}`
    })

/** How a pattern is slow on some text, as far as the checker can say; null if it is not. */
async function slowness({ source, flags }: Omit<Found, 'index'>): Promise<string | null> {
  if (!UNBOUNDED.test(source)) return null
  // Letters of both cases and all of Unicode make the checker's work larger and its answer no other.
  const kept = [...flags].filter(flag => 'sm'.includes(flag)).join('') + (flags.includes('u') ? 'u' : '')
  const judged = await check(small(source), kept, { timeout: 60_000, checker: 'automaton' })
  if (judged.status === 'safe') return null
  return judged.status === 'vulnerable' ? judged.complexity.summary : judged.status
}

test('no pattern takes more than linear time on any text', { timeout: 180_000 }, async () => {
  const found = code.flatMap(source =>
    patternsOf(source.text, source.file.endsWith('x')).map(pattern => ({
      ...pattern,
      place: at(source, pattern.index),
    })),
  )
  const each = [...Map.groupBy(found, ({ source, flags }) => `/${source}/${flags}`)]
  expect(each.length).toBeGreaterThan(400)
  const judged = await Promise.all(
    each.map(async ([text, places]) => {
      const slow = await slowness(places[0]!)
      return slow === null ? [] : [`${places.map(({ place }) => place).join(' ')} ${text}: ${slow}`]
    }),
  )
  expect(judged.flat()).toEqual([])
})

test('patterns that are slow on some text are found, written or built', async () => {
  const built =
    'const A = String.raw`\\d+`\nconst b = new RegExp(`${A}\\\\s*${A}x${later}`)\nconst c = /<a[^>]*>([^<]*)</'
  for (const found of patternsOf(built, false)) expect(await slowness(found)).toContain('polynomial')
  expect(patternsOf(built, false).map(({ source }) => source)).toEqual(['\\d+\\s*\\d+xx', '<a[^>]*>([^<]*)<'])
  expect(await slowness({ source: '^\\d{4}-\\d+$', flags: '' })).toBeNull()
})
