import type { CallShape, Seen } from './calls.ts'
import { plausible } from './hostile.ts'
import type { Chance } from './random.ts'

/** Fields that calls accept although OpenAPI does not list them. */
const usual = [
  'sn',
  'version',
  'lines',
  'items',
  'action',
  'role',
  'pageNum',
  'pageSize',
  'sort',
  'q',
  'sns',
  'reason',
  'for',
  'of',
  'units',
  'code',
  'name',
  'source_sn',
]

/** What a page would send after opening the row and changing nothing. */
function asOpened({ fields }: CallShape, opened: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = (row: Readonly<Record<string, unknown>>, known: object) =>
    Object.fromEntries(Object.entries(row).filter(([name, value]) => name in known && value !== null))
  const lines = ((fields.lines?.items ?? {}) as { properties?: object }).properties
  const body = kept(opened, fields)
  return lines && Array.isArray(opened.lines) ? { ...body, lines: opened.lines.map(line => kept(line, lines)) } : body
}

/** A body that the call may take: of rows that its caller has seen, and of values that he has. */
export function bodyFor(chance: Chance, seen: Seen, call: CallShape): Record<string, unknown> {
  const kind = call.url.split('/')[3] ?? ''
  const opened = seen.whole(kind)
  if (opened.length > 0 && /\/(add|edit|propose)$/.test(call.url) && chance.yes(0.7))
    return asOpened(call, chance.one(opened))
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(call.fields))
    if (chance.yes(0.6)) body[name] = plausible(chance, seen, name, schema)
  if (Object.keys(call.fields).length === 0)
    for (const name of chance.some(usual, 4)) body[name] = plausible(chance, seen, name, {})
  const rows = seen.rows(kind)
  if (rows.length > 0 && chance.yes(0.8)) {
    const row = chance.one(rows)
    if ('sn' in call.fields || chance.yes(0.5)) body.sn = row.sn
    if ('version' in call.fields) body.version = row.version
    if ('sns' in call.fields) body.sns = chance.some(rows, 3).map(one => one.sn)
    if (call.url.endsWith('/batch')) body.items = chance.some(rows, 3)
  }
  return body
}
