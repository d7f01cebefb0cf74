import { Readable } from 'node:stream'
import type { Sql } from 'postgres'
import { compare, isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Asked } from '#modules/finance/invoicing/electronic/ask-provider.server.ts'
import { providerOf } from '#modules/finance/invoicing/electronic/channel.server.ts'
import { noteConfirmation, noteFailed, noteResult } from '#modules/finance/invoicing/electronic/outcome.server.ts'
import {
  invoiceById,
  orderOf,
  type StoredInvoice,
} from '#modules/finance/invoicing/electronic/stored-invoice.server.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { loadDocuments, patchDocument } from '#server/public/documents.ts'
import { type FileStore, keepFile, type Received, receiveFile } from '#server/public/files.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import {
  type Carrier,
  type InvoiceProvider,
  type InvoiceResult,
  ProviderError,
  type RedConfirmation,
} from '#server/public/outbound.ts'

type Answer = Exclude<Awaited<ReturnType<Carrier>>, void>
type Place = { readonly app: Sql; readonly store: FileStore; readonly org: string }
type Ready = { readonly provider: InvoiceProvider; readonly row: StoredInvoice }

const inOrg = <T>({ app, org }: Place, work: (tx: Tx) => Promise<T>) => inOrganisation(app, org, '0', work)
const NOTHING: Answer = { text: '无需发送' }

/** States in which a task may still be sent: a request that was closed, or became an invoice, is not. */
const sendable: Readonly<Record<Asked['task'], readonly StoredInvoice['state'][]>> = {
  issue: ['issuing', 'failed'],
  applyRed: ['redConfirming', 'failed'],
  issueRed: ['redConfirming', 'issuing', 'failed'],
  deliver: ['issued', 'reversed'],
  files: ['issued', 'reversed'],
}

/** A document whose review was taken back is not invoiced, even if the call is sent again. */
async function ready(place: Place, { task, id }: Asked): Promise<Ready | null> {
  return inOrg(place, async tx => {
    const row = await invoiceById(tx, place.org, id)
    if (!row || !sendable[task].includes(row.state)) return null
    const [doc] = await tx`
      select 1 from document where org_id = ${place.org} and id = ${row.document_id}
        and state in ('reviewed', 'partial', 'completed')`
    return doc ? { row, provider: await providerOf(tx, place.org, row.channel) } : null
  })
}

/** Marks that the request may have reached the provider from now on; returns whether it may have before. */
const markSent = (place: Place, id: string): Promise<boolean> =>
  inOrg(place, async tx => {
    const [row] = await tx<{ before: boolean }[]>`
      update e_invoice n set sent_at = coalesce(n.sent_at, now())
        from (select sent_at is not null as before from e_invoice
               where org_id = ${place.org} and id = ${id} for update) o
       where n.org_id = ${place.org} and n.id = ${id} returning o.before`
    return row?.before === true
  })

/** A total above the rest of the quota is not sent at all. */
async function beyondQuota({ provider, row }: Ready): Promise<string | null> {
  if (!isPositive(row.taxed_amount)) return null
  const quota = await provider.quota()
  if (quota === null || compare(row.taxed_amount, quota.left) <= 0) return null
  return `剩余授信额度不足：可用${plain(quota.left)}元，本次${plain(row.taxed_amount)}元`
}

const refusedBy = (error: unknown): string | null =>
  error instanceof ProviderError && error.reason === 'refused' ? error.message : null

/** Turns an explicit refusal by the provider into an answer, because a repeated try would be refused again. */
async function orRefused<T>(ask: () => Promise<T>): Promise<T | { readonly refused: string }> {
  try {
    return await ask()
  } catch (error) {
    const refused = refusedBy(error)
    if (refused === null) throw error
    return { refused }
  }
}

const wordsOf = (result: InvoiceResult): string =>
  result === null ? '没有收到' : 'refused' in result ? result.refused : 'invoice_no' in result ? '已开票' : '开票中'

