import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { type PublishedGoods, traceRoute } from '#kernel/print/public-label.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import css from '#web/goods/Goods.module.css'

type Goods = PublishedGoods & { readonly signed_in: boolean }

/** The public page a phone shows after scanning a label's link: no sign-in, without the shell. */
export default function GoodsPage() {
  // The address exactly as scanned: escapes are kept.
  const { pathname, search, origin } = window.location
  const link = pathname + search
  const asked = useQuery({
    queryKey: ['public goods', link],
    retry: false,
    queryFn: async () => (await get<Goods>('/v1/public/goods', { link }, { bare: true })).info,
  })
  useEffect(() => {
    document.title = '产品信息'
  }, [])
  return (
    <main className={css.page}>
      <section className={css.card} aria-busy={asked.isPending}>
        <h1 className={css.title}>产品信息</h1>
        {asked.isPending && <p className={css.note}>正在查询……</p>}
        {asked.isError && (
          <p role="alert" className={css.wrong}>
            {sentenceOf(asked.error)}
          </p>
        )}
        {asked.isSuccess && <Facts goods={asked.data} />}
        {asked.isSuccess && asked.data.signed_in && (
          <Link className={css.trace ?? ''} to={`${traceRoute}?code=${encodeURIComponent(origin + link)}`}>
            查看追溯
          </Link>
        )}
      </section>
      <p className={css.note}>批号、有效期取自所扫标签，请与产品包装核对。</p>
    </main>
  )
}

function Facts({ goods }: { readonly goods: Goods }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['产品名称', goods.product_name],
    ['规格型号', goods.specification_name],
    ['注册证号', goods.registration_no],
    ['批号', goods.lot_no],
    ['产品标识', goods.di],
  ]
  return (
    <dl className={css.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      {goods.expiry_date !== null && (
        <div>
          <dt>有效期至</dt>
          <dd data-expired={goods.expired}>
            <strong>{goods.expiry_date}</strong>
            {goods.expired && '　已过期'}
          </dd>
        </div>
      )}
    </dl>
  )
}
