import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { wordsOf } from '#kernel/print/print-definition.ts'
import css from '#modules/platform/prints/columns.module.css'
import { MoveButtons, movedBy } from '#modules/platform/prints/MoveButtons.tsx'

type Props = {
  readonly label: string
  /** The sheet's own items, in order: printed if nothing is stored. */
  readonly usual: readonly string[]
  /** Columns that are printed only if they are named. */
  readonly others?: readonly string[]
  /** Words that cannot be removed, and the reason. */
  readonly fixed: readonly string[]
  readonly because: string
  readonly value: string | null
  readonly disabled: boolean
  /** Words other than the sheet's may be entered. */
  readonly isFree?: boolean
  readonly onChange: (value: string | null) => void
}

/** The printed words of a sheet and their order. If unchanged from the sheet, nothing is stored. */
export function WordsInput({
  label,
  usual,
  fixed,
  because,
  value,
  disabled,
  isFree = false,
  others = [],
  onChange,
}: Props) {
  const [typed, setTyped] = useState('')
  const named = wordsOf(value)
  const printed = named.length === 0 ? usual : named
  const left = [...usual, ...others].filter(word => !printed.includes(word))
  const write = (words: readonly string[]) =>
    onChange(words.length === 0 || words.join('、') === usual.join('、') ? null : words.join('、'))
  const add = () => {
    const [word] = wordsOf(typed)
    setTyped('')
    if (word !== undefined && !printed.includes(word)) write([...printed, word])
  }
  return (
    <div className={css.columns} role="group" aria-label={label}>
      {[...printed, ...left].map((word, at) => {
        const isPrinted = at < printed.length
        return (
          <div key={word} className={css.column}>
            <Checkbox
              checked={isPrinted}
              disabled={disabled || fixed.includes(word) || (isPrinted && printed.length === 1)}
              title={fixed.includes(word) ? because : ''}
              onChange={() => write(isPrinted ? printed.filter(each => each !== word) : [...printed, word])}
            >
              {word}
            </Checkbox>
            <MoveButtons
              name={word}
              at={at}
              count={printed.length}
              disabled={disabled}
              onMove={by => write(movedBy(printed, at, by))}
            />
          </div>
        )
      })}
      {!disabled && (
        <div className={css.sum}>
          {isFree && (
            <Input
              size="small"
              style={{ width: 160 }}
              aria-label={`${label}的新名称`}
              placeholder="另加一项，回车"
              maxLength={20}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              onPressEnter={add}
              onBlur={add}
            />
          )}
          {value !== null && value !== '' && (
            <Button size="small" type="link" onClick={() => onChange(null)}>
              恢复默认
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