const refusedAnswer = (place: Place, id: string, refused: { readonly refused: string }): Answer => ({
  text: refused.refused,
  afterwards: async tx => void (await noteResult(tx, place.org, id, refused)),
})

/**
 * An issued invoice is stored with its files, so that the customer gets both at once; if there are no files yet, they
 * follow later.
 */
async function resultAnswer(place: Place, { provider, row }: Ready, result: InvoiceResult): Promise<Answer> {
  const isIssued = result !== null && 'invoice_no' in result
  const kept = isIssued ? await fetched(place, provider, row, result.invoice_no).catch(() => null) : null
  return {
    text: wordsOf(result),
    afterwards: async tx => {
      if (kept !== null && kept.size > 0) await keepFiles(tx, place.org, row, kept)
      await noteResult(tx, place.org, row.id, result)
    },
  }
}

/** 开票: queries a request that may have been sent before, so that a lost answer is found and nothing is issued twice. */
async function issue(place: Place, found: Ready): Promise<Answer> {
  const { provider, row } = found
  const beyond = await orRefused(() => beyondQuota(found))
  if (beyond !== null) return refusedAnswer(place, row.id, typeof beyond === 'string' ? { refused: beyond } : beyond)
  if (await markSent(place, row.id)) {
    const known = await provider.query(row.request_no)
    if (known !== null && !('refused' in known)) return resultAnswer(place, found, known)
  }
  const order = await inOrg(place, tx => orderOf(tx, place.org, row))
  return resultAnswer(place, found, await orRefused(() => provider.issue(order)))
}

/** 红字确认单: over lines of the blue invoice, with its amounts and its moment. */
async function applyRed(place: Place, { provider, row }: Ready): Promise<Answer> {
  const order = await inOrg(place, async tx => {
    const blue = await invoiceById(tx, place.org, row.blue_id ?? '0')
    if (!blue?.invoice_no || !blue.issued_at) throw new BusinessError('rule', '没有找到已开具的蓝字发票')
    const red = await orderOf(tx, place.org, row)
    return {
      ...red,
      lines: red.lines.map(line => ({ ...line, blue_line_no: line.blue_line_no ?? line.line_no })),
      blue_invoice_no: blue.invoice_no,
      blue_issued_at: blue.issued_at,
      blue_untaxed_amount: blue.untaxed_amount,
      blue_tax_amount: blue.tax_amount,
      reason: row.red_reason ?? 'mistake',
    }
  })
  const said = await orRefused<RedConfirmation>(() => provider.applyRed(order))
  return {
    text: 'refused' in said ? said.refused : said.confirmation_no,
    afterwards: async tx =>
      void ('refused' in said
        ? await noteFailed(tx, place.org, row, said.refused)
        : await noteConfirmation(tx, place.org, row.id, said)),
  }
}

/** The second step: it returns the same invoice number however often it is requested. */
async function issueRed(place: Place, found: Ready): Promise<Answer> {
  const { provider, row } = found
  await markSent(place, row.id)
  const result = await orRefused(() => provider.issueRed(row.request_no, row.red_confirm_id ?? ''))
  return resultAnswer(place, found, result)
}

async function deliver(place: Place, { provider, row }: Ready, { email = null, phone = null }: Asked): Promise<Answer> {
  const said = await orRefused(() => provider.deliver(row.invoice_no ?? '', row.request_no, { email, phone }))
  const state = said === undefined ? 'delivered' : 'failed'
  return {
    text: said === undefined ? '已交付' : said.refused,
    afterwards: async tx =>
      void (await tx`
        update e_invoice set deliver_state = ${state}, version = version + 1,
          delivered_at = case when ${state === 'delivered'} then now() else delivered_at end
         where org_id = ${place.org} and id = ${row.id}`),
  }
}

const EXTENSIONS = ['pdf', 'ofd', 'xml'] as const
const MOST_BYTES = 20 * 1024 * 1024

