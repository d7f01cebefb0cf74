import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { copiesOf } from '#kernel/print/print-copy.ts'
import type { PrintCopy, Printed, PrintSheet } from '#kernel/print/print-definition.ts'
import { documentOf, prints } from '#kernel/registry.ts'
import { layoutOf } from '#web/print/document/page-layout.ts'
import { PrintedDocument } from '#web/print/document/PrintedDocument.tsx'

const copied = prints().flatMap(sheet => (sheet.copies ?? []).map(copy => ({ sheet, copy })))
const kinds = (sheet: PrintSheet) => Object.keys(sheet.kinds)

/** Names that a document of the kind, its sheet or any other sheet may have: more than the copy shows. */
const namesOf = (kind: string, sheet: PrintSheet) => ({
  head: new Set([
    ...Object.keys(documentOf(kind)!.header),
    ...[...sheet.header, ...(sheet.coldChain ?? []), ...(sheet.totals ?? [])].map(([, name]) => name),
    'taxed_amount',
    'patient_name',
    'counterparty_name',
  ]),
  line: new Set([...Object.keys(documentOf(kind)!.lines), ...sheet.columns.map(({ name }) => name), 'price', 'cost']),
})

/** A document whose every value says where it stands; a figure is a number that occurs nowhere else. */
function everything(kind: string, sheet: PrintSheet, copy: PrintCopy, isCold: boolean): Printed {
  const { head, line } = namesOf(kind, sheet)
  const figures = new Set(
    [...sheet.columns, ...copy.columns]
      .filter(({ as = 'text' }) => !['text', 'code', 'bars'].includes(as))
      .map(c => c.name),
  )
  const of = (owner: string, at: number) =>
    Object.fromEntries([
      ...[...line, ...copy.columns.map(({ name }) => name), copy.sortBy].map((name, nth) => [
        name,
        figures.has(name) ? `${at + 1}${String(nth).padStart(4, '0')}.77` : `${owner}-${name}-`,
      ]),
      ['line_no', at + 1],
      ['is_cold_chain', isCold],
      ['unit_codes', [`${owner}-码甲`, `${owner}-码乙`]],
      ...(sheet.groupBy === undefined ? [] : [[sheet.groupBy, `${owner}-组-`]]),
      ...(copy.per === undefined ? [] : [[copy.per, owner]]),
    ]) as Printed
  return {
    ...Object.fromEntries([...head].map(name => [name, `单-${name}-`])),
    kind,
    sn: 'SN1',
    title: documentOf(kind)!.title,
    state: 'reviewed',
    times_printed: 0,
    templates: [{ name: '版式' }],
    lines: [of('甲商', 0), of('乙商', 1)],
  }
}

const drawn = (sheet: PrintSheet, copy: PrintCopy, info: Printed) =>
  renderToStaticMarkup(
    <PrintedDocument sheet={sheet} layout={layoutOf(sheet, null, false, copy)} info={info} times={0} />,
  )

describe('a copy of a printed sheet', () => {
  it('there are some, and one is for each reader', () => {
    expect(copied.length).toBeGreaterThan(3)
    expect(copied.filter(({ copy }) => copy.per !== undefined).length).toBeGreaterThan(0)
  })

  for (const { sheet, copy } of copied)
    it.each(kinds(sheet).flatMap(kind => [true, false].map(isCold => ({ kind, isCold }))))(
      `${sheet.title} ${copy.label} ${copy.paper} of $kind (cold: $isCold) holds what it shows and nothing else`,
      ({ kind, isCold }) => {
        const info = everything(kind, sheet, copy, isCold)
        const lines = info.lines as readonly Printed[]
        const copies = copiesOf(sheet, copy, info)
        expect(copies).toHaveLength(copy.per === undefined ? 1 : 2)
        copies.forEach((part, at) => {
          const own = copy.per === undefined ? lines : [lines[at]!]
          const paper = drawn(sheet, copy, part)
          // It looks as if it had been drawn from everything, with the facts that this reader may not see left out.
          expect(paper).toBe(drawn(sheet, copy, { ...info, lines: own }))
          // Only what orders the lines need not stand on paper.
          const invisible = new Set(['line_no', copy.sortBy])
          const values = [
            ...Object.entries(part).filter(([, value]) => String(value).startsWith('单-')),
            ...(part.lines as readonly Printed[]).flatMap(line =>
              Object.entries(line).filter(
                ([name, value]) =>
                  !invisible.has(name) &&
                  !Array.isArray(value) &&
                  (copy.columns.find(c => c.name === name)?.as ?? 'text') === 'text',
              ),
            ),
          ]
          expect(values.filter(([, value]) => !paper.includes(String(value))).map(([name]) => name)).toEqual([])
          expect(part).not.toHaveProperty('templates')
          for (const name of copy.leaves ?? []) expect(part).not.toHaveProperty(name)
          if (copy.per !== undefined) expect(JSON.stringify(part)).not.toContain(at === 0 ? '乙商' : '甲商')
        })
      },
    )

  it('for each reader is not made of lines that are nobody’s', () => {
    const { sheet, copy } = copied.find(each => each.copy.per !== undefined)!
    expect(copiesOf(sheet, copy, { sn: 'SN1', lines: [{ [copy.per!]: null, product_name: '本院产品' }] })).toEqual([])
  })
})
