import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'

/** 货架货位, 常用产品 and the actions on what warehouses may hold. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const call = async (kind: string, action: string, sn: string, more: object = {}) => {
  const { version } = await scene.hospital.info(kind, sn)
  return scene.hospital.client.post(`/v1/business/${kind}/${action}`, { sn, version, ...more })
}
const action = (kind: string, name: string, sns: readonly string[], more: object = {}) =>
  scene.hospital.client.post(`/v1/business/${kind}/${name}`, { sns: JSON.stringify(sns), ...more })

story('shelf, from one step to the next', step => {
  step('a shelf creates its locations by layer and column; a location with stock cannot be removed', async () => {
    const { hospital, central, inflator } = scene
    const body = { warehouse_model_inner_sn: central, area: 'Z', code: '1', layers: 2, columns_count: 3 }
    expectMessage(
      await hospital.client.post('/v1/business/shelf/add', { ...body, area: '常温' }),
      '库区应为1到4位大写字母或数字',
    )
    const sn = await hospital.add('shelf', body)
    expect((await call('shelf', 'generate', sn)).code).toBe(0)
    const places = await hospital.list('shelfPlace', { warehouse_model_inner_sn: central, area: 'Z' })
    expect(places.map(place => place.code)).toEqual([
      'Z-01-01-01',
      'Z-01-01-02',
      'Z-01-01-03',
      'Z-01-02-01',
      'Z-01-02-02',
      'Z-01-02-03',
    ])
    expectMessage(await call('shelf', 'generate', sn), '该货架的货位已全部生成')
    // Its locations would have the codes of the first one's.
    const same = await hospital.client.post('/v1/business/shelf/add', { ...body, code: '01' })
    expect(same.code).toBe(2105)
    expect(same.msg).toContain('货架编号【01】已存在：与【1】相同')
    const keys = places.map(place => place.shelf_place_sn as string)
    expect((await action('shelfPlace', 'bind', keys.slice(0, 2), { specification_sn: inflator })).info.said).toBe(
      '已绑定2个货位',
    )
    const cold = await scene.one(
      `select s.id from specification s join product p on p.id = s.product_id where p.is_cold_chain
      and p.status = 'released' limit 1`,
    )
    expectMessage(
      await action('shelfPlace', 'bind', keys.slice(0, 1), { specification_sn: cold.id }),
      '货位储存条件与产品不符：Z-01-01-01',
    )
    await scene.shelve(hospital, central, [lotOf(inflator, 'HJ1', { quantity: '4', location: 'Z-01-01-01' })])
    expect((await hospital.list('shelfPlace', { code: 'Z-01-01-01' }))[0]).toMatchObject({
      stock: '4.000',
      lot_count: 1,
      is_used: true,
    })
    expectMessage(await call('shelfPlace', 'disable', keys[0]!), '该货位存在库存，不能停用：Z-01-01-01')
    expectMessage(await call('shelf', 'del', sn), '该货位存在库存，不能删除：Z-01-01-01')
    expectMessage(await action('shelfPlace', 'lamp', keys.slice(0, 1)), '所选货位没有电子标签，请先填写电子标签编号')
    const { list } = await hospital.client.get('/v1/labels', { of: 'shelfPlace', units: keys.slice(0, 2).join(',') })
    expect(list.map(label => label.code)).toEqual(['Z-01-01-01', 'Z-01-01-02'])
    expect(list[0].facts).toEqual([
      ['仓库', expect.any(String)],
      ['库区', expect.stringMatching(/^.+（常温）$/)],
      ['存放', expect.any(String)],
    ])
    // An area and a department have labels of their own.
    const [area] = await hospital.list('storeArea', { warehouse_model_inner_sn: central })
    const [ward] = await hospital.list('department', {})
    const sign = async (of: string, key: string) =>
      (await hospital.client.get('/v1/labels', { of, units: key })).list[0]
    expect(await sign('storeArea', area!.store_area_sn)).toMatchObject({
      type: 'area',
      code: expect.stringMatching(new RegExp(`-${area!.code}$`)),
      facts: [
        ['仓库', expect.any(String)],
        ['库区', area!.name],
        ['贮存条件', expect.any(String)],
      ],
    })
    expect(await sign('department', ward!.department_inner_sn)).toMatchObject({
      type: 'department',
      code: ward!.code,
      facts: expect.arrayContaining([['科室', ward!.name]]),
    })
    const theirs = { of: 'department', units: ward!.department_inner_sn }
    expectMessage(await scene.dealer.client.get('/v1/labels', theirs), '有记录不存在或已变化，请刷新后重新勾选')
    // The scanned label identifies the location, but not for other organisations.
    const scanned = async (client: typeof hospital.client) =>
      (await client.post('/v1/code/parse', { code: 'Z-01-01-01' })).info.place
    expect(await scanned(hospital.client)).toEqual({ code: 'Z-01-01-01', warehouse_sns: [central] })
    expect(await scanned((await scene.person('dealer2')).client)).toBeNull()
  })

  step('an area sets allowed goods and storage; its shelves follow; with goods in it it cannot change', async () => {
    const { hospital, central, inflator } = scene
    const area = { warehouse_model_inner_sn: central, code: 'Y', name: '冷藏一区', storage_condition: 'cold' }
    const add = (more: object = {}) => hospital.client.post('/v1/business/storeArea/add', { ...area, ...more })
    expectMessage(await add({ code: '冷' }), '库区编码应为1到4位大写字母或数字')
    expectMessage(await add({ temperature_min: '9', temperature_max: '8' }), '温度下限不能大于上限')
    const sn = await hospital.add('storeArea', { ...area, temperature_min: '2', temperature_max: '8' })
    expect((await add()).code).not.toBe(0)
    const rack = await hospital.add('shelf', { warehouse_model_inner_sn: central, area: 'Y', code: '1' })
    expect(await hospital.info('shelf', rack)).toMatchObject({ storage_condition: 'cold', area_kind: 'qualified' })
    expectMessage(
      await call('shelf', 'edit', rack, { storage_condition: 'normal' }),
      '库区Y为合格品区(绿)、冷藏，货架随库区；要改请在库区中修改',
    )
    expectMessage(await call('storeArea', 'edit', sn, { code: 'X' }), '库区已有货架，不能修改仓库和编码')
    expectMessage(await call('storeArea', 'del', sn), '库区【冷藏一区】下有货架，不能删除，请先删除货架')
    expect((await call('storeArea', 'edit', sn, { storage_condition: 'normal' })).code).toBe(0)
    expect((await hospital.info('shelf', rack)).storage_condition).toBe('normal')
    expect((await call('shelf', 'generate', rack)).code).toBe(0)
    // A closed area accepts nothing; with goods in it, it can be neither closed nor changed to another kind.
    const put = () =>
      attempt(hospital, 'openingStock', {
        warehouse_model_inner_sn: central,
        lines: [lotOf(inflator, 'HJ9', { quantity: '2', location: 'Y-01-01-01' })],
      })
    expect((await call('storeArea', 'disable', sn)).code).toBe(0)
    expectMessage(await put(), '第1行：货位Y-01-01-01已停用，请重新选择')
    expect((await call('storeArea', 'enable', sn)).code).toBe(0)
    await scene.shelve(hospital, central, [lotOf(inflator, 'HJ9', { quantity: '2', location: 'Y-01-01-01' })])
    expectMessage(
      await call('storeArea', 'edit', sn, { area_kind: 'unqualified' }),
      '库区【冷藏一区】存在库存，不能修改库区类型和贮存条件',
    )
    expectMessage(await call('storeArea', 'disable', sn), '库区【冷藏一区】存在库存，不能停用')
    const [row] = await hospital.list('storeArea', { warehouse_model_inner_sn: central, code: 'Y' })
    expect(row).toMatchObject({ shelf_count: 1, place_count: 1, stock: '2.000' })
    // A shelf in an unknown area creates the area.
    await hospital.add('shelf', { warehouse_model_inner_sn: central, area: 'W', code: '1', area_kind: 'pending' })
    expect(await hospital.list('storeArea', { warehouse_model_inner_sn: central, code: 'W' })).toMatchObject([
      { name: 'W区', area_kind: 'pending' },
    ])
  })

  step('a ward keeps usual lists: permitted items only, each once, and a draft in one step', async () => {
    const { hospital, central, department, inflator } = scene
    const head = { name: '每日', department_inner_sn: department, warehouse_model_inner_sn: central }
    const sn = await hospital.add('commonProduct', head)
    const add = (specification_sn: string, usual_quantity = '5') =>
      hospital.client.post('/v1/business/commonProductLine/add', {
        common_product_sn: sn,
        specification_sn,
        usual_quantity,
      })
    expect((await add(inflator)).code).toBe(0)
    expect((await add(inflator)).code).toBe(2105)
    await scene.one(
      `update hospital_product set admission_state = 'not_admitted' where org_id = $1 and specification_id = $2
      returning 1`,
      scene.h,
      scene.balloon,
    )
    expectMessage(await add(scene.balloon), '该产品不在本科室可领目录中')
    await scene.one(
      `insert into common_product_line (org_id, common_product_id, specification_id, usual_quantity)
      values ($1, $2, $3, 1) returning 1`,
      scene.h,
      sn,
      scene.balloon,
    )
    // Goods in packs of ten are requested in tens.
    const store = await scene.one(
      `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point,
      max_quantity, replenishment, pack_size) values ($1, $2, $3, 0, 0, 100, 'packs', 10)
      on conflict (org_id, warehouse_id, specification_id) do update
      set replenishment = 'packs', pack_size = 10 returning id`,
      scene.h,
      scene.ward,
      inflator,
    )
    const [line] = await hospital.list('commonProductLine', { common_product_sn: sn, specification_sn: inflator })
    const usual = (usual_quantity: string) =>
      call('commonProductLine', 'edit', line.common_product_line_sn, { usual_quantity })
    expectMessage(await usual('15'), '数量必须为定数10的整数倍')
    await scene.one('delete from warehouse_product where org_id = $1 and id = $2 returning 1', scene.h, store.id)
    expect((await call('commonProduct', 'toClaim', sn)).code).toBe(0)
    const [claim] = await hospital.list('requisition', { state: 'draft' })
    expect((await hospital.info('requisition', claim.sn)).lines).toMatchObject([
      { specification_sn: inflator, quantity: '5.000' },
    ])
    const notified = await scene.one(
      "select body from message where org_id = $1 and title = '已生成物资申领单' order by id desc limit 1",
      scene.h,
    )
    expect(notified.body).toContain('未列入（停用或注册证过期）')
    expect((await call('commonProduct', 'copy', sn)).code).toBe(0)
    expect((await hospital.list('commonProduct', { name: '副本' }))[0]).toMatchObject({ line_count: 2 })
    expectMessage(
      await hospital.client.post('/v1/business/commonProduct/fromHistory', {
        department_inner_sn: department,
        warehouse_model_inner_sn: central,
      }),
      '近90天没有申领3次以上的产品',
    )
    for (const quantity of ['10', '4', '6'])
      expect(
        (
          await attempt(hospital, 'requisition', {
            department_inner_sn: department,
            warehouse_model_inner_sn: central,
            lines: [{ specification_sn: inflator, quantity }],
          })
        ).code,
      ).toBe(0)
    const made = await hospital.client.post('/v1/business/commonProduct/fromHistory', {
      department_inner_sn: department,
      warehouse_model_inner_sn: central,
    })
    expect(made.info?.said).toBe('已生成1个产品的常用清单')
    const [learnt] = await hospital.list('commonProduct', { name: '历史申领' })
    expect(await hospital.list('commonProductLine', { common_product_sn: learnt.common_product_sn })).toMatchObject([
      { specification_sn: inflator, usual_quantity: '6.000' },
    ])
  })

  step('limits are set in bulk, based on use, and shortages are requested in one step', async () => {
    const { hospital, ward, central, inflator } = scene
    const sn = await hospital.add('warehouseProduct', {
      warehouse_model_inner_sn: ward,
      specification_sn: inflator,
      min_quantity: '1',
      reorder_point: '2',
      max_quantity: '9',
      source_warehouse_sn: central,
    })
    expectMessage(
      await action('warehouseProduct', 'setLimit', [sn], { least: '5', point: '3', most: '9' }),
      '补货点应在上下限之间',
    )
    expect((await action('warehouseProduct', 'setLimit', [sn], { least: '6', point: '6', most: '10' })).code).toBe(0)
    expect(
      (await action('warehouseProduct', 'calcLimit', [sn], { supply_days: 5, safety_days: 3, cycle_days: 7 })).info
        .said,
    ).toContain('没有用量')
    const limits = async () => {
      const row = await hospital.info('warehouseProduct', sn)
      return [row.min_quantity, row.reorder_point, row.max_quantity]
    }
    expect(await limits()).toEqual(['6.000', '6.000', '10.000'])
    // 4 a day, 5 + 3 days, every 7: 32 and 60; a proposal until it is saved.
    const used = await scene.shelve(hospital, ward, [lotOf(inflator, 'CS1', { quantity: '360', price: '1' })])
    expect(used).toBeTruthy()
    const out = await attempt(
      hospital,
      'otherOdo',
      {
        warehouse_model_inner_sn: ward,
        odo_type: 'own_use',
        purpose_note: '自用',
        lines: [{ specification_sn: inflator, lot_no: 'CS1', quantity: '360' }],
      },
      'review',
    )
    expect(out.code, out.msg).toBe(0)
    const days = { supply_days: 5, safety_days: 3, cycle_days: 7 }
    expect((await action('warehouseProduct', 'calcLimit', [sn], days)).info.said).toMatch(
      /^测算结果（尚未保存）：.+ 下限32、上限60$/,
    )
    expect(await limits()).toEqual(['6.000', '6.000', '10.000'])
    expect((await action('warehouseProduct', 'calcLimit', [sn], { ...days, save: true })).info.said).toBe(
      '已测算并保存1行',
    )
    expect(await limits()).toEqual(['32.000', '32.000', '60.000'])
    const made = await hospital.client.post('/v1/business/warehouseProduct/replenish', {})
    expect(made.info.said).toMatch(/^已生成1张申领单：SL/)
    const [refill] = await hospital.list('requisition', { claim_type: 'refill' })
    // Five are already requested.
    expect((await hospital.info('requisition', refill.sn)).lines).toMatchObject([{ quantity: '55.000' }])
    expectMessage(
      await hospital.client.post('/v1/business/warehouseProduct/replenish', {}),
      '没有低于补货点的科室库产品',
    )
    expect((await action('warehouseProduct', 'copyTo', [sn], { target_sn: central })).info.said).toBe('已复制1行')
    expectMessage(await action('warehouseProduct', 'copyTo', [sn], { target_sn: central }), '该仓库已存在此产品')
  })
})
