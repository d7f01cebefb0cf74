import { parseInteger } from '#kernel/values/integer.ts'
import { Button, Checkbox, Input, Select, Skeleton } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { RoleMatrix } from '#modules/base/identity/role-matrix.web.tsx'
import { differenceOf, flagsOf, matrixOf } from '#modules/base/identity/role-rights.web.ts'
import css from '#modules/base/identity/role.module.css'
import type { Customisation } from '#web/engine/customisation.ts'
import { get } from '#web/engine/http/request.ts'
import { codesOf } from '#web/fields/parse-codes.ts'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'
import type { MenuItem } from '#web/shell/menu/menu.ts'

const MOST_ROLES = 200
/** The width of a drawer in which all common actions fit side by side, in pixels. */
const MATRIX_WIDTH = 1240

type Kind = { readonly kind: string; readonly keyName: string }

/** Every role with its rights, to copy from or compare with. */
function useRoles({ kind, keyName }: Kind, self: unknown) {
  const asked = { pageNum: 1, pageSize: MOST_ROLES }
  const { data } = useQuery({
    queryKey: [kind, 'list', asked],
    queryFn: ({ signal }) => get<unknown, Row>(`/v1/business/${kind}/list`, asked, { signal }),
  })
  return (data?.list ?? [])
    .filter(role => role[keyName] !== self)
    .map(role => ({ value: String(role[keyName]), label: String(role.name), flags: codesOf(role.flags) }))
}

/** The rights of a role: a matrix of pages and actions, copied from another role and compared with another. */
const rightsOf = (kind: Kind) =>
  function Rights({ value, onChange, disabled, id, row }: InputProps) {
    const [typed, setTyped] = useState('')
    const sought = typed.trim()
    const [otherKey, setOtherKey] = useState<string | null>(null)
    const [onlyDifferent, setOnlyDifferent] = useState(false)
    const [onlyGranted, setOnlyGranted] = useState(false)
    const roles = useRoles(kind, row[kind.keyName])
    // The platform also makes roles for other kinds of organisations: the row's field states the kind.
    const type = 'PHDV'[parseInteger(row.system_type ?? Number.NaN)]
    const asked = useQuery({
      queryKey: ['menu', 'all', type],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async () => (await get<unknown, MenuItem>('/v1/user/get_user_menu/yrtweb', { all: 1, type })).list,
    })
    const matrix = useMemo(() => matrixOf(asked.data ?? []), [asked.data])
    const granted = useMemo(() => new Set(codesOf(value)), [value])
    const chosen = roles.find(role => role.value === otherKey)
    const other = useMemo(() => (chosen === undefined ? null : new Set(chosen.flags)), [chosen])
    const differences = useMemo(() => {
      if (other === null) return 0
      const flags = new Set(matrix.groups.flatMap(group => group.rows.flatMap(flagsOf)))
      return [...flags].filter(flag => granted.has(flag) !== other.has(flag)).length
    }, [matrix, granted, other])
    if (asked.isPending) return <Skeleton active />
    const groups = matrix.groups
      .map(group => ({
        ...group,
        shown: group.rows.filter(
          page =>
            (sought === '' || page.title.includes(sought) || group.title.includes(sought)) &&
            (!onlyGranted || flagsOf(page).some(flag => granted.has(flag))) &&
            (!onlyDifferent || other === null || differenceOf(flagsOf(page), granted, other) !== null),
        ),
      }))
      .filter(group => group.shown.length > 0)
    return (
      <div className={css.rights} id={id}>
        <div className={css.bar}>
          <Input.Search
            aria-label="查找页面"
            placeholder="查找页面"
            allowClear
            className={css.sought ?? ''}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          <Checkbox checked={onlyGranted} onChange={event => setOnlyGranted(event.target.checked)}>
            只看已授权
          </Checkbox>
          <span className={css.gap} />
          {!disabled && (
            <Select
              aria-label="复制其他角色的权限"
              placeholder="复制其他角色的权限"
              className={css.pick ?? ''}
              showSearch={{ optionFilterProp: 'label' }}
              value={null}
              options={roles}
              onChange={(key: string | null) => {
                const from = roles.find(role => role.value === key)
                if (from !== undefined) onChange([...from.flags])
              }}
            />
          )}
          <Select
            aria-label="与其他角色对比"
            placeholder="与其他角色对比"
            className={css.pick ?? ''}
            showSearch={{ optionFilterProp: 'label' }}
            allowClear
            value={otherKey}
            options={roles}
            onChange={(key?: string | null) => {
              setOtherKey(key ?? null)
              setOnlyDifferent(key !== undefined && key !== null)
            }}
          />
        </div>
        {chosen !== undefined && (
          <div className={css.bar} role="status">
            {differences === 0 ? (
              <span>与【{chosen.label}】权限相同</span>
            ) : (
              <>
                <span>
                  与【{chosen.label}】相差{differences}项：<i className={css.more}>本角色多出</i>
                  <i className={css.less}>本角色没有</i>
                </span>
                <Checkbox checked={onlyDifferent} onChange={event => setOnlyDifferent(event.target.checked)}>
                  只看差异
                </Checkbox>
              </>
            )}
          </div>
        )}
        {groups.length === 0 ? (
          <p className={css.none}>
            没有符合条件的页面。
            <Button
              type="link"
              size="small"
              onClick={() => {
                setTyped('')
                setOnlyGranted(false)
                setOnlyDifferent(false)
              }}
            >
              查看全部
            </Button>
          </p>
        ) : (
          <RoleMatrix
            columns={matrix.columns}
            groups={groups}
            granted={granted}
            other={other}
            locked={disabled}
            allOpen={sought !== '' || onlyDifferent || onlyGranted}
            onChange={onChange}
          />
        )}
      </div>
    )
  }

export const roleLooks: readonly Customisation[] = [
  { kind: 'role', keyName: 'role_sn' },
  { kind: 'systemRole', keyName: 'system_role_sn' },
  { kind: 'templateRole', keyName: 'template_role_sn' },
].map(each => ({ of: each.kind, inputs: { flags: rightsOf(each) }, drawerWidth: MATRIX_WIDTH }))
