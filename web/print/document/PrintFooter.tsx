import { plain } from '#kernel/values/decimal.ts'
import { closingCalled } from '#kernel/print/print-layout.ts'
import { type ClosingName, closings, type PrintSheet } from '#kernel/print/print-definition.ts'
import type { GivenSignature } from '#kernel/values/strokes.ts'
import { DrawnSignature } from '#web/fields/DrawnSignature.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import type { Row } from '#web/fields/field-renderer.ts'
import { signaturesOf, sumOf } from '#web/print/document/page-layout.ts'
import type { DrawnLayout } from '#web/print/document/PrintTable.tsx'
import css from '#web/print/Print.module.css'

type Props = {
  readonly sheet: PrintSheet
  readonly layout: DrawnLayout
  readonly info: Row
  readonly lines: readonly Row[]
}

/** Totals, the amount in capitals where money is printed, and the signature row. */
export function Closing({ sheet, layout, info, lines }: Props) {
  return (
    <div data-part="closing">
      <div className={css.totals}>
        {sheet.totals
          ?.filter(([, name]) => layout.leaves?.includes(name) !== true)
          .map(([label, name]) => (
            <span key={name}>
              {label}：{String(info[name] ?? '0')}
            </span>
          ))}
        {saidBelow(sheet, layout, info, lines).map(([name, words]) => (
          <span key={name}>{words}</span>
        ))}
      </div>
      {layout.note && <div>{layout.note}</div>}
      <div className={css.signatures}>
        {signaturesOf(sheet, layout.signatures, info).map(each => (
          <span key={each}>
            {each}：
            <Given sheet={sheet} label={each} info={info} />
          </span>
        ))}
      </div>
    </div>
  )
}

/** The signature that was given on the document in this place, with its day. */
function Given({ sheet, label, info }: Pick<Props, 'sheet' | 'info'> & { readonly label: string }) {
  const signed = ((info.signatures ?? []) as readonly GivenSignature[]).find(
    ({ role, withdrawn_at }) => withdrawn_at === null && sheet.signedAs?.[role] === label,
  )
  if (signed === undefined) return null
  return (
    <>
      {signed.strokes === null ? signed.name : <DrawnSignature strokes={signed.strokes} name={signed.name} />}{' '}
      {wallTime(signed.at).slice(0, 10)}
    </>
  )
}

/** The totals this document has and its sheet prints. */
function saidBelow(sheet: PrintSheet, layout: DrawnLayout, info: Row, lines: readonly Row[]) {
  const quantity = layout.columns.find(({ as }) => as === 'quantity')
  const isPriced = layout.columns.some(({ as }) => as === 'amount') && info.taxed_amount !== undefined
  const sumOfMoney = (name: string) => (isPriced && info[name] !== undefined ? String(info[name]) : null)
  const amount = sumOfMoney('taxed_amount')
  const values: Readonly<Record<ClosingName, string | null>> = {
    page: null,
    quantity:
      quantity && sheet.totals === undefined ? `合计${quantity.label}：${plain(sumOf(lines, quantity.name, 3))}` : null,
    packages: `${closings.packages}：${String(info.package_count ?? '') || '　　　'}`,
    untaxed: said(closings.untaxed, sumOfMoney('untaxed_amount')),
    tax: said(closings.tax, sumOfMoney('tax_amount')),
    amount: said(
      closingCalled(sheet, 'amount'),
      amount !== null && layout.hasCapitals ? `${amount}（${String(info.amount_in_words)}）` : amount,
    ),
  }
  return layout.closings.flatMap(name => (values[name] === null ? [] : [[name, values[name]] as const]))
}

const said = (label: string, value: string | null): string | null => (value === null ? null : `${label}：${value}`)
