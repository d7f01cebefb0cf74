import { App, Button, Checkbox } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customisation } from '#web/engine/customisation.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { get, post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'

const EVERY_DOOR = '*'
type Cabinet = {
  readonly warehouse_model_inner_sn: string
  readonly name: string
  readonly department_name: string | null
  readonly all_doors: readonly string[]
  readonly doors: readonly string[]
}
type Chosen = Readonly<Record<string, readonly string[]>>

/**
 * 开柜权限: the organisation's cabinets with their doors; this user may open the ticked ones. Shown where there are
 * cabinets.
 */
function CabinetDoors({ info }: { readonly info: Row }) {
  const { message } = App.useApp()
  const sn = String(info.user_inner_sn)
  const [chosen, setChosen] = useState<Chosen>({})
  const asked = useQuery({
    queryKey: ['user', 'cabinets', sn],
    retry: false,
    queryFn: async () => (await get<unknown, Cabinet>('/v1/business/user/cabinetPermission', { sn })).list,
  })
  const cabinets = asked.data ?? []
  if (cabinets.length === 0) return null
  const doorsOf = (cabinet: Cabinet) => chosen[cabinet.warehouse_model_inner_sn] ?? cabinet.doors
  const save = async () => {
    const doors = cabinets.flatMap(cabinet =>
      doorsOf(cabinet).map(door => ({ warehouse_model_inner_sn: cabinet.warehouse_model_inner_sn, door })),
    )
    try {
      await post('/v1/business/user/saveCabinetPermission', { sn, doors: JSON.stringify(doors) })
      void message.success('开柜权限已保存')
      setChosen({})
      forget('user')
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    }
  }
  return (
    <section aria-label="开柜权限" style={{ marginTop: 16 }}>
      <h2 style={{ marginBottom: 8, fontSize: 15 }}>开柜权限</h2>
      {cabinets.map(cabinet => (
        <OneCabinet
          key={cabinet.warehouse_model_inner_sn}
          cabinet={cabinet}
          doors={doorsOf(cabinet)}
          onChange={doors => setChosen({ ...chosen, [cabinet.warehouse_model_inner_sn]: doors })}
        />
      ))}
      <div style={{ marginTop: 8 }}>
        <Button size="small" disabled={Object.keys(chosen).length === 0} onClick={() => void save()}>
          保存开柜权限
        </Button>
      </div>
    </section>
  )
}

type Props = {
  readonly cabinet: Cabinet
  readonly doors: readonly string[]
  readonly onChange: (doors: readonly string[]) => void
}

/** The whole cabinet, including doors added later, or some of its doors. */
function OneCabinet({ cabinet, doors, onChange }: Props) {
  const whole = doors.includes(EVERY_DOOR)
  const name = cabinet.department_name ? `${cabinet.name}（${cabinet.department_name}）` : cabinet.name
  return (
    <div style={{ marginBottom: 8 }}>
      <Checkbox
        checked={whole}
        indeterminate={!whole && doors.length > 0}
        onChange={event => onChange(event.target.checked ? [EVERY_DOOR] : [])}
      >
        {name} 全部柜门
      </Checkbox>
      {cabinet.all_doors.length > 0 && (
        <Checkbox.Group
          aria-label={`${cabinet.name}的柜门`}
          style={{ display: 'flex', flexWrap: 'wrap', gap: 8, padding: '4px 0 0 24px' }}
          disabled={whole}
          options={cabinet.all_doors.map(door => ({ value: door, label: door }))}
          value={whole ? [...cabinet.all_doors] : [...doors]}
          onChange={values => onChange(values.map(String))}
        />
      )}
    </div>
  )
}

export const userLook: Customisation = { of: 'user', panels: [CabinetDoors] }
