import { openingStock } from '#modules/goods/stock/other/opening-stock.doc.ts'
import { type ActionContext, documentHooks } from '#server/public/hooks.ts'
import { kindsOf } from '#kernel/measure/feeding.ts'
import { BusinessError } from '#kernel/rules/errors.ts'

const markOf = (warehouse: string | null) => `opening_closed:${warehouse}`

async function closedStore({ tx, session, doc }: ActionContext): Promise<string | null> {
  const [closed] = await tx<{ name: string }[]>`
    select w.name from setting s join warehouse w on w.org_id = s.org_id and w.id = ${doc.warehouse_model_inner_sn}
     where s.org_id = ${session.org.id} and s.name = ${markOf(doc.warehouse_model_inner_sn)}`
  return closed?.name ?? null
}

/** Once a warehouse's opening is closed, no more opening stock is accepted. */
async function refuseClosed(ctx: ActionContext): Promise<void> {
  const store = await closedStore(ctx)
  if (store === null) return
  throw new BusinessError(
    'rule',
    ctx.session.org.type === 'H'
      ? '该仓库期初已结束，不能新增期初库存'
      : `仓库【${store}】期初已关账，不能再录入期初库存`,
  )
}

/** Goods of others are accepted only from organisations we trade with. */
async function refuseUnknown({ tx, session, doc }: ActionContext): Promise<void> {
  const owners = [...new Set(doc.lines.flatMap(line => (line.owner_org_sn ? [line.owner_org_sn] : [])))]
  const [outsider] = await tx<{ name: string }[]>`
    select o.name from organisation o
     where o.id = any(${owners}::bigint[]) and o.id <> ${session.org.id}
       and not exists (select 1 from org_relation r where r.org_id = ${session.org.id} and r.partner_id = o.id
         and r.status = 'enabled')
       and not exists (select 1 from org_relation r where r.partner_id = ${session.org.id} and r.org_id = o.id
         and r.status = 'enabled') limit 1`
  if (outsider) throw new BusinessError('rule', `货主【${outsider.name}】没有有效的往来关系，请选择相关机构`)
}

/** Opening stock cannot be undone once its goods were moved, or the opening is closed. */
async function refuseMoved(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, spec } = ctx
  const org = session.org.id
  const store = await closedStore(ctx)
  if (store !== null) throw new BusinessError('blocked', `仓库【${store}】期初已关账，不能${spec.label}`)
  const lots = doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : []))
  const later = await tx<{ sn: string }[]>`
    select d.sn from document d
     where d.org_id = ${org} and d.kind <> all(${kindsOf('opened')}) and d.id in (
       select coalesce(p.red_of_id, p.id) from stock_move m join document p on p.org_id = m.org_id
         and p.id = m.document_id
        where m.org_id = ${org} and m.warehouse_id = ${doc.warehouse_model_inner_sn}
          and m.lot_id = any(${lots}::bigint[])
        group by coalesce(p.red_of_id, p.id), m.location, m.specification_id, m.lot_id, m.owner_id, m.quality_state
       having sum(m.quantity) <> 0)
     order by d.sn limit 5`
  if (later.length === 0) return
  const what = session.org.type === 'H' ? '期初批次' : '期初库存'
  throw new BusinessError('blocked', `${what}已发生业务，不能${spec.label}（${later.map(row => row.sn).join('、')}）`)
}

/** 期初结束 closes the opening of the document's warehouse permanently. */
async function close(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  await tx`
    insert into setting (org_id, name, value)
      values (${session.org.id}, ${markOf(doc.warehouse_model_inner_sn)}, 'true')
    on conflict (org_id, name) do nothing`
}

/** An administrator may reopen the warehouse as long as nothing else moved in it. */
async function refuseReopening(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const store = await closedStore(ctx)
  if (store === null) throw new BusinessError('wrongState', '该仓库期初尚未结束，不需要反期初')
  if (!session.isAdministrator) throw new BusinessError('forbidden', '没有操作权限：反期初请由管理员办理')
  const moved = await tx<{ sn: string }[]>`
    select distinct d.sn from stock_move m join document d on d.org_id = m.org_id and d.id = m.document_id
     where m.org_id = ${session.org.id} and m.warehouse_id = ${doc.warehouse_model_inner_sn}
       and d.kind <> all(${kindsOf('opened')}) order by d.sn limit 5`
  if (moved.length > 0)
    throw new BusinessError(
      'blocked',
      `仓库【${store}】已发生其他业务，不能反期初（${moved.map(row => row.sn).join('、')}）`,
    )
}

async function reopen({ tx, session, doc }: ActionContext): Promise<void> {
  await tx`delete from setting where org_id = ${session.org.id} and name = ${markOf(doc.warehouse_model_inner_sn)}`
}

export const openingStockRules = documentHooks(openingStock, {
  validate: {
    submit: [refuseClosed, refuseUnknown],
    review: refuseClosed,
    unreview: refuseMoved,
    redReverse: refuseMoved,
    closeOpening: refuseClosed,
    reopenOpening: refuseReopening,
  },
  afterAction: { closeOpening: close, reopenOpening: reopen },
})
