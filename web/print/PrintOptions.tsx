import { Checkbox, InputNumber, Select } from 'antd'
import { formats as pageSizes, type PrintCopy, type PrintSheet } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { type Choice, EACH_PART, templatesOf, wasPrinted } from '#web/print/print-options.ts'

const MOST_COPIES = 9

type Props = {
  readonly sheet: PrintSheet
  readonly kind: string
  readonly documents: readonly Row[]
  /** Some are printed in parts. */
  readonly hasParts: boolean
  readonly choice: Choice
  readonly setChoice: (choice: Choice) => void
}

/** A copy available on several page formats names the format. */
const copyName = (copies: readonly PrintCopy[], { label, paper }: PrintCopy): string =>
  copies.filter(each => each.label === label).length > 1 ? `${label} ${pageSizes[paper].label}` : label

/**
 * Choices of copy, template, prices and count: documents printed before keep the template of the first print until
 * the newest is requested.
 */
export function Choices({ sheet, kind, documents: docs, hasParts, choice, setChoice }: Props) {
  const templates = templatesOf(docs[0]!)
  const printed = docs.filter(wasPrinted).length
  const isChosen = choice.isNewest || printed < docs.length
  const isCopy = choice.copy !== null
  const hasPrices = sheet.pricesOptional?.includes(kind) === true && docs.some(info => info.taxed_amount !== undefined)
  return (
    <>
      {sheet.copies && (
        <Select
          aria-label="选择联次"
          style={{ minWidth: 110 }}
          value={choice.copy ?? ''}
          onChange={copy => setChoice({ ...choice, copy: copy === '' ? null : copy })}
          options={[
            { value: '', label: '正式联' },
            ...sheet.copies.map(copy => ({ value: copy.name, label: copyName(sheet.copies!, copy) })),
          ]}
        />
      )}
      {!isCopy && hasParts && (
        <Select
          aria-label="选择联"
          style={{ minWidth: 130 }}
          value={choice.parts}
          onChange={parts => setChoice({ ...choice, parts })}
          options={[{ value: EACH_PART, label: '各联一份' }, ...sheet.parts!.map((label, value) => ({ value, label }))]}
        />
      )}
      {hasPrices && !isCopy && (
        <Checkbox
          style={{ color: 'inherit' }}
          title="默认打印无价格版"
          checked={choice.isPriced}
          onChange={({ target }) => setChoice({ ...choice, isPriced: target.checked })}
        >
          打印价格
        </Checkbox>
      )}
      {printed > 0 && !isCopy && (
        <Checkbox
          style={{ color: 'inherit' }}
          title="补打默认与首次打印的版式相同"
          checked={choice.isNewest}
          onChange={({ target }) => setChoice({ ...choice, isNewest: target.checked })}
        >
          使用最新模板
        </Checkbox>
      )}
      {templates.length > 0 && !isCopy && isChosen && (
        <Select
          aria-label="选择模板"
          style={{ minWidth: 160 }}
          value={choice.template ?? templates[0]!.print_template_sn}
          onChange={template => setChoice({ ...choice, template })}
          options={templates.map(({ print_template_sn: value, name: label }) => ({ value, label }))}
        />
      )}
      <InputNumber
        aria-label="份数"
        title="每张单据打印几份"
        style={{ width: 84 }}
        suffix="份"
        min={1}
        max={MOST_COPIES}
        precision={0}
        value={choice.copies}
        onChange={copies => setChoice({ ...choice, copies: copies ?? 1 })}
      />
    </>
  )
}
