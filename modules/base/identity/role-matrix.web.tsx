import { CaretDownOutlined, CaretRightOutlined, CheckOutlined, DownOutlined, MinusOutlined } from '@ant-design/icons'
import { Popover } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type Cell,
  changed,
  differenceOf,
  flagsOf,
  type Granted,
  grantedOf,
  type MatrixGroup,
  type MatrixRow,
} from '#modules/base/identity/role-rights.web.ts'
import css from '#modules/base/identity/role.module.css'

/** A group of the menu with those of its pages that are looked for. */
type ShownGroup = MatrixGroup & { readonly shown: readonly MatrixRow[] }

type Common = {
  readonly granted: ReadonlySet<string>
  /** The role it is compared with. */
  readonly other: ReadonlySet<string> | null
  /** It is read, not edited. */
  readonly locked: boolean
  readonly onChange: (flags: readonly string[]) => void
}
type Props = Common & {
  readonly columns: readonly string[]
  readonly groups: readonly ShownGroup[]
  /** While searching, every group shows its matching pages. */
  readonly allOpen: boolean
}

/** Pages down, actions across, a group of the menu at a time: one box an action, for all lists of the page. */
export function RoleMatrix({ columns, groups, allOpen, ...common }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const turn = (title: string) => setOpened(before => before.symmetricDifference(new Set([title])))
  return (
    <div className={css.scroll}>
      <table className={css.matrix}>
        <thead>
          <tr>
            <th scope="col">页面</th>
            <th scope="col">查看</th>
            {columns.map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">其他操作</th>
          </tr>
        </thead>
        {groups.map(group => {
          const isOpen = allOpen || opened.has(group.title)
          return (
            <tbody key={group.title}>
              <GroupRow {...common} group={group} span={columns.length + 2} isOpen={isOpen} onTurn={turn} />
              {isOpen &&
                group.shown.map(row => <PageRow key={row.page || row.title} {...common} row={row} columns={columns} />)}
            </tbody>
          )
        })}
      </table>
    </div>
  )
}

type GroupProps = Common & {
  readonly group: ShownGroup
  readonly span: number
  readonly isOpen: boolean
  readonly onTurn: (title: string) => void
}

function GroupRow({ group, span, isOpen, onTurn, granted, locked, onChange }: GroupProps) {
  const all = [...new Set(group.rows.flatMap(flagsOf))]
  const count = all.filter(flag => granted.has(flag)).length
  const put = (on: boolean) => {
    const next = new Set(granted)
    for (const flag of all) {
      if (on) next.add(flag)
      else next.delete(flag)
    }
    onChange([...next])
  }
  return (
    <tr className={css.group}>
      <th scope="rowgroup" colSpan={2}>
        <button type="button" className={css.turn} aria-expanded={isOpen} onClick={() => onTurn(group.title)}>
          {isOpen ? <CaretDownOutlined /> : <CaretRightOutlined />} {group.title}
        </button>
      </th>
      <td colSpan={span - 1}>
        <span className="faint">
          {group.rows.length}个页面，已授权{count}/{all.length}项
        </span>
        {!locked && (
          <label className={css.whole}>
            <Box label={`${group.title}全部权限`} state={grantedOf(all, granted)} onPut={put} />
            全选
          </label>
        )}
      </td>
    </tr>
  )
}

function PageRow({ row, columns, ...common }: Common & { row: MatrixRow; columns: readonly string[] }) {
  const box = (cell: Cell) => <RightBox key={cell.title} {...common} row={row} cell={cell} />
  return (
    <tr>
      <th scope="row" title={row.title}>
        {row.title}
      </th>
      <td>{row.page !== '' && box({ title: '查看', flags: [row.page] })}</td>
      {columns.map(title => {
        const cell = row.cells.get(title)
        return <td key={title}>{cell !== undefined && box(cell)}</td>
      })}
      <td>{row.others.length > 0 && <Others {...common} row={row} box={box} />}</td>
    </tr>
  )
}

/** The actions that only this page has, with the number granted; opened to tick them. */
function Others({ row, granted, other, box }: Common & { row: MatrixRow; box: (cell: Cell) => ReactNode }) {
  const flags = row.others.flatMap(cell => cell.flags)
  const has = row.others.filter(cell => grantedOf(cell.flags, granted) === 'all').length
  const difference = other === null ? undefined : (differenceOf(flags, granted, other) ?? undefined)
  return (
    <Popover
      trigger="click"
      placement="left"
      destroyOnHidden
      content={
        <ul className={css.others} aria-label={`${row.title}的其他操作`}>
          {row.others.map(cell => (
            <li key={cell.title}>
              {box(cell)} <span>{cell.title}</span>
            </li>
          ))}
        </ul>
      }
    >
      <button type="button" className={css.count} data-difference={difference} aria-label={`${row.title}的其他操作`}>
        {has}/{row.others.length} <DownOutlined />
      </button>
    </Popover>
  )
}

function RightBox({ row, cell, granted, other, locked, onChange }: Common & { row: MatrixRow; cell: Cell }) {
  const state = grantedOf(cell.flags, granted)
  const difference = other === null ? undefined : (differenceOf(cell.flags, granted, other) ?? undefined)
  const label = `${row.title} ${cell.title}`
  return (
    <span className={css.cell} data-difference={difference}>
      {locked ? (
        <Mark label={label} state={state} />
      ) : (
        <Box label={label} state={state} onPut={on => onChange(changed(granted, row, cell.flags, on))} />
      )}
    </span>
  )
}

const words: Readonly<Record<Granted, string>> = { all: '有', some: '部分', none: '无' }

/** A right of a role that is read. */
function Mark({ label, state }: { readonly label: string; readonly state: Granted }) {
  return (
    <span className={css.mark} data-state={state} role="img" aria-label={`${label}：${words[state]}`}>
      {state === 'all' ? <CheckOutlined /> : state === 'some' ? <MinusOutlined /> : null}
    </span>
  )
}

type BoxProps = { readonly label: string; readonly state: Granted; readonly onPut: (on: boolean) => void }

/** A native checkbox, because a role has a thousand of them. */
function Box({ label, state, onPut }: BoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = state === 'some'
  }, [state])
  return (
    <input
      ref={box}
      type="checkbox"
      className={css.box}
      aria-label={label}
      checked={state === 'all'}
      onChange={event => onPut(event.target.checked)}
    />
  )
}