type Kept = ReadonlyMap<(typeof EXTENSIONS)[number], Received>

/** XML, OFD and PDF of an invoice, as far as the provider has them, in the store. */
async function fetched(place: Place, provider: InvoiceProvider, row: StoredInvoice, number: string): Promise<Kept> {
  const given = await provider.files(number, row.request_no)
  const kept = new Map<(typeof EXTENSIONS)[number], Received>()
  for (const extension of EXTENSIONS) {
    const bytes = given[extension]
    if (bytes === undefined) continue
    const taken = { extensions: [extension], mostBytes: MOST_BYTES }
    const named = `${number}.${extension}`
    kept.set(extension, await receiveFile(place.store, Readable.from([Buffer.from(bytes)]), named, taken))
  }
  return kept
}

async function files(place: Place, { provider, row }: Ready): Promise<Answer> {
  const kept = await fetched(place, provider, row, row.invoice_no ?? '')
  if (kept.size === 0) throw new ProviderError('unreadable', '开票平台还没有版式文件，请稍后再下载')
  return { text: [...kept.keys()].join('、'), afterwards: tx => keepFiles(tx, place.org, row, kept) }
}

/** Attaches the files to the row and to the document, which is sent to its customer with them. */
async function keepFiles(tx: Tx, org: string, row: StoredInvoice, kept: Kept): Promise<void> {
  const session = await systemSessionOf(tx, org)
  const names = (extension: (typeof EXTENSIONS)[number]) => (kept.has(extension) ? [kept.get(extension)!.name] : null)
  for (const file of kept.values()) await keepFile(tx, session, file)
  await tx`
    update e_invoice set pdf = coalesce(${names('pdf')}::text[], pdf), ofd = coalesce(${names('ofd')}::text[], ofd),
      xml = coalesce(${names('xml')}::text[], xml), version = version + 1 where org_id = ${org} and id = ${row.id}`
  const [doc] = await loadDocuments(tx, org, [row.document_id])
  const attached = doc && [...doc.attachments, ...[...kept.values()].map(({ name }) => name)]
  if (doc) await patchDocument(tx, session, doc, { attachments: attached }, 'derived')
}

const tasks: Readonly<Record<Asked['task'], (place: Place, found: Ready, asked: Asked) => Promise<Answer>>> = {
  issue,
  applyRed,
  issueRed,
  deliver,
  files,
}

/** Sends requests to the provider of their organisation. */
export const einvoiceCarrier = (app: Sql, store: FileStore): Carrier =>
  Object.assign(
    async (payload: unknown, _key: string, org: string): Promise<Answer> => {
      const asked = payload as Asked
      const place = { app, store, org }
      const found = await ready(place, asked)
      return found === null ? NOTHING : tasks[asked.task](place, found, asked)
    },
    {
      /** The result is unknown: the request is tried again, and after the last try a person has to query the result. */
      async failed(tx: Tx, org: string, payload: unknown, failure: { error: string; cause: Error; isLast: boolean }) {
        const { task, id } = payload as Asked
        const row = await invoiceById(tx, org, id, true)
        if (!row) return
        if (task === 'deliver' && failure.isLast)
          await tx`
            update e_invoice set deliver_state = 'failed', version = version + 1
             where org_id = ${org} and id = ${id}`
        if (task === 'deliver' || task === 'files') return
        const isUnknown = failure.cause instanceof ProviderError && row.sent_at !== null
        if (failure.isLast || failure.cause instanceof BusinessError)
          return noteFailed(tx, org, row, failure.error, isUnknown)
        await tx`
          update e_invoice set fail_reason = ${failure.error}, version = version + 1,
            next_poll_at = case when ${task === 'issue' && isUnknown} then now() + interval '30 seconds' end
           where org_id = ${org} and id = ${id} and state in ('issuing', 'redConfirming')`
      },
    },
  )
