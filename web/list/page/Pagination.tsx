import { Pagination } from 'antd'
import { PAGE_SIZES } from '#web/list/page/list-query.ts'
import css from '#web/list/page/ListFrame.module.css'

type Props = {
  /** Unknown until the first page was read. */
  readonly total: number | undefined
  readonly capped: boolean
  readonly pageNum: number
  readonly pageSize: number
  readonly onChange: (pageNum: number, pageSize: number) => void
}

/** Beyond ten thousand rows there is no exact count: the total is then "more than". */
export function ListPaging({ total, capped, pageNum, pageSize, onChange }: Props) {
  if (total === undefined) return <footer className={css.foot} />
  return (
    <footer className={css.foot}>
      <Pagination
        size="small"
        total={total}
        current={pageNum}
        pageSize={pageSize}
        pageSizeOptions={[...PAGE_SIZES]}
        showSizeChanger
        showQuickJumper={total > pageSize * 6}
        showTotal={(all, [from, to]) => {
          if (all === 0) return '共0条'
          return `第 ${from}-${to} 条，共 ${capped ? `${total.toLocaleString()}+` : all.toLocaleString()} 条`
        }}
        onChange={onChange}
      />
    </footer>
  )
}
