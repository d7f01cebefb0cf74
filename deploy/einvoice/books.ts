import { randomInt } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { add, compare, type Decimal, negate, subtract } from '#kernel/values/decimal.ts'

type Row = Readonly<Record<string, unknown>>

/** An invoice that was issued: what was asked for, and what it became. */
export type Issued = {
  readonly seller: string
  readonly serial: string
  readonly number: string
  /** 20260521152632, Beijing time. */
  readonly at: string
  readonly order: Row
  readonly untaxed: Decimal
  readonly tax: Decimal
  readonly total: Decimal
  /** The number of the blue invoice; null on a blue one. */
  readonly blue: string | null
}
/** 红字确认单. `code` as the platform writes it. */
export type Confirmation = {
  readonly seller: string
  readonly id: string
  readonly number: string
  readonly order: Row
  readonly blue: string
  readonly total: Decimal
  readonly askedAt: number
  readonly code: '01' | '02' | '04' | '05'
}
type Entry =
  | { readonly issued: Issued }
  | { readonly confirmation: Confirmation }
  | { readonly delivered: { readonly number: string; readonly to: string } }

/** The hours that a buyer has to agree to a red invoice. */
export const HOURS_TO_AGREE = 72

/** A request number is a seller's own: another seller may have the same. */
export const keyOf = (seller: string, serial: string): string => `${seller}/${serial}`

/** The data of the stand-in, in a journal where it has a folder, so that a restart forgets nothing. */
export function openBooks(folder: string | null, limit: Decimal, now: () => number) {
  const issued = new Map<string, Issued>()
  const confirmations = new Map<string, Confirmation>()
  const delivered: { number: string; to: string }[] = []
  const journal = folder === null ? null : path.join(folder, 'journal.jsonl')
  const take = (entry: Entry): void => {
    if ('issued' in entry) issued.set(keyOf(entry.issued.seller, entry.issued.serial), entry.issued)
    else if ('confirmation' in entry) confirmations.set(entry.confirmation.id, entry.confirmation)
    else delivered.push(entry.delivered)
  }
  const write = (entry: Entry): void => {
    take(entry)
    if (journal !== null) appendFileSync(journal, `${JSON.stringify(entry)}\n`)
  }
  if (folder !== null && journal !== null) {
    mkdirSync(folder, { recursive: true })
    const kept = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').filter(Boolean) : []
    for (const line of kept) take(JSON.parse(line) as Entry)
  }
  const ofNumber = (number: string) => [...issued.values()].find(each => each.number === number)
  const moment = () => new Date(now() + 8 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  /** 20 digits that begin with 99, so that nobody takes it for an invoice; other in each run of the program. */
  const run = String(randomInt(1_000_000)).padStart(6, '0')
  const nextNumber = (): string => `99${moment().slice(2, 8)}${run}${String(issued.size + 1).padStart(6, '0')}`
  return {
    issued,
    confirmations,
    delivered,
    ofNumber,
    limit,
    left: (seller: string): Decimal =>
      [...issued.values()].reduce(
        (rest, each) => (each.seller === seller ? subtract(rest, each.total, 2) : rest),
        limit,
      ),
    /** The amount left of a blue invoice. */
    leftOf: (blue: Issued): Decimal =>
      [...issued.values()].reduce(
        (rest, { blue: of, total }) => (of === blue.number ? add(rest, total, 2) : rest),
        blue.total,
      ),
    issue: (
      seller: string,
      serial: string,
      order: Row,
      amounts: Pick<Issued, 'untaxed' | 'tax' | 'total'>,
      blue: string | null,
    ) => {
      const made: Issued = { seller, serial, number: nextNumber(), at: moment(), order, ...amounts, blue }
      write({ issued: made })
      return made
    },
    confirm: (confirmation: Confirmation) => (write({ confirmation }), confirmation),
    deliver: (number: string, to: string) => write({ delivered: { number, to } }),
    /** The platform's code of a confirmation now: one that nobody agreed to in time has expired. */
    codeOf: ({ code, askedAt }: Confirmation): string =>
      code === '02' && now() - askedAt > HOURS_TO_AGREE * 3_600_000 ? '07' : code,
    isTooMuch: (blue: Issued, total: Decimal, leftOf: Decimal): boolean =>
      compare(negate(total), leftOf) > 0 || blue.blue !== null,
  }
}
export type Books = ReturnType<typeof openBooks>
