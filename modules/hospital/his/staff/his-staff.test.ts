import { afterAll, beforeAll, expect } from 'vitest'
import { instant } from '#kernel/values/date.ts'
import type { RunningHis } from '../../../../deploy/his/server.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { startConnected } from '#tests/support/his.ts'
import { proves } from '#tests/support/proves.ts'
import { story } from '#tests/support/steps.ts'

/** HIS人员信息: people and departments are read from the HIS over FHIR, and linked to our employees and departments. */
let scene: Scene
let stand: RunningHis
beforeAll(async () => {
  scene = await openScene()
  stand = await startConnected(scene.server, 'H01')
})
afterAll(async () => {
  await stand?.close()
  await scene?.close()
})

const post = (call: string, body: object = {}, kind = 'hisStaff', who = scene.hospital) =>
  who.client.post(`/v1/business/${kind}/${call}`, body as never)
const said = async (body: object = {}) => (await post('sync', body)).info?.said as string
const personOf = async (staff_no: string) => (await scene.hospital.list('hisStaff', { staff_no }))[0]!
const act = async (call: string, staff_no: string, body: object = {}) => {
  const row = await personOf(staff_no)
  return post(call, { sn: row.his_staff_sn, version: row.version, ...body })
}
/** Writes a person into the HIS, as its personnel office does. */
const inHis = (staff_no: string, more: object) => {
  const index = stand.books.staff.findIndex(each => each.staff_no === staff_no)
  const known = stand.books.staff[index] ?? stand.books.staff[0]!
  const written = { ...known, staff_no, updated_at: instant(), ...more }
  if (index < 0) stand.books.staff.push(written)
  else stand.books.staff[index] = written
}

