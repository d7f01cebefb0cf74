import { Refusal } from '#kernel/refusal.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'

const markOf = (warehouse: string | null) => `opening_closed:${warehouse}`

/** Once a store's opening is closed, nothing more opens there. */
async function refuseClosed(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const [closed] = await tx<{ name: string }[]>`
    select w.name from setting s join warehouse w on w.org_id = s.org_id and w.id = ${doc.warehouse_model_inner_sn}
     where s.org_id = ${session.org.id} and s.name = ${markOf(doc.warehouse_model_inner_sn)}`
  if (closed)
    throw new Refusal(
      'rule',
      session.org.type === 'H'
        ? '该仓库期初已结束，不能新增期初库存'
        : `仓库【${closed.name}】期初已关账，不能再录入期初库存`,
    )
}

/** 期初结束 closes the paper's store for good. */
async function close(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  await tx`
    insert into setting (org_id, name, value) values (${session.org.id}, ${markOf(doc.warehouse_model_inner_sn)}, 'true')
    on conflict (org_id, name) do nothing`
}

export const openingStockRules: DocumentRules = {
  kind: 'openingStock',
  before: { submit: refuseClosed, review: refuseClosed, closeOpening: refuseClosed },
  after: { closeOpening: close },
}
