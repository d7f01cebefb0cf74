import { Alert } from 'antd'
import { goodsFreeze } from '#modules/goods/trace/goods-freeze.entity.ts'
import type { TraceInfo } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/goods/trace/Trace.module.css'
import { useMay } from '#web/shell/menu/menu.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { CallButtons } from '#web/list/actions/CallButtons.tsx'

/** What the organisation has frozen of the goods shown, and the two actions for those who may. */
export function Freezes({ info, onDone }: { info: TraceInfo; onDone: () => void }) {
  const may = useMay('/commonView/stopSellList', goodsFreeze.kind)
  const { freezes = [], unit, lot, specification } = info
  const { freeze, unfreeze } = goodsFreeze.calls!
  const code = info.direction === 'forward' ? lot?.lot_no : unit?.code
  return (
    <>
      {freezes.map(each => (
        <Alert
          key={each.goods_freeze_sn}
          type="warning"
          showIcon
          title={`${each.code === null ? `批号${lot?.lot_no ?? ''}` : `院内码${each.code}`}已冻结，不能出库：${each.reason}`}
          description={`${each.frozen_by ?? ''} ${wallTime(each.frozen_at)}`}
        />
      ))}
      <div className={css.acts}>
        <CallButtons
          of={goodsFreeze.kind}
          path={`/v1/business/${goodsFreeze.kind}`}
          calls={{ freeze: freeze!, ...(freezes.length > 0 ? { unfreeze: unfreeze! } : {}) }}
          may={may}
          chosen={freezes.map(each => each.goods_freeze_sn)}
          values={{ code: code ?? '', specification_sn: specification?.specification_sn ?? '' }}
          onDone={onDone}
        />
      </div>
    </>
  )
}
