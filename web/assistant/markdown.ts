/**
 * The markdown of answers and help pages, as a tree. It never contains HTML: unknown marks stay text, so an answer
 * can only contain words, tables and links.
 */
export type Inline =
  | { readonly is: 'text' | 'code'; readonly text: string }
  | { readonly is: 'strong' | 'em'; readonly parts: readonly Inline[] }
  | { readonly is: 'link'; readonly to: string; readonly parts: readonly Inline[] }
export type Block =
  | { readonly is: 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly is: 'heading'; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly is: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly is: 'code'; readonly text: string }
  | {
      readonly is: 'table'
      readonly heads: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly is: 'rule' }

/** Marks reach so far at most, so that those which never end cost no more. */
const INLINE = /(`[^`\n]{1,2000}`)|(\*\*[^*\n]{1,2000}\*\*)|(\*[^*\n]{1,2000}\*)|(\[[^\]\n]{0,500}\]\([^()\s]{0,500}\))/
/** An address of this web app. Any other is shown as text: a model may have been talked into it. */
const INTERNAL = /^\/(?![/\\])/

/** Inline text with its marks. */
export function inlineOf(text: string): readonly Inline[] {
  const found = INLINE.exec(text)
  if (!found) return text === '' ? [] : [{ is: 'text', text }]
  const [mark] = found
  const before: readonly Inline[] = found.index === 0 ? [] : [{ is: 'text', text: text.slice(0, found.index) }]
  return [...before, marked(mark), ...inlineOf(text.slice(found.index + mark.length))]
}

function marked(mark: string): Inline {
  if (mark.startsWith('`')) return { is: 'code', text: mark.slice(1, -1) }
  if (mark.startsWith('**')) return { is: 'strong', parts: inlineOf(mark.slice(2, -2)) }
  if (mark.startsWith('*')) return { is: 'em', parts: inlineOf(mark.slice(1, -1)) }
  const at = mark.indexOf('](')
  const [words, to] = [mark.slice(1, at), mark.slice(at + 2, -1)]
  return INTERNAL.test(to) ? { is: 'link', to, parts: inlineOf(words) } : { is: 'text', text: `${words}（${to}）` }
}

const HEADING = /^(#{1,6})\s(.*)$/
const BULLET = /^\s*[-*+]\s(.*)$/
const NUMBER = /^\s*\d+[.)、]\s(.*)$/
const RULE = /^:?-{2,}:?$/
/** The line between the heads and the rows of a table: `|---|:--|`. */
function isDivider(line: string): boolean {
  const cells = line.trim().split('|')
  const inside = cells.filter((cell, at) => cell.trim() !== '' || (at > 0 && at < cells.length - 1))
  return cells.length > 1 && inside.length > 0 && inside.every(cell => RULE.test(cell.trim()))
}
const FENCE = /^\s*```/

const cellsOf = (line: string): readonly (readonly Inline[])[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(cell => inlineOf(cell.trim()))

/** Consecutive lines from `at` on for which `holds` is true. */
function run(lines: readonly string[], at: number, holds: (line: string) => boolean): readonly string[] {
  const after = lines.slice(at)
  const end = after.findIndex(line => !holds(line))
  return end === -1 ? after : after.slice(0, end)
}

const begins = (line: string, next: string | undefined): boolean =>
  line.trim() === '' ||
  HEADING.test(line) ||
  BULLET.test(line) ||
  NUMBER.test(line) ||
  FENCE.test(line) ||
  (line.includes('|') && next !== undefined && isDivider(next))

/** The block that starts at a line, and its number of lines. */
function blockAt(lines: readonly string[], at: number): readonly [Block, number] {
  const line = lines[at] ?? ''
  const heading = HEADING.exec(line)
  if (heading) return [{ is: 'heading', level: heading[1]?.length ?? 1, parts: inlineOf((heading[2] ?? '').trim()) }, 1]
  if (/^\s*(-{3,}|\*{3,})\s*$/.test(line)) return [{ is: 'rule' }, 1]
  if (FENCE.test(line)) {
    const inside = run(lines, at + 1, each => !FENCE.test(each))
    return [{ is: 'code', text: inside.join('\n') }, inside.length + 2]
  }
  if (line.includes('|') && isDivider(lines[at + 1] ?? '')) {
    const rows = run(lines, at + 2, each => each.includes('|'))
    return [{ is: 'table', heads: cellsOf(line), rows: rows.map(cellsOf) }, rows.length + 2]
  }
  for (const [pattern, ordered] of [
    [BULLET, false],
    [NUMBER, true],
  ] as const) {
    if (!pattern.test(line)) continue
    const items = run(lines, at, each => pattern.test(each))
    return [
      { is: 'list', ordered, items: items.map(each => inlineOf((pattern.exec(each)?.[1] ?? '').trim())) },
      items.length,
    ]
  }
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((each, index) => begins(each, rest[index + 1]))
  const taken = [line, ...(end === -1 ? rest : rest.slice(0, end))]
  return [{ is: 'paragraph', parts: inlineOf(taken.join('\n')) }, taken.length]
}

/** The blocks of a text, also of one still being streamed. */
export function blocksOf(text: string): readonly Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    if (lines[at]?.trim() === '') {
      at++
      continue
    }
    const [block, taken] = blockAt(lines, at)
    blocks.push(block)
    at += taken
  }
  return blocks
}
