import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import type { PublishedCard } from '#kernel/print/public-label.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import css from '#web/goods/Goods.module.css'

/** The public page of a patient's card: the goods in it and the hospital's phone; no sign-in, and no patient. */
export default function ImplantCardPage() {
  const { token = '' } = useParams()
  const asked = useQuery({
    queryKey: ['public implant card', token],
    retry: false,
    queryFn: async () => (await get<PublishedCard>('/v1/public/implantCard', { token }, { bare: true })).info,
  })
  useEffect(() => {
    document.title = '植入物信息'
  }, [])
  return (
    <main className={css.page}>
      <section className={css.card} aria-busy={asked.isPending}>
        <h1 className={css.title}>植入物信息</h1>
        {asked.isPending && <p className={css.note}>正在查询……</p>}
        {asked.isError && (
          <p role="alert" className={css.wrong}>
            {sentenceOf(asked.error)}
          </p>
        )}
        {asked.isSuccess && <Card card={asked.data} />}
      </section>
      <p className={css.note}>检查、就诊时请向医生出示。</p>
    </main>
  )
}

function Card({ card: { implants, hospital_phone: phone } }: { readonly card: PublishedCard }) {
  return (
    <>
      {implants.map((implant, at) => (
        <dl key={at} className={css.facts}>
          {(
            [
              ['产品名称', implant.product_name],
              ['规格型号', implant.specification_name],
              ['注册证号', implant.certificate_no],
              ['批号', implant.lot_no],
            ] as const
          )
            .filter(([, value]) => value)
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
      ))}
      {phone && (
        <p>
          医院电话：<a href={`tel:${phone}`}>{phone}</a>
        </p>
      )}
    </>
  )
}
