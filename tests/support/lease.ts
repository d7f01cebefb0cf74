import { expect } from 'vitest'
import type { Scene } from './fixture.ts'
import { day, type Person } from './story.ts'

/** The hall of a lessor, and how his tenant names it. */
type Lease = {
  readonly platform: Person
  /** The lessor. */
  readonly p: string
  /** His warehouse, the tenant's row of the area let to him, and the tenant's own store for what lies there. */
  readonly hall: string
  readonly rented: string
  readonly mine: string
}

/** The platform lets an area under this code to the dealer; everybody has the permits for it. */
export async function openLease(scene: Scene, code: string): Promise<Lease> {
  const { dealer, d } = scene
  const platform = await scene.person('platform')
  const p = await scene.org('P01')
  const call = async (who: Person, kind: string, name: string, body: object) => {
    const reply = await who.client.post(`/v1/business/${kind}/${name}`, body as Record<string, unknown>)
    expect(reply.code, `${kind}/${name} ${JSON.stringify(reply)}`).toBe(0)
    return reply.info.sn as string
  }
  const permit = (holder: string, scope: string) =>
    scene.one(
      `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, scope)
         values ($1, $2, '医疗器械经营许可证', 'XK' || nextval('row_id_seq'), $3, $4, $5) returning id`,
      p,
      holder,
      day(-300),
      day(300),
      scope,
    )
  await permit(p, '为其他医疗器械注册人、备案人和经营企业提供贮存、配送服务')
  await permit(d, '三类')
  const hall = (await scene.one("select id from warehouse where org_id = $1 and model = 'leased' limit 1", p)).id
  const area = await call(platform, 'leaseArea', 'add', {
    warehouse_model_inner_sn: hall,
    code,
    name: '通知区',
    area_m2: '100',
  })
  const contract = await call(platform, 'lessee', 'add', {
    lessee_sn: d,
    contract_no: `${code}Z-1`,
    valid_from: day(-10),
    valid_to: day(200),
    warehouse_model_inner_sn: hall,
    price: '30',
  })
  const line = { lease_contract_sn: contract, lease_area_sn: area, area_m2: '50', start_on: day(-10) }
  await call(platform, 'leaseLine', 'add', line)
  const { version } = await platform.info('lessee', contract)
  await call(platform, 'lessee', 'enable', { sn: contract, version })
  const rented = (await dealer.list('rentedArea', { area_code: code }))[0].rented_area_sn
  const mine = await call(dealer, 'warehouse', 'add', { code: 'ZLK', name: '租用平台仓', model: 'leased' })
  return { platform, p, hall, rented, mine }
}
