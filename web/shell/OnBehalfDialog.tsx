import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { actFor, type OnBehalfOf } from '#web/engine/session/on-behalf.ts'
import { get } from '#web/engine/http/request.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import css from '#web/shell/DevicesDialog.module.css'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

/** 平台代办: the organisations that entrusted the platform; one is chosen to work in its name. */
export function OnBehalfDialog({ onClose }: { onClose: () => void }) {
  const asked = useQuery({
    queryKey: ['entrusting'],
    staleTime: 0,
    queryFn: async ({ signal }) => (await get<unknown, OnBehalfOf>('/v1/user/entrusting', {}, { signal })).list,
  })
  return (
    <Modal open title="平台代办：选择代办机构" width={MODAL_WIDTH} onCancel={onClose} footer={null}>
      {asked.isPending && <Skeleton active />}
      {asked.isError && <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data?.length === 0 && (
        <p className="faint">没有机构授权委托代运营。授权在“业务配置”中按机构登记：生效日期、失效日期和授权书。</p>
      )}
      <ul className={css.list} aria-label="可代办的机构">
        {asked.data?.map(organisation => (
          <li key={organisation.org_sn}>
            <span className={css.what}>
              <strong>{organisation.name}</strong>
            </span>
            <span className="faint">{organisation.may_review ? '含审核' : '单据由机构自行审核'}</span>
            <Button size="small" type="primary" onClick={() => actFor(organisation)}>
              代办
            </Button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
