import { useQuery } from '@tanstack/react-query'
import { App, Button, Modal, Skeleton } from 'antd'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import { get, post } from '#web/engine/http/request.ts'
import { signOut } from '#web/engine/session/session.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Tag } from '#web/fields/Tag.tsx'
import { Failed } from '#web/list/page/EmptyState.tsx'
import css from '#web/shell/DevicesDialog.module.css'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

type Device = {
  readonly session_sn: string
  readonly device: string
  readonly address: string
  readonly created_at: string
  readonly seen_at: string
  readonly is_current: boolean
}
const KEY = ['devices']

/** 登录设备: where this account is signed in, and remote sign-out. */
export function DevicesDialog({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp()
  const asked = useQuery({
    queryKey: KEY,
    staleTime: 0,
    queryFn: async ({ signal }) => (await get<unknown, Device>('/v1/user/sessions', {}, { signal })).list,
  })
  const end = async (which: { sn?: string; scope?: string }) => {
    try {
      await post('/v1/user/sessions/end', which)
      void message.success('已退出所选设备')
      await queryClient.invalidateQueries({ queryKey: KEY })
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    }
  }
  const others = asked.data?.filter(device => !device.is_current) ?? []
  return (
    <Modal
      open
      title="登录设备"
      width={MODAL_WIDTH}
      onCancel={onClose}
      footer={[
        <Button key="others" disabled={others.length === 0} onClick={() => void end({ scope: 'others' })}>
          退出其他设备
        </Button>,
        <Button key="all" danger onClick={() => void end({ scope: 'all' }).then(signOut)}>
          全部退出
        </Button>,
      ]}
    >
      {asked.isPending && <Skeleton active />}
      {asked.isError && <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />}
      <ul className={css.list} aria-label="登录设备">
        {asked.data?.map(device => (
          <li key={device.session_sn}>
            <span className={css.what}>
              <strong>{device.device}</strong>
              {device.is_current && <Tag tone="brand">本机</Tag>}
            </span>
            <span className="faint">
              {device.address} · {wallTime(device.created_at)} 登录 · {wallTime(device.seen_at)} 活动
            </span>
            {!device.is_current && (
              <Button size="small" onClick={() => void end({ sn: device.session_sn })}>
                退出
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  )
}