story('people of the HIS, from their first synchronisation to their leaving', step => {
  step('who has the same work number is linked by itself; nothing is written by hand', async () => {
    const answer = await said()
    expect(answer).toMatch(/^同步\d+个科室、37名人员，新增37名，自动关联37名，停用0个账号$/)
    const person = await personOf('HSH0117')
    expect(person).toMatchObject({
      staff_name: '薛牧野',
      his_department_code: 'HISH01-K14',
      staff_kind: 'doctor',
      is_active: 'true',
      link_state: 'linked',
      employee_name: '薛牧野',
    })
    expect(person.department_inner_sn).toBeTruthy()
    expect(await said()).toMatch(/新增0名，自动关联0名/)
    // The same call stands on the pages of our own people and departments, for hospitals alone.
    for (const kind of ['employee', 'department'])
      expect((await post('sync', { whole: true }, kind)).info.said).toMatch(/^同步\d+个科室、37名人员，新增0名/)
    expect((await post('sync', {}, 'employee', scene.dealer)).code).not.toBe(0)
    const reader = await scene.clerk('hospital', 'sync.reader', ['page:/ptm/HumanResources', 'employee.add'])
    expect((await post('sync', {}, 'employee', reader)).code).not.toBe(0)
    for (const call of ['add', 'edit', 'del'])
      expect((await post(call, { sn: person.his_staff_sn, version: person.version, staff_name: '改' })).code).not.toBe(
        0,
      )
    expect((await personOf('HSH0117')).staff_name).toBe('薛牧野')
  })

  step('what the HIS changed is updated, and the old value is in the history', async () => {
    inHis('HSH0117', { staff_name: '薛牧原', department_code: 'HISH01-K15', department_name: '脊柱外科' })
    expect(await said()).toMatch(/、[12]名人员，新增0名/)
    expect(await personOf('HSH0117')).toMatchObject({ staff_name: '薛牧原', his_department_name: '脊柱外科' })
    const changes = await scene.hospital.list('hisStaffChange', { staff_no: 'HSH0117' })
    expect(changes.map(change => [change.field_name, change.old_value, change.new_value])).toEqual(
      expect.arrayContaining([['staff_name', '薛牧野', '薛牧原']]),
    )
    expect(changes).toHaveLength(2)
  })

  step('equal name and mobile link where they are unique; what was taken apart stays apart', async () => {
    const { hospital } = scene
    const employee = await hospital.client.post('/v1/business/employee/add', {
      code: 'E900',
      name: '宁一诺',
      phone: '13811112222',
    })
    inHis('N1', { staff_name: '宁一诺', mobile: '13811112222' })
    inHis('N2', { staff_name: '宁一诺', mobile: '13811112222' })
    await said()
    expect((await personOf('N1')).link_state).toBe('none')
    inHis('N2', { staff_name: '宁一诺', mobile: '13811113333' })
    expect(await said()).toContain('自动关联1名')
    expect(await personOf('N1')).toMatchObject({ employee_inner_sn: employee.info.sn, link_state: 'linked' })
    expectMessage(await act('link', 'N2', { employee_inner_sn: employee.info.sn }), '该员工已关联HIS工号N1')
    expect((await act('unlink', 'N1')).code).toBe(0)
    expect(await said()).toContain('自动关联0名')
    expect((await act('link', 'N2', { employee_inner_sn: employee.info.sn })).code).toBe(0)
    expect((await hospital.client.get('/v1/business/employee/info', { sn: employee.info.sn })).info.his_staff_no).toBe(
      'N2',
    )
    expect((await act('unlink', 'N2')).code).toBe(0)
    expect((await act('unlink', 'N2')).code).not.toBe(0)
  })

  step('an employee is made once the department is mapped, and once', async () => {
    inHis('M1', {
      staff_name: '贺新民',
      mobile: '13911110000',
      department_code: 'HISX',
      department_name: '新科室',
      professional_title: '主治医师',
    })
    stand.books.departments.push({
      department_code: 'HISX',
      department_name: '新科室',
      parent_code: null,
      is_active: true,
      updated_at: instant(),
    })
    await said()
    const keys = async () => ({ sns: [(await personOf('M1')).his_staff_sn] })
    expectMessage(await post('createEmployee', await keys()), '请先完成科室对照')
    expect((await act('mapDept', 'M1', { department_inner_sn: scene.department })).code).toBe(0)
    expect((await post('createEmployee', await keys())).info.said).toBe('已生成1名员工')
    const person = await personOf('M1')
    expect(person).toMatchObject({ employee_name: '贺新民', department_inner_sn: scene.department })
    const { info } = await scene.hospital.client.get('/v1/business/employee/info', { sn: person.employee_inner_sn })
    expect(info).toMatchObject({ code: 'M1', phone: '13911110000', his_staff_no: 'M1', title: '主治医师' })
    expectMessage(await post('createEmployee', await keys()), '【贺新民】已关联员工')
  })

  step('who leaves in the HIS signs in no more where the rule says so; the employee stays', async () => {
    proves('his.leaverStopped')
    const { one, h, hospital, server } = scene
    const nurse = await one(
      `select u.id, e.his_staff_no, e.id as employee from app_user u join employee e on e.org_id = u.org_id
         and e.id = u.employee_id where u.org_id = $1 and u.login = 'nurse'`,
      h,
    )
    const signedIn = await server.as('nurse')
    await scene.rule(h, 'stops_his_leavers', false)
    inHis(nurse.his_staff_no, { is_active: false })
    expect(await said()).toContain('停用0个账号')
    await scene.rule(h, 'stops_his_leavers', true)
    expect(await said()).toContain('停用1个账号')
    expect((await signedIn.get('/v1/user/info')).code).not.toBe(0)
    expect((await hospital.client.get('/v1/business/employee/info', { sn: nurse.employee })).info.status).toBe(
      'enabled',
    )
    expect(await personOf(nurse.his_staff_no)).toMatchObject({ is_active: 'false', login: null })
  })

  step('mobile numbers are whole for who links people, and nobody else finds one by filtering', async () => {
    const { one, h } = scene
    const number = (await personOf('M1')).mobile as string
    expect(number).toBe('13911110000')
    await one(
      `insert into role (org_id, name, flags) values ($1, 'HIS人员查看', array['page:/hospital/hisStaffInfoView'])
         returning 1`,
      h,
    )
    await one(
      `insert into app_user (org_id, login, password_hash, name, is_administrator)
         select org_id, 'his.reader', password_hash, '读者', false from app_user where login = 'hospital' returning 1`,
    )
    await one(
      `insert into user_role (org_id, user_id, role_id) select $1, u.id, r.id from app_user u, role r
         where u.login = 'his.reader' and r.org_id = $1 and r.name = 'HIS人员查看' returning 1`,
      h,
    )
    const reader = await scene.person('his.reader')
    const [row] = await reader.list('hisStaff', { staff_no: 'M1' })
    expect(row.mobile).toBe('139****0000')
    expect(await reader.list('hisStaff', { mobile: number })).toEqual([])
    const { code } = await reader.client.post('/v1/business/hisStaff/sync', {})
    expect(code).toBe(403)
    expect(
      (await reader.client.post('/v1/business/hisStaff/unlink', { sn: row.his_staff_sn, version: row.version })).code,
    ).toBe(403)
    expect((await scene.dealer.list('hisStaff')).length).toBe(0)
  })

  step('a HIS out of order or none at all is said, and nothing is changed', async () => {
    const before = await scene.hospital.list('hisStaff')
    Object.assign(stand.faults, { failing: -1, status: 503 })
    const down = await post('sync', { whole: true })
    expect([down.code, down.msg]).not.toEqual([0, ''])
    expect(down.code).not.toBe(9999)
    expect(down.msg).toBe('HIS返回503：系统维护')
    Object.assign(stand.faults, { failing: 0 })
    expect(await scene.hospital.list('hisStaff')).toEqual(before)
    const [failed] = await scene.hospital.list('interfaceError', { name: '同步科室' })
    expect(failed).toMatchObject({
      system: 'his',
      error: 'HIS返回503：系统维护',
      request: expect.stringContaining('/fhir/Organization'),
    })
  })
})
