import { type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isTakenOut, kitLoading } from '#modules/hospital/surgery/kits/kit-loading.doc.ts'
import { ofKind } from '#server/public/documents.ts'

type Context = ContextOf<typeof kitLoading>

type Kit = { readonly code: string; readonly warehouse_id: string; readonly out_sn: string | null }

/** A loading is of one kit in the store where the kit is: goods go into that kit, or come out of it. */
async function refuseOtherPlaces({ tx, session, doc }: Context): Promise<void> {
  const [kit] = await tx<Kit[]>`
    select k.code, k.warehouse_id, d.sn as out_sn from implant_kit k
      left join document d on d.org_id = k.org_id and d.id = k.out_plan_id
     where k.org_id = ${session.org.id} and k.id = ${String(doc.kit_sn)}`
  if (!kit) throw new BusinessError('notFound', '套包不存在或已被删除')
  if (kit.out_sn) throw new BusinessError('wrongState', `套包【${kit.code}】已随手术${kit.out_sn}送出，请先归还清点`)
  if (doc.warehouse_model_inner_sn !== kit.warehouse_id)
    throw new BusinessError('rule', `套包【${kit.code}】不在该仓库，请选择套包所属的仓库`)
  const out = isTakenOut(ofKind(kitLoading, doc))
  const line = doc.lines.find(each => {
    const [from, to] = [each.location ?? '', String(each.to_location ?? '')]
    return out ? from !== kit.code || to === kit.code : to !== kit.code || from === kit.code
  })
  if (!line) return
  const msg = `第${line.line_no}行：${out ? `不在套包【${kit.code}】内` : `须装入套包【${kit.code}】`}`
  throw new BusinessError('rule', msg, [{ field: out ? 'location' : 'to_location', line: line.line_no, msg }])
}

/** Goods that are in another kit are taken out there first. */
async function refuseOtherKits({ tx, session, doc }: Context): Promise<void> {
  const places = doc.lines.flatMap(line => [line.location ?? '', String(line.to_location ?? '')]).filter(Boolean)
  const [other] = await tx<{ code: string }[]>`
    select code from implant_kit
     where org_id = ${session.org.id} and code = any(${[...new Set(places)]}) and id <> ${String(doc.kit_sn)}
     limit 1`
  if (other) throw new BusinessError('rule', `产品在套包【${other.code}】内，请先取出`)
}

const conditions = [refuseOtherPlaces, refuseOtherKits] as const

export const kitLoadingHooks = documentHooks(kitLoading, {
  validate: { submit: conditions, review: conditions },
})
