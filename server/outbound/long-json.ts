import { parseExact } from '#server/outbound/exact-json.ts'

/** Letters that are read at once: a few milliseconds of the thread that answers everybody. */
const PIECE = 200_000
/** Levels of lists and objects above a piece. */
const DEEPEST = 8
/** Most values of a reply: each takes memory, however short it is written. */
const MOST_VALUES = 3_000_000
const TURN_MS = 5

const LETTER = {
  quote: 34,
  comma: 44,
  colon: 58,
  opens: 91,
  escape: 92,
  closes: 93,
  opensObject: 123,
  closesObject: 125,
}
const ends: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/**
 * JSON whose figures stay exact, like `parseExact`, for texts of any length: it is read piece by piece, and other calls
 * have their turn between two of them. Refuses what is no JSON, nests deeper than lists of other systems do, or has
 * more values than memory should hold.
 */
export async function parseLongExact(text: string): Promise<unknown> {
  let until = performance.now() + TURN_MS
  const turn = async () => {
    if (performance.now() < until) return
    await new Promise(resolve => setImmediate(resolve))
    until = performance.now() + TURN_MS
  }
  if (text.length > PIECE) await countValues(text, turn)
  return read({ text, turn }, 0, text.length, 0)
}

type Reading = { readonly text: string; readonly turn: () => Promise<void> }
type Part = { readonly from: number; readonly colon: number; readonly to: number }

const NOT_READABLE = new SyntaxError('no JSON that other systems send')

async function countValues(text: string, turn: () => Promise<void>): Promise<void> {
  let values = 0
  for (let at = 0; at < text.length; at += PIECE) {
    await turn()
    const end = Math.min(at + PIECE, text.length)
    for (let letter = at; letter < end; letter++) {
      const code = text.charCodeAt(letter)
      if (code === LETTER.comma || code === LETTER.opens || code === LETTER.opensObject) values++
    }
    if (values > MOST_VALUES) throw NOT_READABLE
  }
}

async function read(reading: Reading, from: number, to: number, depth: number): Promise<unknown> {
  const { text, turn } = reading
  await turn()
  if (to - from <= PIECE) return parseExact(text.slice(from, to))
  const [begin, end] = withoutBlanks(text, from, to)
  const opens = text.charAt(begin)
  if (depth === DEEPEST || ends[opens] === undefined || text.charAt(end - 1) !== ends[opens]) throw NOT_READABLE
  const values: unknown[] = []
  const named: [string, unknown][] = []
  for (const part of partsOf(text, begin, end)) {
    if (part === null) {
      await turn()
      continue
    }
    if (opens === '[') values.push(await read(reading, part.from, part.to, depth + 1))
    else named.push([nameOf(text, part), await read(reading, part.colon + 1, part.to, depth + 1)])
  }
  return opens === '[' ? values : Object.fromEntries(named)
}

function nameOf(text: string, { from, colon }: Part): string {
  if (colon < 0 || colon - from > PIECE) throw NOT_READABLE
  const name: unknown = JSON.parse(text.slice(from, colon))
  if (typeof name !== 'string') throw NOT_READABLE
  return name
}

/** The beginning and end of a value; more blanks than a writer sets are refused. */
function withoutBlanks(text: string, from: number, to: number): readonly [number, number] {
  let [begin, end] = [from, to]
  while (begin < end && begin - from < PIECE && text.charCodeAt(begin) <= 32) begin++
  while (end > begin && to - end < PIECE && text.charCodeAt(end - 1) <= 32) end--
  return [begin, end]
}

/** The values in a list or the pairs of an object; null where others may have their turn. */
function* partsOf(text: string, begin: number, end: number): Generator<Part | null> {
  let [depth, from, colon, isText, next] = [0, begin + 1, -1, false, begin + PIECE]
  for (let at = begin + 1; at < end; at++) {
    if (at >= next) {
      next = at + PIECE
      yield null
    }
    const letter = text.charCodeAt(at)
    if (isText) {
      if (letter === LETTER.escape) at++
      else if (letter === LETTER.quote) isText = false
    } else if (letter === LETTER.quote) isText = true
    else if (letter === LETTER.opens || letter === LETTER.opensObject) depth++
    else if (depth > 0 && (letter === LETTER.closes || letter === LETTER.closesObject)) depth--
    else if (depth === 0 && letter === LETTER.colon && colon < 0) colon = at
    else if (depth === 0 && (letter === LETTER.comma || at === end - 1)) {
      yield { from, colon, to: at }
      ;[from, colon] = [at + 1, -1]
    }
  }
  if (depth > 0 || isText || from !== end) throw NOT_READABLE
}
