import { App, Button, Checkbox } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customisation } from '#web/engine/customise.ts'
import { isSilent, sentenceOf } from '#web/engine/failure.ts'
import { forget } from '#web/engine/query-client.ts'
import { get, post } from '#web/engine/request.ts'
import type { Row } from '#web/fields/face.ts'

const EVERY_DOOR = '*'
type Cabinet = {
  readonly warehouse_model_inner_sn: string
  readonly name: string
  readonly department_name: string | null
  readonly doors: readonly string[]
}

/** 开柜权限: the cabinets of the house; ticked ones this user may open. Shown where there are cabinets. */
function CabinetDoors({ info }: { readonly info: Row }) {
  const { message } = App.useApp()
  const sn = String(info.user_inner_sn)
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const asked = useQuery({
    queryKey: ['user', 'cabinets', sn],
    retry: false,
    queryFn: async () => (await get<unknown, Cabinet>('/v1/business/user/cabinetPermission', { sn })).list,
  })
  const cabinets = asked.data ?? []
  if (cabinets.length === 0) return null
  const had = new Set(cabinets.filter(one => one.doors.length > 0).map(one => one.warehouse_model_inner_sn))
  const now = chosen ?? had
  const save = async () => {
    const doors = cabinets
      .filter(one => now.has(one.warehouse_model_inner_sn))
      .flatMap(one =>
        (one.doors.length > 0 ? one.doors : [EVERY_DOOR]).map(door => ({
          warehouse_model_inner_sn: one.warehouse_model_inner_sn,
          door,
        })),
      )
    try {
      await post('/v1/business/user/saveCabinetPermission', { sn, doors: JSON.stringify(doors) })
      void message.success('开柜权限已保存')
      setChosen(null)
      forget('user')
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    }
  }
  return (
    <section aria-label="开柜权限" style={{ marginTop: 16 }}>
      <h2>开柜权限</h2>
      <Checkbox.Group
        options={cabinets.map(one => ({
          value: one.warehouse_model_inner_sn,
          label: one.department_name ? `${one.name}（${one.department_name}）` : one.name,
        }))}
        value={[...now]}
        onChange={values => setChosen(new Set(values.map(String)))}
      />
      <div style={{ marginTop: 8 }}>
        <Button size="small" disabled={chosen === null} onClick={() => void save()}>
          保存开柜权限
        </Button>
      </div>
    </section>
  )
}

export const userLook: Customisation = { of: 'user', panels: [CabinetDoors] }
