import { Skeleton } from 'antd'
import css from '#web/shell/Shell.module.css'

/** Placeholder for a page: same header, same table, so nothing moves when it loads. */
export function PageSkeleton() {
  return (
    <div className={css.skeleton} role="status" aria-label="页面加载中">
      <Skeleton active title={{ width: 180 }} paragraph={{ rows: 1, width: 360 }} />
      <Skeleton active title={false} paragraph={{ rows: 12, width: '100%' }} />
    </div>
  )
}
