import { utils, write } from '@e965/xlsx'
import type { LightMyRequestResponse } from 'fastify'
import { readFile } from '#server/file-workers/pool.ts'
import { cellsFile } from '#server/sheets/read.ts'
import type { Client, Reply } from './test-server.ts'

/** A workbook as a user would have typed it. */
export const workbook = (
  rows: readonly (readonly (string | number)[])[],
  bookType: 'xlsx' | 'biff8' = 'xlsx',
): Buffer =>
  write(
    { Sheets: { 一: utils.aoa_to_sheet(rows as (string | number)[][]) }, SheetNames: ['一'] },
    { type: 'buffer', bookType },
  )

const BORDER = 'xxBORDERxx'
const part = (head: string, body: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BORDER}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])

/** Uploads a workbook like a browser, with form fields. `as` is its file name; `raw` returns the unparsed response. */
export async function sendSheet(
  client: Client,
  url: string,
  file: Buffer,
  fields?: Record<string, string>,
  as?: string,
): Promise<Reply>
export async function sendSheet(
  client: Client,
  url: string,
  file: Buffer,
  fields: Record<string, string>,
  as: 'raw',
): Promise<LightMyRequestResponse>
export async function sendSheet(
  client: Client,
  url: string,
  file: Buffer,
  fields: Record<string, string> = {},
  as = 'data.xlsx',
): Promise<Reply | LightMyRequestResponse> {
  const payload = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    part(`name="file"; filename="${as === 'raw' ? 'data.xlsx' : as}"`, file),
    Buffer.from(`--${BORDER}--\r\n`),
  ])
  const reply = await client.raw({
    method: 'POST',
    url,
    headers: { 'content-type': `multipart/form-data; boundary=${BORDER}` },
    payload,
  })
  return as === 'raw' ? reply : { status: reply.statusCode, ...reply.json() }
}

/** The sender of files that tests read beside the server. */
export const tester = { person: 'tester', organisation: 'tests' } as const

/** The cells of a file as a worker reads them. */
export const readCells = (file: Buffer): Promise<readonly (readonly string[])[]> =>
  readFile(cellsFile, file, undefined, tester)
