import type { Client } from './house.ts'

/** Where a call of a kind is answered. */
export const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
/** The rows of a list as somebody sees them. */
export const rows = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), { pageSize: '200', pageNum: '1', ...query })).list
/** The first of them; fails the story where there is none. */
export const one = async (who: Client, kind: string, query: Record<string, string>) => {
  const [row] = await rows(who, kind, query)
  if (!row) throw new Error(`no ${kind} ${JSON.stringify(query)}`)
  return row
}
/** Changes the row that the query finds, under its version of now. */
export const change = async (
  who: Client,
  kind: string,
  key: string,
  query: Record<string, string>,
  body: Record<string, unknown>,
  call = 'edit',
) => {
  const row = await one(who, kind, query)
  const sent = { sn: row[key], version: row.version, ...body }
  const reply = await who.post(path(kind, call), sent)
  // What is asked is answered with yes; what it says is told where it matters.
  return reply.code === 2200 ? who.post(path(kind, call), { ...sent, confirm: reply.info.token }) : reply
}
