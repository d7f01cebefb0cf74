import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { Button } from 'antd'

/** A list with one of its items moved by a number of places. */
export function movedBy<T>(items: readonly T[], at: number, by: number): T[] {
  const moved = [...items]
  moved.splice(at + by, 0, ...moved.splice(at, 1))
  return moved
}

type Props = {
  readonly name: string
  readonly at: number
  /** How many are in order: those that are printed. */
  readonly count: number
  readonly disabled: boolean
  readonly onMove: (by: number) => void
}

/** Buttons to move one place up or down; an item that is not printed has no place. */
export function MoveButtons({ name, at, count, disabled, onMove }: Props) {
  return (
    <>
      <Button
        size="small"
        type="text"
        icon={<ArrowUpOutlined />}
        aria-label={`${name}上移`}
        disabled={disabled || at >= count || at === 0}
        onClick={() => onMove(-1)}
      />
      <Button
        size="small"
        type="text"
        icon={<ArrowDownOutlined />}
        aria-label={`${name}下移`}
        disabled={disabled || at >= count - 1}
        onClick={() => onMove(1)}
      />
    </>
  )
}
